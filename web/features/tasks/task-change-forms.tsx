import { t } from '@lingui/core/macro'
import { NumberInput, TextInput, type TextInputProps } from '@mantine/core'
import * as z from 'zod/mini'
import { SLOTS_MAX } from '#contract/product.ts'
import { Day } from '#contract/shapes.ts'
import { addSlots, moveDeadline, reopenTask, type Task, type TaskDetails } from '#contract/tasks.ts'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { type Close, CostOfAction, closeAfter, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { useSite } from '#web/features/site/site.ts'
import { type Cost, calculateCost, workText } from '#web/features/tasks/task-cost.ts'
import { callOnce } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'

const SlotsForm = z.object({
  slots: z.int(t`Enter a whole number`).check(z.minimum(1, t`At least 1`), z.maximum(SLOTS_MAX)),
})
const DateForm = z.object({ completion_date: z.pipe(z.string(t`Choose a completion date`), Day) })

/** Renders the form that adds slots to an open task, with their cost. */
export function AddSlotsForm({ task, close }: { task: Task; close: Close }) {
  const site = useSite()
  const form = useForm({
    // Once the task is shown with more slots, adding the same number is another change.
    attemptName: `add-slots ${task._id} ${task.required_workers}`,
    schema: SlotsForm,
    initialValues: { slots: 1 as number | '' },
    submit: (body, attempt) =>
      closeAfter(close, () => callOnce(addSlots, { params: { id: task._id }, body }, attempt)),
  })
  const { slots } = form.values
  const cost = calculateCost(slots, task.payable_amount, site?.feePercent ?? 0)
  return (
    <DialogForm form={form} submitLabel={t`Add workers`} close={close}>
      <NumberInput
        label={t`Workers to add`}
        required
        data-autofocus
        {...WHOLE_NUMBER_PROPS}
        max={SLOTS_MAX}
        {...form.field('slots')}
      />
      <CostOfChange workers={Number(slots)} pay={task.payable_amount} cost={cost} />
    </DialogForm>
  )
}

/** Renders the form that moves the deadline of an open task. */
export function DeadlineForm({ task, close }: { task: Pick<Task, '_id' | 'completion_date'>; close: Close }) {
  const form = useForm({
    schema: DateForm,
    initialValues: { completion_date: task.completion_date },
    submit: (body, attempt) =>
      closeAfter(close, () => callOnce(moveDeadline, { params: { id: task._id }, body }, attempt)),
  })
  return (
    <DialogForm form={form} submitLabel={t`Change deadline`} close={close}>
      <CompletionDate {...form.field('completion_date')} />
      <p className="text-sm text-dim">{t`Changing the deadline costs nothing.`}</p>
    </DialogForm>
  )
}

/** Renders the form that reopens a closed task, with the cost of its free slots. */
export function ReopenForm({ task, close }: { task: TaskDetails; close: Close }) {
  const today = useSite()?.today ?? ''
  const { restorable_slots: slots, payable_amount: pay } = task
  const form = useForm({
    schema: DateForm,
    initialValues: { completion_date: task.completion_date < today ? '' : task.completion_date },
    submit: (body, attempt) =>
      closeAfter(close, () => callOnce(reopenTask, { params: { id: task._id }, body }, attempt)),
  })
  return (
    <DialogForm form={form} submitLabel={t`Reopen task`} close={close}>
      <CompletionDate {...form.field('completion_date')} />
      {slots > 0 ? (
        <CostOfChange workers={slots} pay={pay} cost={calculateCost(slots, pay, 0)} />
      ) : (
        <p className="text-sm text-dim">{t`All slots are taken. Reopening costs nothing; you can then add workers.`}</p>
      )}
    </DialogForm>
  )
}

/** Renders the field of the last day of a task, today or later. `field` binds it to its form. */
function CompletionDate(field: TextInputProps) {
  return (
    <TextInput
      label={t`Completion date`}
      description={t`The last day on which workers can submit`}
      type="date"
      required
      data-autofocus
      min={useSite()?.today}
      {...field}
    />
  )
}

type CostProps = { workers: number; pay: number; cost: Cost | null }

function CostOfChange({ workers, pay, cost }: CostProps) {
  return (
    <CostOfAction total={cost?.total ?? 0}>
      <CostLine label={cost ? workText(workers, pay) : t`Workers × pay`}>
        {formatCoins(cost?.work ?? 0)}
      </CostLine>
      {cost && cost.fee > 0 && <CostLine label={t`Marketplace fee`}>{formatCoins(cost.fee)}</CostLine>}
    </CostOfAction>
  )
}
