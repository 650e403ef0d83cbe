import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { taskDraft } from '#contract/task-drafts.ts'
import { useSite } from '#web/features/site/site.ts'
import { nameOf } from '#web/features/tasks/draft-name.ts'
import { NewTaskForm } from '#web/features/tasks/new-task-form.tsx'
import { EMPTY_TASK, valuesOfDraft, valuesOfTask } from '#web/features/tasks/new-task-values.ts'
import { draftKeyOf } from '#web/features/tasks/save-draft.tsx'
import { TaskLoader } from '#web/features/tasks/task-loader.tsx'
import { useOpenProject } from '#web/features/tasks/use-open-project.ts'
import { errorMessage } from '#web/lib/api.ts'
import { readDraft } from '#web/lib/drafts.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useFormStart } from '#web/lib/use-form-start.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { OnlineOnly } from '#web/ui/skeleton.tsx'
import { UnsavedChanges } from '#web/ui/unsaved-changes.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/**
 * Renders the form to create a task: empty, with a copy of the buyer's task that `?copy=` names, or with the draft or
 * template of `?draft=`.
 */
export default function AddTask() {
  const { _id: userId } = useUserData()
  const [search] = useSearchParams()
  // Each start has unsent values of its own, so that one never replaces what was typed into another.
  const key = `add-task ${userId}`
  const [copied, draft] = [search.get('copy'), search.get('draft')]
  if (draft !== null) return <DraftTask key={draft} id={draft} draftKey={draftKeyOf(userId, draft)} />
  if (copied !== null) return <CopiedTask key={copied} id={copied} draftKey={`${key} copy ${copied}`} />
  return (
    <Screen title={t`Create a New Task`} subtitle={t`Describe the work, the number of workers and the pay`}>
      <NewTaskForm draftKey={key} start={EMPTY_TASK} />
    </Screen>
  )
}

type Props = { id: string; draftKey: string }

/** Renders the form with a copy of a task, or with what was typed into one, also when the task was deleted since. */
function CopiedTask({ id, draftKey }: Props) {
  const site = useSite()
  const openProject = useOpenProject()
  const [hasUnsent, setHasUnsent] = useState(() => readDraft<unknown>(draftKey, null) !== null)
  if (hasUnsent) {
    return (
      <Screen title={t`Create a New Task`} subtitle={t`Describe the work, the number of workers and the pay`}>
        <UnsavedChanges
          draftKey={draftKey}
          text={t`This copy has changes from this browser. The task may have been changed since.`}
          onDiscard={() => setHasUnsent(false)}
        />
        <NewTaskForm draftKey={draftKey} start={EMPTY_TASK} />
      </Screen>
    )
  }
  return (
    <TaskLoader id={id} own>
      {(task) =>
        task.isBatch ? (
          <Screen title={t`Create a New Task`}>
            <EmptyState
              title={t`This task is a batch`}
              action={<Button onClick={() => void openProject(task._id)}>{t`Upload more items`}</Button>}
            >
              {t`A batch cannot be duplicated: its items come from a file. Upload another file to its project instead.`}
            </EmptyState>
          </Screen>
        ) : (
          <Screen
            title={t`Create a New Task`}
            subtitle={t`A copy of “${{ title: task.task_title }}”. Choose its completion date.`}
          >
            <NewTaskForm draftKey={draftKey} start={valuesOfTask(task, site?.reviewDays)} />
          </Screen>
        )
      }
    </TaskLoader>
  )
}

function DraftTask({ id, draftKey }: Props) {
  const today = useSite()?.today
  const { start, latest, error, reload } = useFormStart(taskDraft, { params: { id } })
  if (start !== undefined) {
    const draft = latest ?? start
    const name = nameOf(draft)
    return (
      <Screen
        title={t`Create a New Task`}
        subtitle={draft.template ? t`From your template “${name}”` : t`From your draft “${name}”`}
      >
        <UnsavedChanges
          draftKey={draftKey}
          text={
            draft.template
              ? t`The form has changes from this browser that are not saved to the template.`
              : t`The form has changes from this browser that are not saved to the draft.`
          }
          onDiscard={reload}
        />
        <NewTaskForm draftKey={draftKey} start={valuesOfDraft(start, today)} draft={start} />
      </Screen>
    )
  }
  return (
    <Screen title={t`Create a New Task`}>
      {error !== null ? (
        <>
          <ErrorState message={errorMessage(error)} retry={reload} />
          <p className="mt-4 text-center">
            <Link to="/dashboard/task-drafts" className="link">{t`Drafts and templates`}</Link>
          </p>
        </>
      ) : (
        <OnlineOnly>
          <p role="status" className="delayed-fade-in py-24 text-center text-dim">{t`Loading draft...`}</p>
        </OnlineOnly>
      )}
    </Screen>
  )
}
