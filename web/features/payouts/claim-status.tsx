import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { WithdrawalRequest } from '#contract/withdrawals.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Props = {
  request: WithdrawalRequest
  viewerId: string
  busy: boolean
  release: () => void
  takeOver: () => void
}

/** Renders who has a pending request, and what became of its last payout. Nothing for a request that nobody has. */
export function ClaimStatus({ request: { payout, workerName }, viewerId, busy, release, takeOver }: Props) {
  if (payout === undefined) return null
  const batchLink = (
    <Link to={`/dashboard/payouts/${payout.batchId}`} className="link">
      payout batch
    </Link>
  )
  if (payout.state === 'failed') {
    return (
      <p className="text-sm">
        <StatusBadge tone="error">Payment failed</StatusBadge> {payout.failure}
      </p>
    )
  }
  if (payout.state !== 'queued') {
    return (
      <p className="text-sm text-dim">
        <StatusBadge tone="warning">{payout.state === 'unknown' ? 'Outcome unknown' : 'Sent'}</StatusBadge> in
        a {batchLink}
      </p>
    )
  }
  if (!payout.single) {
    return (
      <p className="text-sm text-dim">
        In a {batchLink}
        {payout.claimedBy !== null && (
          <>
            {' '}
            of <UserLink id={payout.claimedBy._id} name={payout.claimedBy.name} />
          </>
        )}
      </p>
    )
  }
  const isMine = payout.claimedBy?._id === viewerId
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
      <p className="text-dim">
        {isMine || payout.claimedBy === null ? (
          'You'
        ) : (
          <UserLink id={payout.claimedBy._id} name={payout.claimedBy.name} />
        )}{' '}
        took this request {formatTimeAgo(payout.claimedAt)}
        {payout.checkedBy !== null && (
          <>
            , checked by <UserLink id={payout.checkedBy._id} name={payout.checkedBy.name} />
          </>
        )}
      </p>
      <Button variant="default" size="xs" disabled={busy} onClick={isMine ? release : takeOver}>
        {isMine ? 'Release' : 'Take over'}
        <span className="sr-only"> the request by {workerName}</span>
      </Button>
    </div>
  )
}
