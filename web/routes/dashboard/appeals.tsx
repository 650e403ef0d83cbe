import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { appealStatistics } from '#contract/appeals.ts'
import {
  DisputeTiles,
  LosingWorkers,
  RejectingBuyers,
  ReviewerDecisions,
} from '#web/features/appeals/appeal-statistics.tsx'
import { Reviewers } from '#web/features/appeals/reviewers.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders how disputes end, who rejects and loses much, and who may review. */
export default function Appeals() {
  const { data } = useSuspenseQuery(queryOf(appealStatistics, {}))
  return (
    <Screen title={t`Appeals`} subtitle={t`Disputes now and in the last 90 days`}>
      <div className="space-y-8">
        <DisputeTiles statistics={data} />
        <ReviewerDecisions rows={data.reviewers} />
        <RejectingBuyers rows={data.buyers} />
        <LosingWorkers rows={data.workers} />
        <Reviewers />
      </div>
    </Screen>
  )
}
