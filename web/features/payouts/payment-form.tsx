import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import type { Payout } from '#contract/payouts.ts'
import { TRANSACTION_ID_MAX } from '#contract/withdrawals.ts'
import { formatTakaRate } from '#web/features/exchange-rates/format-taka-rate.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCents, formatCoins, formatTaka, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.tsx'
import { CopyValue } from '#web/ui/copy-value.tsx'
import { showDialog, useDialogLock } from '#web/ui/dialogs.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'

const Form = z.object({ transactionId: z.string().check(z.trim(), z.maxLength(TRANSACTION_ID_MAX)) })

type Payment = {
  payout: Pick<
    Payout,
    '_id' | 'workerName' | 'payment_system' | 'accountNumber' | 'coins' | 'cents' | 'poisha'
  >
  /** Taka for one dollar; null where nothing is paid in taka. */
  rate: string | null
  /** Sends the confirmation with the transaction id, which may be empty. What it throws is shown, and the dialog stays. */
  submit: (transactionId: string) => Promise<unknown>
}

/** Shows what to pay, and asks for the confirmation that it was paid. Resolves to whether it was saved. */
export async function confirmPayment(payment: Payment): Promise<boolean> {
  const saved = await showDialog<true>({
    title: t`Mark ${{ amount: formatCents(payment.payout.cents) }} as paid?`,
    content: (close) => <PaymentForm {...payment} close={close} />,
  })
  return saved === true
}

/** Renders what to pay, with copy buttons, and a field for the transaction id, which is a draft until it is sent. */
function PaymentForm({ payout, rate, submit, close }: Payment & { close: (saved: true | null) => void }) {
  const { userData } = useSession()
  const { coins, cents, poisha } = payout
  const dollars = formatCents(cents)
  const draftKey = `payment ${payout._id} ${userData?._id}`
  const form = useForm({
    schema: Form,
    about: draftKey,
    initialValues: readDraft(draftKey, { transactionId: '' }),
    submit: async ({ transactionId }) => {
      await submit(transactionId)
      deleteDraft(draftKey)
      close(true)
    },
  })
  useDraft(draftKey, form.values)
  useDialogLock(form.isSubmitting)
  return (
    <form {...form.props} className="space-y-4">
      <p className="text-dim">
        {t`Send the money, then confirm. ${{ coins: formatCoins(coins) }} of ${{ worker: payout.workerName }} are then paid out. This cannot be undone.`}
      </p>
      <dl className="divide-y divide-line rounded-control bg-canvas px-4 text-sm">
        <Line
          name={PAYMENT_SYSTEM_NAMES[payout.payment_system]}
          value={payout.accountNumber}
          copies={t`number`}
        />
        {poisha === null || rate === null ? (
          <Line name={t`Amount`} value={dollars} copied={(cents / 100).toFixed(2)} copies={t`amount`} />
        ) : (
          <Line
            name={t`${dollars} at ${{ rate: formatTakaRate(rate) }} per dollar`}
            value={formatTaka(poisha)}
            copied={(poisha / 100).toFixed(2)}
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
      <FormActions>
        <Button variant="default" data-autofocus disabled={form.isSubmitting} onClick={() => close(null)}>
          {t`Not yet`}
        </Button>
        <Button type="submit" loading={form.isSubmitting}>
          {t`Payment Success`}
        </Button>
      </FormActions>
    </form>
  )
}

type LineProps = { name: string; value: string; copies: string; copied?: string }

function Line({ name, value, copies, copied = value }: LineProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-2.5">
      <div className="min-w-[min(100%,9rem)] flex-1">
        <dt className="text-xs text-dim">{name}</dt>
        <dd className="font-number break-words select-all">{value}</dd>
      </div>
      <CopyValue value={copied} name={copies} />
    </div>
  )
}
