import { useSuspenseQuery } from '@tanstack/react-query'
import { payoutCases, payoutStatements } from '#contract/payout-statements.ts'
import { countsText, ImportForm } from '#web/features/payout-files/import-form.tsx'
import { PayoutCaseCard } from '#web/features/payout-files/payout-case-card.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the import of statements, the cases and the latest imports. */
export default function PayoutStatements() {
  const { data: cases } = useSuspenseQuery(queryOf(payoutCases, {}))
  const { data: statements } = useSuspenseQuery(queryOf(payoutStatements, {}))
  return (
    <Screen
      title="Payout Statements"
      subtitle="What your bank or wallet paid, compared with the payouts here"
    >
      <div className="space-y-6">
        <ImportForm latest={statements[0]} />
        <section aria-labelledby="cases">
          <h2 id="cases" className="mb-3 text-lg">
            Cases
          </h2>
          {cases.length === 0 ? (
            <p className="card p-5 text-sm text-dim">Every imported line matches its payout.</p>
          ) : (
            <ul className="card divide-y divide-line">
              {cases.map((one) => (
                <li key={one._id}>
                  <PayoutCaseCard case={one} />
                </li>
              ))}
            </ul>
          )}
        </section>
        {statements.length > 0 && (
          <section aria-labelledby="imports">
            <h2 id="imports" className="mb-3 text-lg">
              Latest imports
            </h2>
            <ul className="card divide-y divide-line text-sm">
              {statements.map((statement) => (
                <li key={statement._id} className="space-y-1 p-4">
                  <p className="font-number wrap-anywhere">
                    {statement.account}: {statement.fileName}
                  </p>
                  <p>{countsText(statement.counts)}</p>
                  <p className="text-xs break-all text-dim">
                    <UserLink id={statement.importedById} name={statement.importedBy} />,{' '}
                    {formatDateTime(statement.importedAt)} · SHA-256 {statement.sha256}
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
