import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPayments, paymentTotals } from '#contract/payments.ts'
import { decideRefund, listRefunds, type Refund } from '#contract/refunds.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call } from '#web/lib/api.ts'
import { formatDollars } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useChange } from '#web/lib/use-change.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { confirm } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toasts.tsx'

const STATUSES = { waiting: t`Needs approval`, refunding: t`In progress` } as const

/** Renders the refunds that wait for another Admin or for the card processor; nothing without any. */
export function OpenRefunds() {
  const { data = [], isLoading } = useQuery(queryOf(listRefunds, {}))
  const open = data.flatMap((refund) =>
    refund.status === 'waiting' || refund.status === 'refunding'
      ? [{ refund, label: STATUSES[refund.status] }]
      : [],
  )
  // The buttons of a decided refund are removed.
  const section = useFocusRecovery<HTMLElement>(
    isLoading ? undefined : open.map(({ refund }) => `${refund._id} ${refund.status}`).join(),
  )
  if (isLoading) return <ListSkeleton rows={1} />
  if (open.length === 0) return null
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="open-refunds"
      className="card mb-6 p-5 outline-none"
    >
      <h2 id="open-refunds" className="mb-2 text-lg">{t`Open refunds`}</h2>
      <ul className="divide-y divide-line">
        {open.map(({ refund, label }) => (
          <li key={refund._id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <RefundDetails refund={refund} label={label} />
            {refund.status === 'waiting' && <Decisions refund={refund} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function RefundDetails({ refund, label }: { refund: Refund; label: string }) {
  const amount = formatDollars(refund.amount)
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Trans>
          <span className="font-number tabular-nums">{amount}</span> to{' '}
          <UserLink id={refund.buyerId} name={refund.buyer} />
        </Trans>
        <StatusBadge tone="warning">{label}</StatusBadge>
      </p>
      <p className="wrap-anywhere">{refund.reason}</p>
      <p className="text-xs wrap-anywhere text-dim">
        <UserLink id={refund.requestedById} name={refund.requestedBy} />, {formatDateTime(refund.date)} ·{' '}
        <CopyableText value={refund.transactionId} name={t`transaction ID`} />
      </p>
    </div>
  )
}

function Decisions({ refund }: { refund: Refund }) {
  const { amount, buyer, buyerId } = refund
  const { _id: viewerId } = useUserData()
  const { change, pendingId } = useChange([listPayments, paymentTotals, listRefunds])
  const [chosen, setChosen] = useState<'approve' | 'cancel' | null>(null)
  const pending = pendingId === null ? null : chosen

  async function decide(decision: 'approve' | 'cancel'): Promise<void> {
    setChosen(decision)
    await change(refund._id, () => call(decideRefund, { params: { id: refund._id }, body: { decision } }))
    void toast({
      message: decision === 'approve' ? t`The refund was approved.` : t`The refund was cancelled.`,
    })
  }

  async function approve(): Promise<void> {
    const confirmed = await confirm({
      title: t`Refund ${{ amount: formatDollars(amount) }} to ${buyer}?`,
      text: t`The card processor returns the money to the card, and coins are deducted in proportion. Coins that ${buyer} has already spent become a debt.`,
      confirmLabel: t`Approve refund`,
      danger: true,
    })
    if (confirmed) attempt('approve')
  }

  const attempt = (decision: 'approve' | 'cancel') =>
    void showFailure(t`Could not save your decision`, decide(decision))

  return (
    <div className="flex flex-wrap gap-3">
      {buyerId !== viewerId && (
        <Button
          size="compact-md"
          loading={pending === 'approve'}
          disabled={pending !== null}
          onClick={() => void approve()}
        >
          <Trans>
            Approve<span className="sr-only"> the refund to {buyer}</span>
          </Trans>
        </Button>
      )}
      <Button
        size="compact-md"
        variant="default"
        loading={pending === 'cancel'}
        disabled={pending !== null}
        onClick={() => attempt('cancel')}
      >
        <Trans>
          Cancel<span className="sr-only"> the refund to {buyer}</span>
        </Trans>
      </Button>
    </div>
  )
}
