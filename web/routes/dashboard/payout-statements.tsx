import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { payoutCases, payoutStatements } from '#contract/payout-statements.ts'
import { countsText } from '#web/features/payout-files/counts-text.ts'
import { ImportForm } from '#web/features/payout-files/import-form.tsx'
import { PayoutCaseCard } from '#web/features/payout-files/payout-case-card.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the import of statements, the cases and the latest imports. */
export default function PayoutStatements() {
  const { data: cases } = useSuspenseQuery(queryOf(payoutCases, {}))
  const { data: statements } = useSuspenseQuery(queryOf(payoutStatements, {}))
  const [search] = useSearchParams()
  const open = cases.filter((one) => one.resolved === null)
  const resolved = cases.filter((one) => one.resolved !== null)
  const shown = search.get('cases') === 'resolved' && resolved.length > 0 ? resolved : open
  return (
    <Screen
      title={t`Payout Statements`}
      subtitle={t`What your bank or wallet paid, compared with the payouts here`}
    >
      <div className="space-y-6">
        <ImportForm latest={statements[0]} />
        <section aria-labelledby="cases">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <h2 id="cases" className="text-lg">{t`Cases`}</h2>
            {resolved.length > 0 && (
              <FilterLinks
                label={t`Filter cases`}
                name="cases"
                options={[
                  { value: '', label: t`Open ${{ count: formatNumber(open.length) }}` },
                  { value: 'resolved', label: t`Resolved ${{ count: formatNumber(resolved.length) }}` },
                ]}
              />
            )}
          </div>
          {shown.length === 0 ? (
            <p className="card p-5 text-sm text-dim">
              {statements.length === 0
                ? t`Lines that do not match their payout appear here.`
                : cases.length === 0
                  ? t`Every imported line matches its payout.`
                  : t`No open cases.`}
            </p>
          ) : (
            <ul className="card divide-y divide-line">
              {shown.map((one) => (
                <li key={one._id}>
                  <PayoutCaseCard case={one} />
                </li>
              ))}
            </ul>
          )}
        </section>
        {statements.length > 0 && (
          <section aria-labelledby="imports">
            <h2 id="imports" className="mb-3 text-lg">{t`Latest imports`}</h2>
            <ul className="card divide-y divide-line text-sm">
              {statements.map((statement) => (
                <li key={statement._id} className="space-y-1 p-4">
                  <p className="font-number wrap-anywhere">
                    {statement.account}: {statement.fileName}
                  </p>
                  <p>{countsText(statement.counts)}</p>
                  <p className="text-xs break-all text-dim">
                    <Trans>
                      <UserLink id={statement.importedById} name={statement.importedBy} />,{' '}
                      {{ time: formatDateTime(statement.importedAt) }} · SHA-256 {{ hash: statement.sha256 }}
                    </Trans>
                  </p>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Screen>
  )
}
