import { Button, Checkbox } from '@mantine/core'
import type { WithdrawalRequest } from '#contract/withdrawals.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ClaimStatus } from '#web/features/payouts/claim-status.tsx'
import { RiskSummary } from '#web/features/risk/risk-summary.tsx'
import { CoinProvenance } from '#web/features/withdrawals/coin-provenance.tsx'
import type { useWithdrawalDecisions } from '#web/features/withdrawals/use-withdrawal-decisions.tsx'
import { WithdrawalStatusBadge } from '#web/features/withdrawals/withdrawal-status.tsx'
import { formatDay, formatDollars, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconCheck, IconX } from '#web/ui/icons.ts'
import { WRAPPING_LABEL } from '#web/ui/wrapping-label.ts'

type Props = {
  request: WithdrawalRequest
  viewerId: string
  busy: boolean
  /** Whether the request is selected for a batch. */
  selected: boolean
  select: (isSelected: boolean) => void
  actions: ReturnType<typeof useWithdrawalDecisions>
}

/** Renders a withdrawal request with the source of its coins, who has it, and buttons to pay or decline it. */
export function WithdrawalRequestCard({ request, viewerId, busy, selected, select, actions }: Props) {
  const step = stepOf(request, viewerId)
  return (
    <article className="card flex h-full flex-col gap-4 p-5 sm:p-6">
      <div className="flex flex-wrap items-start gap-3">
        {isSelectable(request, viewerId) && (
          <Checkbox
            className="mt-2.5"
            aria-label={`Select the request by ${request.workerName}`}
            checked={selected}
            onChange={(event) => select(event.currentTarget.checked)}
          />
        )}
        <Avatar name={request.workerName} size={42} />
        <div className="min-w-0 flex-1 basis-24 leading-snug">
          <h2 className="text-base tracking-normal font-number">{request.workerName}</h2>
          <p className="truncate text-sm text-dim">{request.workerEmail}</p>
        </div>
        <div className="ml-auto shrink-0 text-right">
          <p className="text-xl font-heading tabular-nums">{formatDollars(request.withdrawal_amount)}</p>
          <CoinAmount value={request.withdrawalCoin} className="text-sm" />
        </div>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <div>
          <dt className="text-xs text-dim">{PAYMENT_SYSTEM_NAMES[request.payment_system]}</dt>
          <dd className="font-nav select-all">{request.account}</dd>
        </div>
        <div>
          <dt className="text-xs text-dim">Requested</dt>
          <dd className="font-nav">{formatDay(request.formatted)}</dd>
        </div>
        {request.status !== 'pending' && (
          <div>
            <dt className="text-xs text-dim">Status</dt>
            <dd>
              <WithdrawalStatusBadge status={request.status} />
            </dd>
          </div>
        )}
        {request.reason !== '' && (
          <div>
            <dt className="text-xs text-dim">Reason</dt>
            <dd>{request.reason}</dd>
          </div>
        )}
      </dl>
      <CoinProvenance origin={request.origin} />
      {request.risk && <RiskSummary request={request} risk={request.risk} />}
      {request.status === 'pending' && (
        <ClaimStatus
          request={request}
          viewerId={viewerId}
          busy={busy}
          release={() => void actions.release(request)}
          takeOver={() => void actions.takeOver(request)}
        />
      )}
      {step !== null && (
        <div className="mt-auto flex flex-wrap justify-end gap-3">
          <Button
            variant="default"
            className="max-sm:grow"
            classNames={WRAPPING_LABEL}
            px={{ base: 12, sm: 22 }}
            disabled={busy}
            leftSection={<IconX size={18} aria-hidden />}
            onClick={() => void actions.decline(request)}
          >
            Decline<span className="sr-only"> request by {request.workerName}</span>
          </Button>
          <Button
            className="max-sm:grow"
            classNames={WRAPPING_LABEL}
            px={{ base: 12, sm: 22 }}
            loading={busy}
            leftSection={<IconCheck size={18} aria-hidden />}
            onClick={() => void actions[step](request)}
          >
            {step === 'pay' ? 'Payment Success' : 'Check payment'}
            <span className="sr-only"> for {request.workerName}</span>
          </Button>
        </div>
      )}
    </article>
  )
}

/** The next step of a pending request by this Admin; null when another one has it, or a batch. */
function stepOf({ status, payout, twoPeople }: WithdrawalRequest, viewerId: string): 'pay' | 'check' | null {
  if (status !== 'pending') return null
  if (payout === undefined || payout.state === 'failed') return twoPeople ? 'check' : 'pay'
  if (payout.state !== 'queued' || !payout.single) return null
  const isMine = payout.claimedBy?._id === viewerId
  if (!twoPeople) return isMine ? 'pay' : null
  // The first Admin has checked it; the second one pays.
  return isMine === (payout.checkedBy !== null) ? 'pay' : null
}

/** Whether this Admin can put the request into a batch. */
export function isSelectable({ status, payout }: WithdrawalRequest, viewerId: string): boolean {
  if (status !== 'pending') return false
  if (payout === undefined || payout.state === 'failed') return true
  return payout.state === 'queued' && payout.single && payout.claimedBy?._id === viewerId
}
