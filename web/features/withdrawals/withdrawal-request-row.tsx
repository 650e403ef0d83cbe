import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Checkbox } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { riskText } from '#contract/risk-texts.en.ts'
import type { WithdrawalRequest } from '#contract/withdrawals.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ClaimStatus } from '#web/features/payouts/claim-status.tsx'
import { RiskSummary } from '#web/features/risk/risk-summary.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { CoinProvenance, FLAG_LABELS } from '#web/features/withdrawals/coin-provenance.tsx'
import type { useWithdrawalDecisions } from '#web/features/withdrawals/use-withdrawal-decisions.ts'
import { WithdrawalStatusBadge } from '#web/features/withdrawals/withdrawal-status.tsx'
import { formatDollars, formatNumber, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { formatDateTime, formatDay } from '#web/lib/format-time.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

type Props = {
  request: WithdrawalRequest
  viewerId: string
  busy: boolean
  /** Whether the request is selected for a batch. */
  selected: boolean
  select: (isSelected: boolean) => void
  actions: ReturnType<typeof useWithdrawalDecisions>
}

/**
 * Renders a withdrawal request as a row: to whom and where, what speaks against it, who has it, and buttons to pay or
 * decline it. Its details, the source of the coins and the reasons of the score, open below.
 */
export function WithdrawalRequestRow({ request, viewerId, busy, selected, select, actions }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const detailsId = useId()
  const step = stepOf(request, viewerId)
  const worker = request.workerName
  return (
    <article className="space-y-3 px-4 py-3.5 text-sm sm:px-5">
      <div className="grid grid-cols-[1.5rem_minmax(0,1fr)] items-start gap-x-3 gap-y-3 @4xl:grid-cols-[1.5rem_minmax(9rem,2fr)_minmax(11rem,2.5fr)_minmax(11rem,4fr)_5.5rem_17rem]">
        <div className="pt-0.5">
          {isSelectable(request, viewerId) && (
            <Checkbox
              aria-label={t`Select the request by ${worker}`}
              checked={selected}
              onChange={(event) => select(event.currentTarget.checked)}
            />
          )}
        </div>
        <div className="flex flex-wrap justify-between gap-x-3 @4xl:contents">
          <div className="min-w-0 flex-1 basis-28">
            <h2 className="text-sm leading-snug font-number tracking-normal">
              <UserLink id={request.workerId} name={request.workerName} />
            </h2>
            <p className="text-xs break-all text-dim @4xl:truncate" title={request.workerEmail}>
              {request.workerEmail}
            </p>
          </div>
          <div className="text-right whitespace-nowrap @4xl:order-1">
            <p className="font-heading tabular-nums">{formatDollars(request.withdrawal_amount)}</p>
            <CoinAmount value={request.withdrawalCoin} className="text-xs" />
          </div>
        </div>
        <div className="min-w-0 @max-4xl:col-start-2">
          <p className="font-nav">
            <CopyableText value={request.account} name={t`account of ${worker}`} />
          </p>
          <p className="text-xs text-dim">
            {t`${{ system: PAYMENT_SYSTEM_NAMES[request.payment_system] }}, requested ${{ day: formatDay(request.formatted) }}`}
          </p>
        </div>
        <div className="min-w-0 @max-4xl:col-start-2">
          <Findings request={request} isBrief={!isOpen}>
            <button
              type="button"
              className="link text-xs"
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? (
                <Trans>
                  Hide details<span className="sr-only"> of the request by {worker}</span>
                </Trans>
              ) : (
                <Trans>
                  Details<span className="sr-only"> of the request by {worker}</span>
                </Trans>
              )}
            </button>
          </Findings>
        </div>
        <div className="flex flex-wrap justify-end gap-2 @max-4xl:col-start-2 @4xl:order-2">
          {step !== null && (
            <>
              <Button
                variant="default"
                size="sm"
                className="max-sm:grow"
                disabled={busy}
                onClick={() => void actions.decline(request)}
              >
                <Trans>
                  Decline<span className="sr-only"> request by {worker}</span>
                </Trans>
              </Button>
              {!isStopped(request) && (
                <Button
                  size="sm"
                  className="max-sm:grow"
                  loading={busy}
                  onClick={() => void actions[step](request)}
                >
                  {step === 'pay' ? (
                    <Trans>
                      Payment Success<span className="sr-only"> for {worker}</span>
                    </Trans>
                  ) : (
                    <Trans>
                      Check payment<span className="sr-only"> for {worker}</span>
                    </Trans>
                  )}
                </Button>
              )}
            </>
          )}
        </div>
      </div>
      {request.status === 'pending' && request.payout && (
        <div className="pl-9">
          <ClaimStatus
            request={request}
            viewerId={viewerId}
            busy={busy}
            release={() => void actions.release(request)}
            takeOver={() => void actions.takeOver(request)}
          />
        </div>
      )}
      {isOpen && (
        <div id={detailsId} className="grid grid-cols-1 items-start gap-3 @2xl:grid-cols-2 @4xl:pl-9">
          <CoinProvenance origin={request.origin} />
          {request.risk && <RiskSummary request={request} risk={request.risk} />}
        </div>
      )}
    </article>
  )
}

