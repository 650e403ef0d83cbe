import { t } from '@lingui/core/macro'
import { Textarea, TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import type { AdminPayment } from '#contract/payments.ts'
import { requestRefund } from '#contract/refunds.ts'
import { text } from '#contract/shapes.ts'
import { type Close, closeAfter, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { callOnce } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatDollars } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'

type Props = { payment: AdminPayment; close: Close }

/** Renders the form of a refund: the amount, by default everything that is left, and the reason. */
export function RefundForm({ payment, close }: Props) {
  const { _id: userId } = useUserData()
  // Once the payment is shown with more refunded, the same amount is another refund.
  const name = `refund ${userId} ${payment.transactionId} ${payment.returned.price}`
  const left = Math.round((payment.price - payment.returned.price) * 100) / 100
  const form = useForm({
    attemptName: name,
    schema: z.object({
      amount: z.string().check(
        z.refine(
          (typed) => {
            const amount = Number(typed)
            return /^\d+(\.\d{1,2})?$/.test(typed) && amount > 0 && amount <= left
          },
          t`Enter an amount up to ${{ amount: formatDollars(left) }}`,
        ),
      ),
      reason: text(2_000, t`Enter a reason for the audit log`),
    }),
    initialValues: readDraft(name, { amount: left.toFixed(2), reason: '' }),
    submit: async ({ amount, reason }, attempt) => {
      const { transactionId } = payment
      const body = { amount: Number(amount), reason }
      await closeAfter(close, async () => {
        const outcome = await callOnce(requestRefund, { params: { transactionId }, body }, attempt)
        deleteDraft(name)
        return outcome
      })
    },
  })
  useDraft(name, form.values)
  return (
    <DialogForm form={form} submitLabel={t`Refund`} close={close}>
      <p className="text-sm">{t`The card processor returns the money to the card, and coins are deducted in proportion. Coins that ${{ buyer: payment.name }} has already spent become a debt.`}</p>
      <TextInput
        label={t`Amount in dollars`}
        required
        inputMode="decimal"
        autoComplete="off"
        leftSection="$"
        {...form.field('amount')}
      />
      <Textarea label={t`Reason`} required autosize minRows={2} maxLength={2000} {...form.field('reason')} />
    </DialogForm>
  )
}
