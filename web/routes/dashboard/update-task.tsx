import { t } from '@lingui/core/macro'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { TITLE_MAX } from '#contract/product.ts'
import { myTask, type Task, type TaskDetails, TaskEdit, taskDetails, updateTask } from '#contract/tasks.ts'
import { CATEGORY_OPTIONS } from '#web/features/tasks/category-names.en.ts'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { TaskLoader } from '#web/features/tasks/task-loader.tsx'
import { useTaskChanges } from '#web/features/tasks/use-task-changes.tsx'
import { ApiError, call } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UnsavedChanges } from '#web/ui/unsaved-changes.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the form to edit a task's texts and category, and the changes of its slots and deadline. The pay never changes. */
export default function UpdateTask() {
  const { id = '' } = useParams()
  const [discards, setDiscards] = useState(0)
  return (
    <TaskLoader id={id} own>
      {(task) => (
        <Screen
          title={t`Update Task`}
          subtitle={t`Edit the text, add workers or move the deadline`}
          width="narrow"
        >
          <SlotsAndDeadline task={task} />
          {!task.isBatch && (
            <UpdateForm
              key={`${task._id} ${discards}`}
              task={task}
              onDiscard={() => setDiscards(discards + 1)}
            />
          )}
        </Screen>
      )}
    </TaskLoader>
  )
}

/** Renders a task's free slots and deadline with the buttons that change them. */
function SlotsAndDeadline({ task }: { task: Task }) {
  const { addSlots, moveDeadline, close, reopen } = useTaskChanges()
  return (
    <section aria-label={t`Workers and deadline`} className="card mb-5 p-5 sm:p-6">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-dim">
        <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
        <span>{t`${{ coins: formatCoins(task.payable_amount) }} each`}</span>
        <span>{t`due ${{ day: formatDay(task.completion_date) }}`}</span>
      </p>
      <p className="mt-2 text-sm text-dim">
        {t`Task ID for the API`} <CopyableText value={task._id} name={t`the task ID`} />
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        {task.isClosed ? (
          <Button onClick={() => void reopen(task)}>{t`Reopen task`}</Button>
        ) : (
          <>
            <Button onClick={() => void addSlots(task)}>{t`Add workers`}</Button>
            <Button variant="default" onClick={() => void moveDeadline(task)}>{t`Change deadline`}</Button>
            <Button variant="default" onClick={() => void close(task)}>{t`Close task`}</Button>
          </>
        )}
      </div>
    </section>
  )
}

function UpdateForm({ task, onDiscard }: { task: TaskDetails; onDiscard: () => void }) {
  const { _id: userId } = useUserData()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  // What is typed belongs to the version that was read, also when another tab saves a newer one.
  const [{ task_title, task_detail, submission_info, category, taskVersion }] = useState(task)
  const draftKey = `update-task ${userId} ${task._id}`
  const [{ taskVersion: base, ...start }] = useState(() =>
    readDraft(draftKey, { task_title, task_detail, submission_info, category, taskVersion }),
  )
  const [hasConflict, setHasConflict] = useState(false)
  const form = useForm({
    schema: TaskEdit,
    initialValues: start,
    submit: async ({ category: chosen, ...texts }, attempt) => {
      const body = { ...texts, ...(chosen !== category && { category: chosen }), taskVersion: base }
      await call(updateTask, { params: { id: task._id }, body }, attempt).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'state_conflict') setHasConflict(true)
        throw error
      })
      deleteDraft(draftKey)
      await invalidateEndpoints(queryClient, [myTask, taskDetails])
      const updated = { title: t`Updated!`, message: t`Your task has been Updated.` }
      if (!isShown()) return void toast(updated)
      await navigate('/dashboard/my-task')
      void showMessage({ title: updated.title, text: updated.message })
    },
  })
  useDraft(draftKey, form.values, { taskVersion: base })
  return (
    <>
      <UnsavedChanges
        // After a conflict, what was typed since the form was opened can be discarded too.
        key={`notice ${hasConflict}`}
        draftKey={draftKey}
        text={t`The form has changes from this browser that are not saved to the task.`}
        onDiscard={onDiscard}
      />
      <form {...form.props} className="card space-y-5 p-5 sm:p-6">
        {hasWork(task) && (
          <p className="text-sm text-dim">{t`Submitted work is judged by the task text its worker was shown. Your changes apply to later work.`}</p>
        )}
        <TextInput label={t`Task title`} required maxLength={TITLE_MAX} {...form.field('task_title')} />
        <Textarea
          label={t`Task details`}
          required
          autosize
          minRows={5}
          maxRows={20}
          {...form.field('task_detail')}
        />
        <NativeSelect
          label={t`Category`}
          description={t`Workers filter by it.`}
          data={CATEGORY_OPTIONS}
          {...form.field('category')}
        />
        <Textarea
          label={t`Submission info`}
          description={t`What workers submit as proof`}
          required
          autosize
          minRows={2}
          maxRows={10}
          {...form.field('submission_info')}
        />
        <FormError message={form.submitError} />
        <FormActions>
          <Button component={Link} to="/dashboard/my-task" variant="default">{t`Cancel`}</Button>
          <Button type="submit" loading={form.isSubmitting}>{t`Update Task`}</Button>
        </FormActions>
      </form>
    </>
  )
}

/** Returns whether work was submitted that is pending or approved. A closed task has no free slots left to count. */
function hasWork(task: Task): boolean {
  return task.isClosed ? !task.isCompleted : task.worker < task.required_workers
}