type FindingsProps = { request: WithdrawalRequest; isBrief: boolean; children: ReactNode }

/**
 * Renders what an Admin should know before paying: the decision if there is one, stops, then the other flags and briefly the
 * heaviest reason. `children` follow the stops.
 */
function Findings({ request, isBrief, children }: FindingsProps) {
  const { status, reason, risk, origin, payableAt } = request
  const [heaviest] = risk?.reasons ?? []
  const others = (risk?.reasons.length ?? 0) - 1
  const flags = origin.flags.filter((flag) => flag !== 'disputed_coins').map((flag) => FLAG_LABELS[flag])
  return (
    <>
      <p className="flex flex-wrap items-center gap-1.5">
        {status !== 'pending' && <WithdrawalStatusBadge status={status} />}
        {risk && (
          <StatusBadge
            tone={toneOf(risk.score)}
          >{t`Risk ${{ score: formatNumber(risk.score) }} of ${{ highest: formatNumber(100) }}`}</StatusBadge>
        )}
        {status === 'pending' && !risk && (
          <StatusBadge tone="neutral">{t`Risk is being assessed`}</StatusBadge>
        )}
        {risk?.stopped && <StatusBadge tone="error">{t`Needs review before payment`}</StatusBadge>}
        {risk?.freezes.map(({ _id, subject }) => (
          <StatusBadge key={_id} tone="error">
            {subject === 'account' ? t`Account frozen` : t`Request frozen`}
          </StatusBadge>
        ))}
        {payableAt !== undefined && (
          <StatusBadge tone="error">{t`New account number, payable from ${{ time: formatDateTime(payableAt) }}`}</StatusBadge>
        )}
        {origin.flags.includes('disputed_coins') && (
          <StatusBadge tone="error">{FLAG_LABELS.disputed_coins}</StatusBadge>
        )}
        {children}
      </p>
      {reason !== '' && <p className="mt-1">{reason}</p>}
      {flags.length > 0 && <p className="mt-1 font-nav text-danger">{flags.join(', ')}</p>}
      {isBrief && heaviest && (
        <p className="mt-1 flex items-end gap-1 text-dim">
          <span className="line-clamp-2">{riskText(heaviest)}</span>
          {others > 0 && <span className="shrink-0">{`(+${formatNumber(others)})`}</span>}
        </p>
      )}
    </>
  )
}

function toneOf(score: number): Tone {
  if (score >= 50) return 'error'
  return score >= 25 ? 'warning' : 'neutral'
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

/** Whether a freeze, the risk score, disputed coins or a new account number stop the payment; the server refuses it then. */
function isStopped({ risk, origin, payableAt }: WithdrawalRequest): boolean {
  const isFrozen = (risk?.freezes.length ?? 0) > 0
  const isDisputed = origin.flags.includes('disputed_coins')
  return risk?.stopped === true || isFrozen || isDisputed || payableAt !== undefined
}

/** Whether this Admin can put the request into a batch. */
export function isSelectable(request: WithdrawalRequest, viewerId: string): boolean {
  const { status, payout } = request
  if (status !== 'pending' || isStopped(request)) return false
  if (payout === undefined || payout.state === 'failed') return true
  return payout.state === 'queued' && payout.single && payout.claimedBy?._id === viewerId
}
