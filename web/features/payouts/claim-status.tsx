import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
  const batchPath = `/dashboard/payouts/${payout.batchId}`
  if (payout.state === 'failed') {
    return (
      <p className="text-sm">
        <StatusBadge tone="error">{t`Payment failed`}</StatusBadge> {payout.failure}
      </p>
    )
  }
  if (payout.state !== 'queued') {
    return (
      <p className="text-sm text-dim">
        <StatusBadge tone="warning">{payout.state === 'unknown' ? t`Outcome unknown` : t`Sent`}</StatusBadge>{' '}
        <Trans>
          in a{' '}
          <Link to={batchPath} className="link">
            payout batch
          </Link>
        </Trans>
      </p>
    )
  }
  if (!payout.single) {
    return (
      <p className="text-sm text-dim">
        {payout.claimedBy === null ? (
          <Trans>
            In a{' '}
            <Link to={batchPath} className="link">
              payout batch
            </Link>
          </Trans>
        ) : (
          <Trans>
            In a{' '}
            <Link to={batchPath} className="link">
              payout batch
            </Link>{' '}
            of <UserLink id={payout.claimedBy._id} name={payout.claimedBy.name} />
          </Trans>
        )}
      </p>
    )
  }
  const isMine = payout.claimedBy?._id === viewerId
  const time = formatTimeAgo(payout.claimedAt)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
      <p className="text-dim">
        {isMine || payout.claimedBy === null ? (
          <Trans>You took this request {time}</Trans>
        ) : (
          <Trans>
            <UserLink id={payout.claimedBy._id} name={payout.claimedBy.name} /> took this request {time}
          </Trans>
        )}
        {payout.checkedBy !== null && (
          <Trans>
            , checked by <UserLink id={payout.checkedBy._id} name={payout.checkedBy.name} />
          </Trans>
        )}
      </p>
      <Button variant="default" size="xs" disabled={busy} onClick={isMine ? release : takeOver}>
        {isMine ? (
          <Trans>
            Release<span className="sr-only"> the request by {workerName}</span>
          </Trans>
        ) : (
          <Trans>
            Take over<span className="sr-only"> the request by {workerName}</span>
          </Trans>
        )}
      </Button>
    </div>
  )
}
