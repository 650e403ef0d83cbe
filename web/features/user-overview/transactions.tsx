import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { statement } from '#contract/ledger.ts'
import { StatementList } from '#web/features/statement/statement-list.tsx'
import { queryOf } from '#web/lib/queries.ts'

/** Renders a user's latest transactions. */
export function Transactions({ email }: { email: string }) {
  const { data } = useSuspenseQuery(queryOf(statement, { params: { email }, query: { limit: 20 } }))
  if (data.length === 0) return null
  return (
    <section aria-labelledby="transactions" className="mt-8">
      <h2 id="transactions" className="mb-3 text-lg">{t`Latest transactions`}</h2>
      <StatementList lines={data} />
    </section>
  )
}
