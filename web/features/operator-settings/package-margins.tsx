import { t } from '@lingui/core/macro'
import { formatPercent } from '#web/lib/dashboard-format.ts'
import { formatCents, formatCoins } from '#web/lib/format.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { IconAlertTriangle } from '#web/ui/icons.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { type MarginOfPackage, usePackageMargins } from './use-package-margins.ts'

const COLUMNS: Column<MarginOfPackage>[] = [
  {
    header: t`Package`,
    cell: ({ coins, priceCents }) =>
      t`${{ coins: formatCoins(coins) }} for ${{ price: formatCents(priceCents) }}`,
  },
  { header: t`1,000 coins cost`, cell: (row) => perThousand(row, row.priceCents), align: 'right' },
  { header: t`After card fees and tax`, cell: (row) => perThousand(row, row.netCents), align: 'right' },
  { header: t`Pay out`, cell: (row) => perThousand(row, row.payoutCents), align: 'right' },
  { header: t`Margin`, cell: (row) => <MarginText row={row} />, align: 'right' },
]

/** Renders what 1,000 coins of each package cost a buyer, bring in, and pay out. */
export function PackageMargins() {
  const margins = usePackageMargins()
  return (
    <section aria-labelledby="package-margins">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="package-margins" className="text-lg">{t`Package margins`}</h2>
        <LinkButton to="/dashboard/settings" variant="default">{t`Change prices`}</LinkButton>
      </div>
      <LossWarning />
      <ResponsiveList
        label={t`Package margins`}
        rows={margins}
        rowKey={({ priceCents }) => String(priceCents)}
        columns={COLUMNS}
        renderCard={(row) => (
          <dl className="space-y-1 text-sm">
            {COLUMNS.map(({ header, cell }) => (
              <div key={header} className="flex flex-wrap justify-between gap-x-3">
                <dt className="wrap-normal text-dim">{header}</dt>
                <dd className="ml-auto text-right">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        )}
      />
    </section>
  )
}

/** Renders a warning with the amounts of the packages that pay out more than they bring in; nothing when there is none. */
export function LossWarning() {
  const losing = usePackageMargins().filter(({ marginCents }) => marginCents < 0)
  if (losing.length === 0) return null
  return (
    <div className="mb-3 flex gap-3 rounded-control bg-danger-soft p-4 text-sm text-danger">
      <IconAlertTriangle size={20} className="shrink-0" aria-hidden />
      <ul className="space-y-1">
        {losing.map(({ coins, priceCents, netCents, payoutCents, marginCents }) => (
          <li key={priceCents}>
            {t`${{ coins: formatCoins(coins) }} for ${{ price: formatCents(priceCents) }} bring ${{ net: formatCents(netCents) }} after card fees and tax, and pay out ${{ payout: formatCents(payoutCents) }}: a loss of ${{ loss: formatCents(-marginCents) }}.`}
          </li>
        ))}
      </ul>
    </div>
  )
}

function MarginText({ row }: { row: MarginOfPackage }) {
  const percent = Math.round((row.marginCents / row.priceCents) * 100)
  return (
    <span className={row.marginCents < 0 ? 'text-danger' : ''}>
      {row.marginCents < 0 ? '−' : ''}
      {perThousand(row, Math.abs(row.marginCents))} ({percent < 0 ? '−' : ''}
      {formatPercent(Math.abs(percent))})
    </span>
  )
}

function perThousand({ coins }: { coins: number }, cents: number): string {
  return formatCents(Math.round((cents * 1000) / coins))
}
