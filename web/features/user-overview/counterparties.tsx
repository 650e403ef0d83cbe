import { plural, t } from '@lingui/core/macro'
import type { UserOverview } from '#contract/user-overview.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { ResponsiveList } from '#web/ui/responsive-list.tsx'
import { CounterpartyGraph } from './counterparty-graph.tsx'

/** Renders the users with whom a user's coins moved, as a graph and as a list. */
export function Counterparties({ overview: { user, counterparties, links } }: { overview: UserOverview }) {
  if (counterparties.length === 0) return null
  return (
    <section aria-labelledby="counterparties" className="mt-8">
      <h2 id="counterparties" className="mb-3 text-lg">{t`Counterparties`}</h2>
      {/* A phone has no room for the names; the list has the same users. */}
      <div className="card mb-4 hidden p-5 sm:block">
        <div className="mx-auto max-w-2xl">
          <CounterpartyGraph
            name={user.name}
            counterparties={counterparties}
            linkedIds={new Set(links.map((link) => link._id))}
          />
        </div>
        <p className="mt-2 text-xs text-dim">{t`Thicker lines: more coins. Green: coins to ${{ name: user.name }}, others: coins from ${{ name: user.name }}. Dashed: a linked user.`}</p>
      </div>
      <ResponsiveList
        label={t`Users who exchanged coins with ${{ name: user.name }}, most coins first`}
        rows={counterparties}
        rowKey={(row) => row._id}
        columns={[
          { header: t`Name`, width: 'w-full', cell: (row) => <UserLink id={row._id} name={row.name} /> },
          { header: t`Role`, width: 'whitespace-nowrap', cell: (row) => ROLE_NAMES[row.role] },
          { header: t`Tasks done`, align: 'right', cell: (row) => formatNumber(row.works) },
          { header: t`Coins received`, align: 'right', cell: (row) => formatNumber(row.coinsFrom) },
          { header: t`Coins paid`, align: 'right', cell: (row) => formatNumber(row.coinsTo) },
        ]}
        renderCard={(row) => (
          <div className="flex flex-wrap items-start justify-between gap-x-4 text-sm">
            <span className="min-w-0 flex-1 basis-28">
              <UserLink id={row._id} name={row.name} />
              <span className="block text-xs text-dim">
                {ROLE_NAMES[row.role]}, {plural(row.works, { one: '# task done', other: '# tasks done' })}
              </span>
            </span>
            <span className="ml-auto text-right wrap-normal">
              {t`${{ coins: formatCoins(row.coinsFrom) }} received`}
              <span className="block">{t`${{ coins: formatCoins(row.coinsTo) }} paid`}</span>
            </span>
          </div>
        )}
      />
    </section>
  )
}
