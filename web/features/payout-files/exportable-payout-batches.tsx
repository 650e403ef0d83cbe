import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { PayoutFileProfile } from '#contract/payout-files.ts'
import { listPayoutBatches, type PayoutBatch } from '#contract/payouts.ts'
import { formatCents } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { PayoutBatchFiles } from './payout-batch-files.tsx'

const SHOWN = ['released', 'exported', 'settling']

/** Renders the latest released batches whose payouts are not all settled, with their files. */
export function ExportablePayoutBatches({ profiles }: { profiles: readonly PayoutFileProfile[] }) {
  const { data } = useSuspenseQuery(queryOf(listPayoutBatches, { query: {} }))
  const batches = data.filter(({ state, provider }) => SHOWN.includes(state) && provider === null)
  return (
    <section aria-labelledby="batches">
      <h2 id="batches" className="mb-3 text-lg">{t`Released payout batches`}</h2>
      {batches.length === 0 ? (
        <p className="card p-5 text-sm text-dim">{t`No payout batch needs a file. Release one first.`}</p>
      ) : (
        <ul className="card divide-y divide-line">
          {batches.map((batch) => (
            <li key={batch._id} className="space-y-3 p-4 sm:px-5">
              <p className="text-sm">
                <BatchSummary batch={batch} />
              </p>
              <PayoutBatchFiles batch={batch} profiles={profiles} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function BatchSummary({ batch }: { batch: PayoutBatch }) {
  const payouts = Object.entries(batch.counts).reduce(
    (sum, [state, count]) => sum + (state === 'removed' ? 0 : count),
    0,
  )
  const amount = (
    <Link to={`/dashboard/payouts/${batch._id}`} className="link">
      {formatCents(batch.cents)}
    </Link>
  )
  if (batch.releasedAt === null)
    return (
      <Trans>
        {amount} in <Plural value={payouts} one="# payout" other="# payouts" />
      </Trans>
    )
  const time = formatDateTime(batch.releasedAt)
  return (
    <Trans>
      {amount} in <Plural value={payouts} one="# payout" other="# payouts" />, released {time}
    </Trans>
  )
}
