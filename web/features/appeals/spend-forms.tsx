import { Button, NumberInput, Textarea } from '@mantine/core'
import * as z from 'zod/mini'
import { REWARD_MAX } from '#contract/product.ts'
import { text } from '#contract/shapes.ts'
import { payBonus, REASON_MAX } from '#contract/submissions.ts'
import { CostLine } from '#web/features/tasks/cost-summary.tsx'
import { type Close, closeAfter, DialogActions } from '#web/features/tasks/task-change-forms.tsx'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'

const Nothing = z.object({})
const BonusBody = z.object({
  coins: z.int('Enter a whole number').check(z.minimum(1, 'At least 1'), z.maximum(REWARD_MAX)),
  message: z.union([z.literal(''), text(REASON_MAX)]),
})

type FixedProps = {
  coins: number
  text: string
  submitLabel: string
  send: (attempt: { idempotencyKey: string }) => Promise<unknown>
  close: Close
}

/** Renders the confirmation of an action with a fixed cost, with the balance afterwards. */
export function FixedCostForm({ coins, text, submitLabel, send, close }: FixedProps) {
  const form = useForm({
    schema: Nothing,
    initialValues: {},
    submit: (_, attempt) => closeAfter(close, () => send(attempt)),
  })
  return (
    <form {...form.props} className="space-y-4">
      <p>{text}</p>
      <Cost coins={coins} />
      <FormError message={form.submitError} />
      <DialogActions close={close}>
        <Button type="submit" loading={form.isSubmitting}>
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Renders the form to pay a bonus for approved work. */
export function BonusForm({ submissionId, close }: { submissionId: string; close: Close }) {
  const form = useForm({
    schema: BonusBody,
    initialValues: { coins: '' as number | '', message: '' },
    submit: ({ coins, message }, { idempotencyKey }) =>
      closeAfter(close, () =>
        call(
          payBonus,
          { params: { id: submissionId }, body: { coins, ...(message !== '' && { message }) } },
          { idempotencyKey },
        ),
      ),
  })
  return (
    <form {...form.props} className="space-y-4">
      <NumberInput
        label="Coins"
        required
        data-autofocus
        min={1}
        max={REWARD_MAX}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        inputMode="numeric"
        {...form.field('coins')}
      />
      <Textarea
        label="Message"
        description="Optional. The worker sees it."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={REASON_MAX}
        {...form.field('message')}
      />
      <Cost coins={Number(form.values.coins)} />
      <FormError message={form.submitError} />
      <DialogActions close={close}>
        <Button type="submit" loading={form.isSubmitting}>
          Pay bonus
        </Button>
      </DialogActions>
    </form>
  )
}

function Cost({ coins }: { coins: number }) {
  const { coin } = useUserData()
  const remaining = coin - coins
  return (
    <dl
      className="space-y-2 rounded-control bg-canvas px-4 py-3 text-sm"
      aria-label="Cost"
      aria-live="polite"
      aria-atomic="true"
    >
      <CostLine label="Cost">{formatCoins(coins)}</CostLine>
      <CostLine label={remaining < 0 ? 'Coins missing' : 'Balance afterwards'}>
        <span className={remaining < 0 ? 'text-danger' : ''}>{formatCoins(Math.abs(remaining))}</span>
      </CostLine>
    </dl>
  )
}
