import { Button, NumberInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { SLOTS_MAX } from '#contract/product.ts'
import { Day } from '#contract/shapes.ts'
import { addSlots, moveDeadline, reopenTask, type Task, type TaskDetails } from '#contract/tasks.ts'
import { useSite } from '#web/features/site/site.ts'
import { CostLine } from '#web/features/tasks/cost-summary.tsx'
import { type Cost, calculateCost } from '#web/features/tasks/task-cost.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins, formatNumber, pluralize } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'

/** `unaffordable`: the balance is too small for the change. */
export type ChangeResult = 'done' | 'unaffordable'
export type Close = (result: ChangeResult | null) => void

const SlotsForm = z.object({
  slots: z.int('Enter a whole number').check(z.minimum(1, 'At least 1'), z.maximum(SLOTS_MAX)),
})
const DateForm = z.object({ completion_date: z.pipe(z.string('Choose a completion date'), Day) })

/** Renders the form that adds slots to an open task, with their cost. */
export function AddSlotsForm({ task, close }: { task: Task; close: Close }) {
  const site = useSite()
  const form = useForm({
    schema: SlotsForm,
    initialValues: { slots: 1 as number | '' },
    submit: (body, { idempotencyKey }) =>
      closeAfter(close, () => call(addSlots, { params: { id: task._id }, body }, { idempotencyKey })),
  })
  const { slots } = form.values
  const cost = calculateCost(slots, task.payable_amount, site?.feePercent ?? 0)
  return (
    <form {...form.props} className="space-y-4">
      <NumberInput
        label="Workers to add"
        required
        data-autofocus
        min={1}
        max={SLOTS_MAX}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        inputMode="numeric"
        {...form.field('slots')}
      />
      <CostOfChange workers={Number(slots)} pay={task.payable_amount} cost={cost} />
      <FormError message={form.submitError} />
      <DialogActions close={close}>
        <Button type="submit" loading={form.isSubmitting}>
          Add workers
        </Button>
      </DialogActions>
    </form>
  )
}

/** Renders the form that moves the deadline of an open task. */
export function DeadlineForm({ task, close }: { task: Task; close: Close }) {
  const site = useSite()
  const form = useForm({
    schema: DateForm,
    initialValues: { completion_date: task.completion_date },
    submit: (body, { idempotencyKey }) =>
      closeAfter(close, () => call(moveDeadline, { params: { id: task._id }, body }, { idempotencyKey })),
  })
  return (
    <form {...form.props} className="space-y-4">
      <TextInput
        label="Completion date"
        description="The last day on which workers can submit"
        type="date"
        required
        data-autofocus
        min={site?.today}
        {...form.field('completion_date')}
      />
      <FormError message={form.submitError} />
      <DialogActions close={close}>
        <Button type="submit" loading={form.isSubmitting}>
          Change deadline
        </Button>
      </DialogActions>
    </form>
  )
}

/** Renders the form that reopens a closed task, with the cost of its free slots. */
export function ReopenForm({ task, close }: { task: TaskDetails; close: Close }) {
  const today = useSite()?.today ?? ''
  const { restorable_slots: slots, payable_amount: pay } = task
  const form = useForm({
    schema: DateForm,
    initialValues: { completion_date: task.completion_date < today ? '' : task.completion_date },
    submit: (body, { idempotencyKey }) =>
      closeAfter(close, () => call(reopenTask, { params: { id: task._id }, body }, { idempotencyKey })),
  })
  return (
    <form {...form.props} className="space-y-4">
      <TextInput
        label="Completion date"
        description="The last day on which workers can submit"
        type="date"
        required
        data-autofocus
        min={today}
        {...form.field('completion_date')}
      />
      {slots > 0 ? (
        <CostOfChange workers={slots} pay={pay} cost={calculateCost(slots, pay, 0)} />
      ) : (
        <p className="text-sm text-dim">
          All slots are taken. Reopening costs nothing; you can then add workers.
        </p>
      )}
      <FormError message={form.submitError} />
      <DialogActions close={close}>
        <Button type="submit" loading={form.isSubmitting}>
          Reopen task
        </Button>
      </DialogActions>
    </form>
  )
}

/** Closes the dialog after a change, also when the balance is too small for it. Other errors are shown in the form. */
export async function closeAfter(close: Close, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
    close('done')
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'insufficient_coins')) throw error
    close('unaffordable')
  }
}

type CostProps = { workers: number; pay: number; cost: Cost | null }

function CostOfChange({ workers, pay, cost }: CostProps) {
  const { coin } = useUserData()
  const remaining = coin - (cost?.total ?? 0)
  return (
    <dl
      className="space-y-2 rounded-control bg-canvas px-4 py-3 text-sm"
      aria-label="Cost"
      aria-live="polite"
      aria-atomic="true"
    >
      <CostLine label={cost ? `${pluralize(workers, 'worker')} × ${formatNumber(pay)}` : 'Workers × pay'}>
        {formatCoins(cost?.work ?? 0)}
      </CostLine>
      {cost && cost.fee > 0 && <CostLine label="Marketplace fee">{formatCoins(cost.fee)}</CostLine>}
      <CostLine label={remaining < 0 ? 'Coins missing' : 'Balance afterwards'}>
        <span className={remaining < 0 ? 'text-danger' : ''}>{formatCoins(Math.abs(remaining))}</span>
      </CostLine>
    </dl>
  )
}

export function DialogActions({ close, children }: { close: Close; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button variant="default" onClick={() => close(null)}>
        Cancel
      </Button>
      {children}
    </div>
  )
}
