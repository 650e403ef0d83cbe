import { Button } from '@mantine/core'
import type { Origin as OriginOf, Withdrawal } from '#contract/withdrawals.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { CoinProvenance } from '#web/features/withdrawals/coin-provenance.tsx'
import { WithdrawalStatusBadge } from '#web/features/withdrawals/withdrawal-status.tsx'
import { formatDay, formatDollars, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconCheck, IconX } from '#web/ui/icons.ts'
import { WRAPPING_LABEL } from '#web/ui/wrapping-label.ts'

type Props = {
  request: Withdrawal & { origin: OriginOf }
  busy: boolean
  pay: () => void
  decline: () => void
}

/** Renders a withdrawal request with the source of its coins, and buttons to pay or decline it. */
export function WithdrawalRequestCard({ request, busy, pay, decline }: Props) {
  return (
    <article className="card flex h-full flex-col gap-4 p-5 sm:p-6">
      <div className="flex items-start gap-3">
        <Avatar name={request.workerName} size={42} />
        <div className="min-w-0 flex-1 leading-snug">
          <h2 className="text-base tracking-normal font-number">{request.workerName}</h2>
          <p className="truncate text-sm text-dim">{request.workerEmail}</p>
        </div>
        <div className="shrink-0 text-right">
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
      {request.status === 'pending' && (
        <div className="mt-auto flex flex-wrap justify-end gap-3">
          <Button
            variant="default"
            className="max-sm:grow"
            classNames={WRAPPING_LABEL}
            px={{ base: 12, sm: 22 }}
            disabled={busy}
            leftSection={<IconX size={18} aria-hidden />}
            onClick={decline}
          >
            Decline<span className="sr-only"> request by {request.workerName}</span>
          </Button>
          <Button
            className="max-sm:grow"
            classNames={WRAPPING_LABEL}
            px={{ base: 12, sm: 22 }}
            loading={busy}
            leftSection={<IconCheck size={18} aria-hidden />}
            onClick={pay}
          >
            Payment Success<span className="sr-only"> for {request.workerName}</span>
          </Button>
        </div>
      )}
    </article>
  )
}
