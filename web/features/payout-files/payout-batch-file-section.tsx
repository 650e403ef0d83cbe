import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { payoutFileProfiles } from '#contract/payout-files.ts'
import type { PayoutBatch } from '#contract/payouts.ts'
import { queryOf } from '#web/lib/queries.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { PayoutBatchFiles } from './payout-batch-files.tsx'

/** Renders the files of a released batch that is paid by hand or by a file; nothing for any other batch. */
export function PayoutBatchFileSection({ batch }: { batch: PayoutBatch }) {
  if (batch.releasedAt === null || batch.provider !== null) return null
  return (
    <section className="card space-y-4 p-5" aria-labelledby="batch-files">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="batch-files" className="text-lg">{t`Payout files`}</h2>
        <LinkButton to="/dashboard/payout-files" variant="default">{t`Edit columns`}</LinkButton>
      </div>
      <Files batch={batch} />
    </section>
  )
}

function Files({ batch }: { batch: PayoutBatch }) {
  const { data: profiles } = useSuspenseQuery(queryOf(payoutFileProfiles, {}))
  return <PayoutBatchFiles batch={batch} profiles={profiles} />
}
