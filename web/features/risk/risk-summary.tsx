import { Button } from '@mantine/core'
import type { Risk, RiskReason } from '#contract/risk.ts'
import { riskText } from '#contract/risk-texts.en.ts'
import type { WithdrawalRequest } from '#contract/withdrawals.ts'
import { FreezeNotice } from '#web/features/risk/freeze-notice.tsx'
import { useRiskActions } from '#web/features/risk/use-risk-actions.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatPercent } from '#web/lib/dashboard-format.ts'
import { formatCents, pluralize } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'

type Props = { request: WithdrawalRequest; risk: Risk }

/** Renders the risk of a request: the reasons of its score, numbers beside them, and what an Admin can do about it. */
export function RiskSummary({ request, risk }: Props) {
  const { clear, assess, freezeRequest, freezeWorker, endFreeze, isPending } = useRiskActions(request)
  const { stopped, reasons, facts, cleared, freezes } = risk
  const isOpen = request.status === 'pending'
  const frozen = new Set(freezes.map(({ subject }) => subject))
  return (
    <div className="rounded-control bg-canvas px-4 py-3 text-sm">
      <h3 className="text-sm">Risk</h3>
      {reasons.length === 0 ? (
        <p className="mt-2 text-dim">Nothing unusual was found.</p>
      ) : (
        <ul className="mt-2 divide-y divide-line border-t border-line">
          {reasons.map((reason) => (
            <Reason key={reason.kind} reason={reason} />
          ))}
        </ul>
      )}
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3 text-xs">
        <Fact label="Three largest buyers" value={formatPercent(facts.topBuyersPercent)} />
        <Fact label="Buyers" value={String(facts.buyers)} />
        <Fact label="Free coins" value={formatPercent(facts.bonusPercent)} />
        <Fact label="Paid in by card" value={formatCents(facts.paidInCents)} />
        <Fact label="Asked for" value={formatCents(facts.askedCents)} />
        <Fact label="Member for" value={pluralize(facts.workerAgeDays, 'day')} />
        {facts.roleChanges > 0 && <Fact label="Role changes" value={String(facts.roleChanges)} />}
      </dl>
      {cleared !== null && (
        <p className="mt-3 text-dim">
          Cleared at {cleared.score} by {cleared.by}, {formatDateTime(cleared.at)}: {cleared.reason}
        </p>
      )}
      {freezes.map((freeze) => (
        <FreezeNotice
          key={freeze._id}
          freeze={freeze}
          busy={isPending}
          end={() => void endFreeze(freeze._id)}
        />
      ))}
      {isOpen && (
        <div className="mt-3 flex flex-wrap gap-2">
          {stopped && (
            <Button size="xs" loading={isPending} onClick={() => void clear()}>
              Clear for payment
            </Button>
          )}
          {!frozen.has('withdrawal') && (
            <Button size="xs" variant="default" disabled={isPending} onClick={() => void freezeRequest()}>
              Freeze request
            </Button>
          )}
          {!frozen.has('account') && (
            <Button size="xs" variant="default" disabled={isPending} onClick={() => void freezeWorker()}>
              Freeze account
            </Button>
          )}
          <Button size="xs" variant="default" disabled={isPending} onClick={() => void assess()}>
            Update score
          </Button>
        </div>
      )}
    </div>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-dim">{label}</dt>
      <dd className="font-number tabular-nums">{value}</dd>
    </div>
  )
}

type NamedUser = { _id: string; name: string; email: string }

function Reason({ reason }: { reason: RiskReason }) {
  const users = (reason.params.users ?? []) as NamedUser[]
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
      <span className="min-w-0 flex-1 basis-40">
        {riskText(reason)}
        {users.length > 0 && (
          <span className="block text-xs wrap-anywhere">
            {users.map(({ _id, name }, index) => (
              <span key={_id}>
                {index > 0 && ', '}
                <UserLink id={_id} name={name} />
              </span>
            ))}
          </span>
        )}
      </span>
      <span className="ml-auto shrink-0 font-number tabular-nums">
        {reason.points}
        <span className="sr-only"> points</span>
      </span>
    </li>
  )
}
