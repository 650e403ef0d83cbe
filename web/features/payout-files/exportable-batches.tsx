import { useSuspenseQuery } from '@tanstack/react-query'
import type { PayoutFileProfile } from '#contract/payout-files.ts'
import { listPayoutBatches } from '#contract/payouts.ts'
import { formatCents, pluralize } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { BatchFiles } from './batch-files.tsx'

const SHOWN = ['released', 'exported', 'settling']

/** Renders the latest released batches whose payouts are not all settled, with their files. */
export function ExportableBatches({ profiles }: { profiles: readonly PayoutFileProfile[] }) {
  const { data } = useSuspenseQuery(queryOf(listPayoutBatches, { query: {} }))
  const batches = data.filter(({ state, provider }) => SHOWN.includes(state) && provider === null)
  return (
    <section aria-labelledby="batches">
      <h2 id="batches" className="mb-3 text-lg">
        Released batches
      </h2>
      {batches.length === 0 ? (
        <p className="card p-5 text-sm text-dim">No batch needs a file. Release a batch of payouts first.</p>
      ) : (
        <ul className="card divide-y divide-line">
          {batches.map((batch) => (
            <li key={batch._id} className="space-y-3 p-4 sm:px-5">
              <p className="text-sm">
                <span className="font-number">{formatCents(batch.cents)}</span> in{' '}
                {pluralize(
                  Object.entries(batch.counts).reduce(
                    (sum, [state, count]) => sum + (state === 'removed' ? 0 : count),
                    0,
                  ),
                  'payout',
                )}
                {batch.releasedAt !== null && `, released ${formatDateTime(batch.releasedAt)}`}
              </p>
              <BatchFiles batch={batch} profiles={profiles} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
