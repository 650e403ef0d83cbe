import { useSite } from '#web/features/site/site.ts'
import { EMPTY_TASK, NewTaskForm } from '#web/features/tasks/new-task-form.tsx'
import { valuesOfTask } from '#web/features/tasks/new-task-values.ts'
import { TaskLoader } from '#web/features/tasks/task-loader.tsx'
import { useSearchParams } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the form to create a task, empty or with what `?copy=` names: a task of the buyer. */
export default function AddTask() {
  const { email } = useUserData()
  const [search] = useSearchParams()
  const copied = search.get('copy')
  // Each start has unsent values of its own, so that a copy never replaces what was typed elsewhere.
  const draftKey = `add-task ${email}${copied ? ` copy ${copied}` : ''}`
  if (copied !== null) return <CopiedTask key={draftKey} id={copied} draftKey={draftKey} />
  return (
    <Screen title="Create a New Task" subtitle="Describe the work, the number of workers and the pay">
      <NewTaskForm key={draftKey} draftKey={draftKey} start={EMPTY_TASK} />
    </Screen>
  )
}

function CopiedTask({ id, draftKey }: { id: string; draftKey: string }) {
  const site = useSite()
  return (
    <TaskLoader id={id} own>
      {(task) => (
        <Screen
          title="Create a New Task"
          subtitle={`A copy of “${task.task_title}”. Choose its completion date.`}
        >
          <NewTaskForm draftKey={draftKey} start={valuesOfTask(task, site?.reviewDays)} />
        </Screen>
      )}
    </TaskLoader>
  )
}
