import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { Risk, RiskReason } from '#contract/risk.ts'
import { riskText } from '#contract/risk-texts.en.ts'
import type { WithdrawalRequest } from '#contract/withdrawals.ts'
import { FreezeNotice } from '#web/features/risk/freeze-notice.tsx'
import { useRiskActions } from '#web/features/risk/use-risk-actions.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatPercent } from '#web/lib/dashboard-format.ts'
import { formatCents, formatNumber } from '#web/lib/format.ts'
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
      <h3 className="text-sm">{t`Risk`}</h3>
      {reasons.length === 0 ? (
        <p className="mt-2 text-dim">{t`Nothing unusual was found.`}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line border-t border-line">
          {reasons.map((reason) => (
            <Reason key={reason.kind} reason={reason} />
          ))}
        </ul>
      )}
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3 text-xs">
        <Fact label={t`Three largest buyers`} value={formatPercent(facts.topBuyersPercent)} />
        <Fact label={t`Buyers`} value={formatNumber(facts.buyers)} />
        <Fact label={t`Starting coins`} value={formatPercent(facts.bonusPercent)} />
        <Fact label={t`Paid in by card`} value={formatCents(facts.paidInCents)} />
        <Fact label={t`Requested`} value={formatCents(facts.askedCents)} />
        <Fact label={t`Member for`} value={plural(facts.workerAgeDays, { one: '# day', other: '# days' })} />
        {facts.roleChanges > 0 && <Fact label={t`Role changes`} value={formatNumber(facts.roleChanges)} />}
      </dl>
      {cleared !== null && <p className="mt-3 text-dim">{clearedText(cleared)}</p>}
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
            <Button size="xs" loading={isPending} onClick={() => void clear()}>{t`Clear for payment`}</Button>
          )}
          {!frozen.has('withdrawal') && (
            <Button size="xs" variant="default" disabled={isPending} onClick={() => void freezeRequest()}>
              {t`Freeze request`}
            </Button>
          )}
          {!frozen.has('account') && (
            <Button size="xs" variant="default" disabled={isPending} onClick={() => void freezeWorker()}>
              {t`Freeze account`}
            </Button>
          )}
          <Button size="xs" variant="default" disabled={isPending} onClick={() => void assess()}>
            {t`Update score`}
          </Button>
        </div>
      )}
    </div>
  )
}

function clearedText({ score, by, at, reason }: NonNullable<Risk['cleared']>): string {
  return t`Cleared at ${{ score: formatNumber(score) }} by ${{ admin: by }}, ${{ time: formatDateTime(at) }}: ${reason}`
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
  const points = formatNumber(reason.points)
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
        <Trans>
          {points}
          <span className="sr-only"> points</span>
        </Trans>
      </span>
    </li>
  )
}
