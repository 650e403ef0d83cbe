import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type AdminPayment, listPayments, paymentTotals } from '#contract/payments.ts'
import { listRefunds } from '#contract/refunds.ts'
import { type ChangeResult, showReplayed } from '#web/features/coins/spend-dialog.tsx'
import { RefundForm } from '#web/features/payments/refund-form.tsx'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { showDialog } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** Returns whether something is left of a payment that can be refunded. A disputed one cannot. */
export function isRefundable({ status, returned, price }: AdminPayment): boolean {
  return status !== 'Disputed' && returned.price < price
}

/** Renders the button that refunds a payment. */
export function RefundButton({ payment }: { payment: AdminPayment }) {
  const queryClient = useQueryClient()
  const { name } = payment
  const refund = async () => {
    const result = await showDialog<ChangeResult>({
      title: t`Refund ${name}`,
      content: (close) => <RefundForm payment={payment} close={close} />,
    })
    // Also without a result: a request without a response may have refunded it.
    await invalidateEndpoints(queryClient, [listPayments, paymentTotals, listRefunds])
    if (result === 'done') void toast({ message: t`The refund was saved.` })
    if (result === 'replayed') await showReplayed()
  }
  return (
    <Button size="compact-md" variant="default" onClick={() => void refund()}>
      <Trans>
        Refund<span className="sr-only"> to {name}</span>
      </Trans>
    </Button>
  )
}
