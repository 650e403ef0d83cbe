import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { changeProject, type Project, project, projects } from '#contract/projects.ts'
import { ProjectForm } from '#web/features/projects/project-form.tsx'
import { valuesOfProject } from '#web/features/projects/project-values.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { readDraft } from '#web/lib/drafts.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useFormStart } from '#web/lib/use-form-start.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ScreenSkeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UnsavedChanges } from '#web/ui/unsaved-changes.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the form that changes a project. Every change makes a new version. */
export default function EditProject() {
  const { id = '' } = useParams()
  const { start, error, reload } = useFormStart(project, { params: { id } })
  if (start === undefined)
    return error === null ? (
      <ScreenSkeleton />
    ) : (
      <Screen title={t`Edit Project`} width="narrow">
        <ErrorState message={errorMessage(error)} retry={reload} />
      </Screen>
    )
  return (
    <Screen
      title={t`Edit Project`}
      subtitle={t`Version ${{ version: formatNumber(start.version) }} of “${{ title: start.title }}”. Batches keep the version they were made with.`}
      width="narrow"
    >
      <EditForm project={start} onDiscard={reload} />
    </Screen>
  )
}

function EditForm({ project: shown, onDiscard }: { project: Project; onDiscard: () => void }) {
  const { _id: userId } = useUserData()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const draftKey = `project ${userId} ${shown._id}`
  const start = { ...valuesOfProject(shown), version: shown.version }
  // What is typed belongs to the version that was read, also when another tab saves a newer one.
  const [{ version }] = useState(() => readDraft(draftKey, start))
  const [hasConflict, setHasConflict] = useState(false)
  return (
    <>
      <UnsavedChanges
        // After a conflict, what was typed since the form was opened can be discarded too.
        key={`notice ${hasConflict}`}
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
          }).catch((error: unknown) => {
            if (error instanceof ApiError && error.code === 'state_conflict') setHasConflict(true)
            throw error
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
