import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { cardBrandName } from '#contract/card-brands.ts'
import { listUnmatchedPayments, type UnmatchedPayment } from '#contract/unmatched-payments.ts'
import { disputeLabel } from '#web/features/payments/dispute-texts.ts'
import { useUnmatchedDecisions } from '#web/features/payments/use-unmatched-decisions.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useUserData } from '#web/lib/session.tsx'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const CAUSES: Record<UnmatchedPayment['cause'], string> = {
  no_purchase: t`This payment is not in the database, for example after a backup was restored.`,
  order_differs: t`This payment does not match its order.`,
}
const STATUSES = {
  open: { label: t`Open`, tone: 'warning' },
  waiting: { label: t`Needs approval`, tone: 'warning' },
  credited: { label: t`Credited`, tone: 'success' },
  refunding: { label: t`Refund in progress`, tone: 'warning' },
  refunded: { label: t`Refunded`, tone: 'neutral' },
} as const

/** Renders the paid card payments that credited nothing. An Admin credits or refunds each. */
export default function UnmatchedPayments() {
  const { data: payments } = useSuspenseQuery(queryOf(listUnmatchedPayments, {}))
  const { pendingId, ...decisions } = useUnmatchedDecisions()
  return (
    <Screen title={t`Unmatched Payments`} subtitle={t`Card payments that were received but not credited`}>
      {payments.length === 0 ? (
        <EmptyState title={t`No unmatched payments.`}>
          {t`Every card payment that was received has been credited.`}
        </EmptyState>
      ) : (
        <ul aria-label={t`Unmatched payments`} className="grid grid-cols-1 gap-4 @4xl:grid-cols-2">
          {payments.map((payment) => (
            <li key={payment._id}>
              <UnmatchedPaymentCard
                payment={payment}
                busy={pendingId === payment._id}
                decisions={decisions}
              />
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

type Decisions = Omit<ReturnType<typeof useUnmatchedDecisions>, 'pendingId'>
type CardProps = { payment: UnmatchedPayment; busy: boolean; decisions: Decisions }

function UnmatchedPaymentCard({ payment, busy, decisions }: CardProps) {
  const { cause, price, refunded, currency, date, card, buyer, status, requested, decision, transactionId } =
    payment
  const { label, tone } = STATUSES[status]
  // The buttons change with the status.
  const article = useFocusRecovery<HTMLElement>(status)
  return (
    <article ref={article} tabIndex={-1} className="card flex h-full flex-col gap-3 p-5 outline-none">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg tabular-nums">
            {currency === 'usd' ? formatDollars(price) : `${price} ${currency.toUpperCase()}`}
          </h2>
          <p className="text-sm text-dim">
            {buyer === null ? (
              t`Unknown buyer`
            ) : (
              <>
                <UserLink id={buyer._id} name={buyer.name} />, {buyer.email}
              </>
            )}
          </p>
        </div>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </div>
      <p className="text-sm">{CAUSES[cause]}</p>
      <p className="text-xs break-all text-dim">
        {formatDateTime(date)}
        {card && ` · ${cardBrandName(card.brand)} •••• ${card.last4}`} ·{' '}
        <CopyableText value={transactionId} name={t`transaction ID`} />
      </p>
      {refunded > 0 && <p className="text-sm">{t`${{ amount: formatDollars(refunded) }} was refunded.`}</p>}
      {payment.fraudWarningAt !== null && (
        <p className="text-sm">{t`The card network suspects fraud. A refund now prevents a dispute.`}</p>
      )}
      {payment.disputes.map(({ amount, status: state, respondBy, _id }) => (
        <p key={_id} className="text-sm">
          {t`Dispute over ${{ amount: formatDollars(amount) }}: ${{ status: disputeLabel(state) }}.`}{' '}
          {respondBy !== null &&
            needsResponse(state) &&
            t`Submit evidence by ${{ time: formatDateTime(respondBy) }}.`}
        </p>
      ))}
      {requested !== null && (
        <p className="text-sm text-dim">
          {requested.decision === 'credit' ? (
            <Trans>
              Credit requested by{' '}
              <UserLink id={requested.adminId} name={requested.admin ?? t`a deleted Admin`} />,{' '}
              {{ time: formatDateTime(requested.date) }}
            </Trans>
          ) : (
            <Trans>
              Refund requested by{' '}
              <UserLink id={requested.adminId} name={requested.admin ?? t`a deleted Admin`} />,{' '}
              {{ time: formatDateTime(requested.date) }}
            </Trans>
          )}
        </p>
      )}
      {decision !== null && (
        <p className="text-sm text-dim">
          <UserLink id={decision.adminId} name={decision.admin ?? t`The card processor`} />,{' '}
          {formatDateTime(decision.date)}
          {decision.reason !== '' && `: ${decision.reason}`}
        </p>
      )}
      <DecisionButtons payment={payment} busy={busy} decisions={decisions} />
    </article>
  )
}

/** Returns whether the bank waits for evidence. */
const needsResponse = (status: string) => status.endsWith('needs_response')

function DecisionButtons({ payment, busy, decisions }: CardProps) {
  const { status, buyer, coins, disputes } = payment
  const isDisputed = disputes.some(({ isOpen }) => isOpen)
  const { credit, refund, approve, cancel } = decisions
  const { _id: viewerId } = useUserData()
  const isOwn = buyer?._id === viewerId
  if (status === 'waiting')
    return (
      <div className="mt-auto flex flex-wrap gap-3">
        {!isOwn && <Button loading={busy} onClick={() => void approve(payment)}>{t`Approve`}</Button>}
        <Button variant="default" loading={busy} onClick={() => void cancel(payment)}>
          {t`Cancel the request`}
        </Button>
      </div>
    )
  if (isOwn || (status !== 'open' && status !== 'refunding')) return null
  return (
    <div className="mt-auto flex flex-wrap gap-3">
      {status === 'open' && buyer !== null && coins !== null && (
        <Button loading={busy} onClick={() => void credit(payment)}>
          {t`Credit ${{ coins: formatCoins(coins) }}`}
        </Button>
      )}
      {!isDisputed && (
        <Button variant="default" loading={busy} onClick={() => void refund(payment)}>
          {status === 'open' ? t`Refund` : t`Retry the refund`}
        </Button>
      )}
    </div>
  )
}
