import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { changeProject, type Project, project, projects } from '#contract/projects.ts'
import { ProjectForm } from '#web/features/projects/project-form.tsx'
import { valuesOfProject } from '#web/features/projects/project-values.ts'
import { call } from '#web/lib/api.ts'
import { readDraft } from '#web/lib/drafts.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { Screen } from '#web/ui/screen.tsx'
import { ScreenSkeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UnsavedChanges } from '#web/ui/unsaved-changes.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the form that changes a project. Every change makes a new version. */
export default function EditProject() {
  const { id = '' } = useParams()
  const { data, isFetchedAfterMount } = useQuery({
    ...queryOf(project, { params: { id } }),
    refetchOnMount: 'always',
    throwOnError: (_, { state }) => state.data === undefined,
  })
  const [discards, setDiscards] = useState(0)
  // An earlier reply may lack what another device saved since.
  if (!isFetchedAfterMount || data === undefined) return <ScreenSkeleton />
  return (
    <Screen
      title={t`Edit Project`}
      subtitle={t`Version ${{ version: formatNumber(data.version) }} of “${{ title: data.title }}”. Batches keep the version they were made with.`}
      width="narrow"
    >
      <EditForm key={`${id} ${discards}`} project={data} onDiscard={() => setDiscards(discards + 1)} />
    </Screen>
  )
}

function EditForm({ project: shown, onDiscard }: { project: Project; onDiscard: () => void }) {
  const { _id: userId } = useUserData()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const draftKey = `project ${userId} ${shown._id}`
  // What is typed belongs to the version that was read, also when another tab saves a newer one.
  const [start] = useState(() => ({ ...valuesOfProject(shown), version: shown.version }))
  const [{ version }] = useState(() => readDraft(draftKey, start))
  return (
    <>
      <UnsavedChanges
        draftKey={draftKey}
        text={t`The form has changes from this browser that are not saved to the project.`}
        onDiscard={onDiscard}
      />
      <ProjectForm
        draftKey={draftKey}
        start={start}
        submitLabel={t`Save changes`}
        save={async (content) => {
          const saved = await call(changeProject, {
            params: { id: shown._id },
            body: { ...content, version },
          })
          queryClient.setQueryData(queryKeyOf(project, { params: { id: shown._id } }), saved)
          await queryClient.invalidateQueries({ queryKey: queryKeyOf(projects) })
          if (isShown()) await navigate(`/dashboard/projects/${shown._id}`)
          void toast({
            message: t`Version ${{ version: formatNumber(saved.version) }} of the project was saved.`,
          })
        }}
      />
    </>
  )
}
