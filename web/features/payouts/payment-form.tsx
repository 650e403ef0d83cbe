import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import { poishaOf } from '#contract/exchange-rates.ts'
import { TRANSACTION_ID_MAX, type Withdrawal } from '#contract/withdrawals.ts'
import { formatTakaRate } from '#web/features/exchange-rates/format-taka-rate.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins, formatDollars, formatTaka, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.tsx'
import { CopyValue } from '#web/ui/copy-value.tsx'
import { useDialogLock } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'

const Form = z.object({ transactionId: z.string().check(z.trim(), z.maxLength(TRANSACTION_ID_MAX)) })

type Props = {
  request: Withdrawal
  /** Taka for one dollar; null while there is none. */
  rate: string | null
  /**
   * Sends the confirmation with the transaction id, which may be empty, and the amount in taka that is shown, null for dollars
   * only. What it throws is shown, and the form stays.
   */
  submit: (transactionId: string, poisha: number | null) => Promise<unknown>
  /** Closes the dialog; null when the payment was not made. */
  close: (paid: true | null) => void
}

/** Renders what to pay, with copy buttons, and the confirmation that it was paid. A transaction id that was not sent is a draft. */
export function PaymentForm({ request, rate, submit, close }: Props) {
  const { user } = useSession()
  const dollars = formatDollars(request.withdrawal_amount)
  // Payouts to other systems are paid in dollars.
  const taka =
    rate === null || request.payment_system === 'Other'
      ? null
      : { rate: formatTakaRate(rate), poisha: poishaOf(Math.round(request.withdrawal_amount * 100), rate) }
  const draftKey = `payment ${request._id} ${user?.email}`
  const form = useForm({
    schema: Form,
    about: draftKey,
    initialValues: readDraft(draftKey, { transactionId: '' }),
    submit: async ({ transactionId }) => {
      await submit(transactionId, taka?.poisha ?? null)
      deleteDraft(draftKey)
      close(true)
    },
  })
  useDraft(draftKey, form.values)
  useDialogLock(form.isSubmitting)
  return (
    <form {...form.props} className="space-y-4">
      <p className="text-dim">
        {t`Send the money, then confirm. ${{ coins: formatCoins(request.withdrawalCoin) }} of ${{ worker: request.workerName }} are then paid out. This cannot be undone.`}
      </p>
      <dl className="divide-y divide-line rounded-control bg-canvas px-4 text-sm">
        <Line
          name={PAYMENT_SYSTEM_NAMES[request.payment_system]}
          value={request.accountNumber}
          copies={t`number`}
        />
        {taka === null ? (
          <Line
            name={t`Amount`}
            value={dollars}
            copied={request.withdrawal_amount.toFixed(2)}
            copies={t`amount`}
          />
        ) : (
          <Line
            name={t`${dollars} at ${{ rate: taka.rate }} per dollar`}
            value={formatTaka(taka.poisha)}
            copied={(taka.poisha / 100).toFixed(2)}
            copies={t`amount`}
          />
        )}
      </dl>
      <TextInput
        label={t`Transaction ID`}
        description={t`Optional, as your bank or wallet shows it`}
        autoComplete="off"
        maxLength={TRANSACTION_ID_MAX}
        {...form.field('transactionId')}
      />
      <FormError message={form.submitError} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="default" data-autofocus disabled={form.isSubmitting} onClick={() => close(null)}>
          {t`Not yet`}
        </Button>
        <Button type="submit" loading={form.isSubmitting}>
          {t`Payment Success`}
        </Button>
      </div>
    </form>
  )
}

type LineProps = { name: string; value: string; copies: string; copied?: string }

function Line({ name, value, copies, copied = value }: LineProps) {
  return (
    <div className="flex items-center justify-between gap-3 py-2.5">
      <div className="min-w-0">
        <dt className="text-xs text-dim">{name}</dt>
        <dd className="font-number break-words select-all">{value}</dd>
      </div>
      <CopyValue value={copied} name={copies} />
    </div>
  )
}
