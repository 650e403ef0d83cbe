import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { statement } from '#contract/ledger.ts'
import { StatementList } from '#web/features/statement/statement-list.tsx'
import { queryOf } from '#web/lib/queries.ts'

/** Renders the newest lines of the user's statement, with a link to the full statement. */
export function RecentTransactions({ email }: { email: string }) {
  const { data } = useSuspenseQuery(queryOf(statement, { params: { email }, query: { limit: 5 } }))
  if (data.length === 0) return null
  return (
    <section aria-labelledby="recent-transactions">
      <div className="mt-2 mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="recent-transactions" className="text-lg">
          {t`Recent transactions`}
        </h2>
        <Link to="/dashboard/statement" className="link inline-block py-1 text-sm">
          {t`View full statement`}
        </Link>
      </div>
      <StatementList lines={data} />
    </section>
  )
}
