import { t } from '@lingui/core/macro'
import { Button, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { guessCategory } from '#contract/guess-category.ts'
import { REVIEW_DAYS, REWARD_MAX, SLOTS_MAX, TITLE_MAX } from '#contract/product.ts'
import { Day } from '#contract/shapes.ts'
import { type TaskDraft, taskDrafts } from '#contract/task-drafts.ts'
import { addTask, NewTask } from '#contract/tasks.ts'
import { AudienceFields } from '#web/features/audience/audience-fields.tsx'
import { AudienceField } from '#web/features/audience/audience-schema.ts'
import { showReplayed } from '#web/features/coins/spend-dialog.tsx'
import { useSite } from '#web/features/site/site.ts'
import { CATEGORY_OPTIONS } from '#web/features/tasks/category-names.en.ts'
import { CompletionDateField } from '#web/features/tasks/completion-date-field.tsx'
import { CostSummary } from '#web/features/tasks/cost-summary.tsx'
import { MY_TASKS } from '#web/features/tasks/my-task-endpoints.ts'
import type { NewTaskValues } from '#web/features/tasks/new-task-values.ts'
import { type DraftBase, SaveDraft } from '#web/features/tasks/save-draft.tsx'
import { calculateCost } from '#web/features/tasks/task-cost.ts'
import { reservationChoices, reviewChoices } from '#web/features/tasks/task-inputs.ts'
import { TaskPictureField } from '#web/features/tasks/task-picture-field.tsx'
import { useOfferPurchase } from '#web/features/tasks/use-offer-purchase.ts'
import { callOnce } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { usePictureUpload } from '#web/lib/upload-picture.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UploadNotice } from '#web/ui/upload-notice.tsx'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'

/** The value of a select as a number; empty is none. */
const chosenNumber = z.transform((value: string) => (value === '' ? undefined : Number(value)))

const Form = z.extend(NewTask, {
  completion_date: z.pipe(z.string(t`Choose a completion date`), Day),
  task_image_url: NewTask.shape.task_image_url,
  review_hours: z.pipe(chosenNumber, NewTask.shape.review_hours),
  reservation_minutes: z.pipe(chosenNumber, NewTask.shape.reservation_minutes),
  category: z.pipe(
    z.transform((value) => value || undefined),
    NewTask.shape.category,
  ),
  audience: AudienceField,
})

type Props = {
  /** The key of the unsent values in the browser; those win over `start`. */
  draftKey: string
  start: NewTaskValues
  /** The saved draft or template that `start` is from. */
  draft?: TaskDraft
}

/** Renders the form of a new task with its cost. The whole cost leaves the balance when the task is posted. */
export function NewTaskForm({ draftKey, start, draft }: Props) {
  const user = useUserData()
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const site = useSite()
  const offerPurchase = useOfferPurchase()
  const { upload, isUploading } = usePictureUpload()
  const isPosted = useRef(false)
  // What is typed belongs to the version that was read, also in an earlier visit.
  const read = () => {
    const unread: DraftBase = { version: draft?.version, unconfirmed: null }
    const { version, unconfirmed, ...values } = { ...unread, ...start, ...readDraft(draftKey, start) }
    return { values, base: { version, unconfirmed } }
  }
  const [stored] = useState(read)
  const [base, setBase] = useState(stored.base)

  const form = useForm({
    about: draftKey,
    attemptName: draftKey,
    schema: Form,
    initialValues: stored.values,
    submit: async (task, attempt) => {
      const total = task.required_workers * task.payable_amount
      const cost =
        calculateCost(task.required_workers, task.payable_amount, site?.feePercent ?? 0)?.total ?? total
      const { coin, spendable: balance = coin } = (await refetchUser()) ?? user
      // The first attempt may have paid it already.
      if (cost > balance && !attempt.isRetry) return offerPurchase(t`Change the task`)
      const body = {
        ...task,
        category: task.category ?? guessCategory(task.task_title, task.task_detail),
        worker: task.required_workers,
        amount: task.payable_amount,
        total,
        buyer: user.email,
        buyer_name: user.user,
        draftId: draft?.template === false ? draft._id : undefined,
      }
      const { isReplay } = await callOnce(addTask, { body }, attempt)
      isPosted.current = true
      // Another tab may have stored another task meanwhile.
      if (JSON.stringify(read().values) === JSON.stringify(form.values)) deleteDraft(draftKey)
      await Promise.all([invalidateEndpoints(queryClient, [...MY_TASKS, taskDrafts]), refetchUser()])
      const added = { title: t`Task Added`, message: t`Your task has been successfully created.` }
      const isLeft = !isShown()
      if (!isLeft) await navigate('/dashboard/my-task')
      if (isReplay) void showReplayed()
      else if (isLeft) void toast(added)
      else void showMessage({ title: added.title, text: added.message })
    },
  })
  useDraft(draftKey, form.values, base)

  const { required_workers: workers, payable_amount: pay, task_title, task_detail, category } = form.values
  const shownCategory = category || guessCategory(task_title, task_detail)
  const cost = calculateCost(workers, pay, site?.feePercent ?? 0)
  return (
    <div className="grid grid-cols-1 items-start gap-5 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
      <form {...form.props} id="add-task" className="card space-y-5 p-5 sm:p-6">
        <TextInput
          label={t`Task title`}
          placeholder={t`Transcribe a two-minute voice note`}
          required
          maxLength={TITLE_MAX}
          {...form.field('task_title')}
        />
        <Textarea
          label={t`Task details`}
          placeholder={t`What to do, step by step`}
          required
          autosize
          minRows={4}
          maxRows={16}
          {...form.field('task_detail')}
        />
        <NativeSelect
          label={t`Category`}
          description={
            category === ''
              ? t`Suggested from your title and details. Workers filter by it.`
              : t`Workers filter by it.`
          }
          data={CATEGORY_OPTIONS}
          {...form.field('category')}
          value={shownCategory}
        />
        <div className="grid gap-5 @xl:grid-cols-3">
          <NumberInput
            label={t`Required workers`}
            required
            {...WHOLE_NUMBER_PROPS}
            max={SLOTS_MAX}
            {...form.field('required_workers')}
          />
          <NumberInput
            label={t`Payable amount`}
            required
            suffix={` ${t`coins`}`}
            {...WHOLE_NUMBER_PROPS}
            max={REWARD_MAX}
            {...form.field('payable_amount')}
          />
          <CompletionDateField {...form.field('completion_date')} />
        </div>
        <Textarea
          label={t`Submission info`}
          description={t`What workers submit as proof`}
          placeholder={t`A link to the finished sheet`}
          required
          autosize
          minRows={2}
          maxRows={10}
          {...form.field('submission_info')}
        />
        <div className="grid gap-5 @xl:grid-cols-2">
          <NativeSelect
            label={t`Review within`}
            description={t`Work you do not review in time is paid automatically`}
            data={reviewChoices(site?.reviewDays ?? REVIEW_DAYS, form.values.review_hours)}
            {...form.field('review_hours')}
          />
          <NativeSelect
            label={t`Time per worker`}
            description={t`How long a worker may hold a slot before submitting`}
            data={reservationChoices(form.values.reservation_minutes)}
            {...form.field('reservation_minutes')}
          />
        </div>
        <TaskPictureField {...form.field('task_image_url')} category={shownCategory} upload={upload} />
        <div className="border-t border-line pt-5">
          <AudienceFields
            values={form.values.audience}
            errors={form.errors}
            onChange={form.field('audience').onChange}
          />
        </div>
      </form>
      <div className="space-y-4 @2xl:sticky @2xl:top-[100px]">
        <CostSummary cost={cost} workers={workers} pay={pay} balance={user.coin} spendable={user.spendable} />
        <FormError message={form.submitError} />
        {isUploading && <UploadNotice />}
        <Button
          type="submit"
          form="add-task"
          size="lg"
          fullWidth
          disabled={isUploading}
          loading={form.isSubmitting}
        >
          {t`Add Task`}
        </Button>
        <SaveDraft
          values={form.values}
          draft={draft}
          base={base}
          onBase={setBase}
          draftKey={draftKey}
          isDisabled={isUploading || form.isSubmitting}
          isPosted={() => isPosted.current}
          unknownAttempt={form.unknownAttempt}
        />
      </div>
    </div>
  )
}
