import { plural, t } from '@lingui/core/macro'
import type { Flag, Origin as OriginOf } from '#contract/withdrawals.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDollars, formatNumber } from '#web/lib/format.ts'

export const FLAG_LABELS: Record<Flag, string> = {
  disputed_payment: t`Disputed payment`,
  disputed_coins: t`Cannot be paid: disputed coins`,
  fraud_warning: t`Fraud warning`,
  shared_card: t`Shared card`,
  few_counterparties: t`Few buyers`,
  new_account: t`New account`,
  shared_funding: t`Shared funding`,
  mostly_bonus: t`Mostly starting coins`,
}

const SOURCES = [
  { key: 'purchased', label: (coins: string) => t`${coins} purchased by card`, color: 'bg-fill' },
  { key: 'bonus', label: (coins: string) => t`${coins} of starting coins`, color: 'bg-[#f5a300]' },
  { key: 'other', label: (coins: string) => t`${coins} other`, color: 'bg-edge' },
] as const

/** Renders the source of a request's coins, so that an Admin notices buyers who pay their own second account. */
export function CoinProvenance({ origin }: { origin: OriginOf }) {
  const total = origin.purchased + origin.bonus + origin.other
  const sources = SOURCES.filter(({ key }) => origin[key] > 0)
  return (
    <div className="rounded-control bg-canvas px-4 py-3 text-sm">
      <h3 className="text-sm">{t`Source of the coins`}</h3>
      <div aria-hidden className="mt-3 flex h-2 gap-0.5 overflow-hidden rounded-full bg-line">
        {sources.map(({ key, color }) => (
          <span key={key} className={color} style={{ width: `${(origin[key] / total) * 100}%` }} />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-dim">
        {sources.map(({ key, label, color }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full ${color}`} />
            {label(formatNumber(origin[key]))}
          </li>
        ))}
      </ul>
      {origin.byBuyer.length > 0 && (
        <ul className="mt-3 divide-y divide-line border-t border-line">
          {origin.byBuyer.map((buyer) => (
            <li key={buyer.email} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
              <span className="min-w-0 flex-1 basis-40">
                <UserLink id={buyer._id} name={buyer.name} />{' '}
                <span className="text-xs text-dim">{memberText(buyer)}</span>
                {buyer.disputedCents > 0 && (
                  <span className="block text-xs text-danger">
                    {t`${{ amount: formatDollars(buyer.disputedCents / 100) }} of their card payments are disputed`}
                  </span>
                )}
                {buyer.refundedCents > 0 && (
                  <span className="block text-xs">
                    {t`${{ amount: formatDollars(buyer.refundedCents / 100) }} of their card payments were refunded`}
                  </span>
                )}
              </span>
              <span className="ml-auto shrink-0 font-number tabular-nums">{formatNumber(buyer.coins)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function memberText({ email, accountAgeDays: days }: OriginOf['byBuyer'][number]): string {
  return t`${email}, member for ${plural(days, { one: '# day', other: '# days' })}`
}
