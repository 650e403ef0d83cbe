import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { cardDispute, type TimelineEntry } from '#contract/card-disputes.ts'
import { disputeLabel, timelineAmounts } from '#web/features/payments/dispute-texts.ts'
import { EvidenceFiles } from '#web/features/payments/evidence-files.tsx'
import { EvidenceForm } from '#web/features/payments/evidence-form.tsx'
import { TimelineText } from '#web/features/payments/timeline-text.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { formatDollars } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** The age up to which a reply is current when the screen opens: its own first request, which it has waited for. */
const CURRENT_MS = 1_000

/** Renders a dispute: its deadline, the evidence for the bank with its files, and the time line of its payment. */
export default function Dispute() {
  const { id = '' } = useParams()
  const { data, dataUpdatedAt, error, refetch } = useSuspenseQuery({
    ...queryOf(cardDispute, { params: { id } }),
    staleTime: CURRENT_MS,
  })
  const [openedAt] = useState(Date.now)
  const { dispute, evidence, version, files, timeline, timelineMore } = data
  const { _id: viewerId } = useUserData()
  const isOwn = dispute.buyer._id === viewerId
  const canRespond = dispute.canRespond && !isOwn
  // An earlier reply may lack what was saved since.
  const isCurrent = dataUpdatedAt > openedAt - CURRENT_MS
  return (
    <Screen
      title={t`Dispute`}
      subtitle={
        <Trans>
          {{ amount: formatDollars(dispute.amount) }} of{' '}
          <UserLink id={dispute.buyer._id} name={dispute.buyer.name} />
        </Trans>
      }
    >
      <div className="space-y-6">
        <section aria-label={t`Dispute`} className="card p-5">
          <StatList>
            <StatRow name={t`State`}>{disputeLabel(dispute.status)}</StatRow>
            <StatRow name={t`Reason given by the bank`}>{disputeLabel(dispute.reason)}</StatRow>
            <StatRow name={t`Evidence due`}>
              {dispute.respondBy === null ? '—' : formatDateTime(dispute.respondBy)}
            </StatRow>
            <StatRow name={t`Evidence`}>
              {dispute.submitted === null ? (
                t`Not submitted`
              ) : (
                <>
                  <UserLink id={dispute.submitted.adminId} name={dispute.submitted.admin} />,{' '}
                  {formatDateTime(dispute.submitted.date)}
                </>
              )}
            </StatRow>
            <StatRow name={t`Transaction`}>
              <CopyableText value={dispute.transactionId} name={t`transaction ID`} />
            </StatRow>
          </StatList>
        </section>
        {isOwn && dispute.canRespond && (
          <p>{t`Another Admin has to submit the evidence, because this is your own payment.`}</p>
        )}
        {(canRespond || (!dispute.canRespond && files.length > 0)) && (
          <EvidenceFiles dispute={dispute} files={files} />
        )}
        {canRespond &&
          (isCurrent ? (
            <EvidenceForm key={dispute._id} dispute={dispute} evidence={evidence} version={version} />
          ) : error === null ? (
            <ListSkeleton rows={2} />
          ) : (
            <ErrorState message={errorMessage(error)} retry={() => void refetch()} />
          ))}
        <section aria-labelledby="timeline" className="card p-5">
          <h2 id="timeline" className="mb-2 text-lg">{t`Timeline`}</h2>
          <ol className="divide-y divide-line text-sm">
            {timeline.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids and are never reordered
              <Entry key={index} entry={entry} />
            ))}
          </ol>
          {timelineMore > 0 && (
            <p className="mt-3 text-sm text-dim">
              {t`And ${plural(timelineMore, { one: '# earlier entry', other: '# earlier entries' })} about tasks, work and withdrawals.`}
            </p>
          )}
        </section>
      </div>
    </Screen>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const amounts = timelineAmounts(entry)
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 wrap-anywhere">
        <TimelineText entry={entry} />
        {entry.actor !== null && (
          <span className="text-dim">
            {' · '}
            <UserLink id={entry.actorId} name={entry.actor} />
          </span>
        )}
      </span>
      <span className="text-xs text-dim">
        {amounts !== '' && <span className="font-number tabular-nums">{amounts} · </span>}
        {formatDateTime(entry.date)}
      </span>
    </li>
  )
}
