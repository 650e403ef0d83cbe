import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createProject, projects } from '#contract/projects.ts'
import { ProjectForm } from '#web/features/projects/project-form.tsx'
import { emptyProject } from '#web/features/projects/project-values.ts'
import { call } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { Screen } from '#web/ui/screen.tsx'
import { toast } from '#web/ui/toasts.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the form of a new project. */
export default function NewProject() {
  const { _id: userId } = useUserData()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const [start] = useState(emptyProject)
  return (
    <Screen
      title={t`New Project`}
      subtitle={t`Describe one kind of work. A file fills it with your items later; nothing is paid yet.`}
      width="narrow"
    >
      <ProjectForm
        draftKey={`new-project ${userId}`}
        start={start}
        submitLabel={t`Create project`}
        save={async (body, attempt) => {
          const { _id } = await call(createProject, { body }, attempt)
          await queryClient.invalidateQueries({ queryKey: queryKeyOf(projects) })
          if (isShown()) await navigate(`/dashboard/projects/${_id}`)
          void toast({ message: t`The project was created.` })
        }}
      />
    </Screen>
  )
}
