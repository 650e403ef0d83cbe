import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { mySubmissionCounts, mySubmissions } from '#contract/submissions.ts'
import { type ListedTask, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { NextTask } from '#web/features/tasks/next-task.tsx'
import { useNextTask } from '#web/features/tasks/use-next-task.ts'
import { errorMessage } from '#web/lib/api.ts'
import { readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { invalidateEndpoints, queryKeyOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useUserData } from '#web/lib/session.tsx'
import { LinkButton, PlainButton } from '#web/ui/button.tsx'
import { showError, showMessage } from '#web/ui/dialogs.tsx'
import { IconSend } from '#web/ui/icons.ts'
import { PlainTextarea } from '#web/ui/plain-textarea.tsx'
import { sendNewWork, workDraftKey } from './send-work.ts'
import { removeUnsent, useUnsentWork } from './unsent-work.ts'
import { WaitingWork } from './waiting-work.tsx'

const loadSchema = () => import('./work-schema.ts')

type Props = {
  task: ListedTask
  taskVersion: number
  /** The worker has reserved a slot, so they can submit also when no other slot is left. */
  isReserved: boolean
  /** No slot can be taken at the moment. What was typed stays in the form. */
  isHeld: boolean
  onSent: (work: { _id: string; text: string }) => void
}

/** Renders the form to submit work. The text is kept as a draft until the server has accepted it. */
export function SubmitForm({ task, taskVersion, isReserved, isHeld, onSent }: Props) {
  const user = useUserData()
  const queryClient = useQueryClient()
  const draftKey = workDraftKey(user._id, task._id)
  const [waiting] = useUnsentWork(user._id).flatMap((work) =>
    'body' in work && work.taskId === task._id && work.isWaiting && work.refusal === undefined ? [work] : [],
  )
  const completed = task.worker < 1 && !isReserved
  const cannotTakeSlot = completed || isHeld
  const nextTask = useNextTask(task._id)
  const navigate = useNavigate()

  const form = useForm({
    about: draftKey,
    schema: loadSchema,
    schemaIsOptional: true,
    initialValues: readDraft(draftKey, { submissoin_data: '' }),
    submit: async ({ submissoin_data }, { idempotencyKey }) => {
      const body = {
        taskId: task._id,
        task_title: task.task_title,
        payable_amount: task.payable_amount,
        worker_name: user.user,
        worker_email: user.email,
        buyer_email: task.buyer,
        buyer_name: task.buyer_name,
        required_workers_left: task.worker,
        submissoin_data,
        status: 'pending',
        taskImg: task.task_image_url,
        taskVersion,
      }
      const work = {
        userId: user._id,
        taskId: task._id,
        title: task.task_title,
        body,
        idempotencyKey,
        isWaiting: false,
      }
      const insertedId = await sendNewWork(work)
      if (insertedId === undefined) return
      onSent({ _id: insertedId, text: submissoin_data })
      void invalidateEndpoints(queryClient, [mySubmissions, mySubmissionCounts, taskListWorker])
      // Found while the message is read, so that the next task opens at once.
      const nextPath = nextTask.hasNext ? nextTask.find() : undefined
      await showMessage({
        title: t`Success`,
        text: t`Task submitted successfully!`,
        next: nextPath && { label: t`Next task`, run: () => void nextPath.then((path) => navigate(path)) },
      })
    },
    onError: (error) => {
      // Another worker may have taken the last slot.
      void queryClient.invalidateQueries({ queryKey: queryKeyOf(taskDetails) })
      void showError(
        t`Error`,
        t`Something went wrong!`,
        t`${{ reason: errorMessage(error) }} Your text has been kept.`,
      )
    },
  })
  useDraft(draftKey, form.values)
  const waitingText = useFocusRecovery<HTMLParagraphElement>(waiting !== undefined)

  if (waiting)
    return (
      <WaitingWork
        text={waiting.body.submissoin_data}
        status={waitingText}
        onEdit={() => removeUnsent({ userId: user._id, taskId: task._id })}
      >
        <NextTask taskId={task._id} />
      </WaitingWork>
    )

  return (
    <form
      {...form.props}
      className="space-y-4"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <PlainTextarea
        label={t`Your work`}
        placeholder={t`Write your answer, or paste a link or code as proof`}
        required
        readOnly={form.isSubmitting}
        {...form.field('submissoin_data')}
      />
      <div className="flex flex-wrap items-center justify-end gap-3">
        <LinkButton to={nextTask.listPath} variant="default">
          {t`Back to tasks`}
        </LinkButton>
        <PlainButton
          type="submit"
          variant={isReserved ? 'filled' : 'light'}
          busy={form.isSubmitting}
          disabled={cannotTakeSlot}
          icon={cannotTakeSlot ? undefined : <IconSend size={18} aria-hidden />}
        >
          {isHeld ? t`On hold` : completed ? t`Task already completed` : t`Submit Work`}
        </PlainButton>
      </div>
    </form>
  )
}
