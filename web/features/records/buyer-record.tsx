import { plural, t } from '@lingui/core/macro'
import { type BuyerRecord, NEW_BUYER_DECISIONS, REJECTED_PERCENT_WARNING } from '#contract/records.ts'
import { formatPercent, percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatRoundedDuration } from '#web/lib/format-time.ts'
import { IconAlertTriangle } from '#web/ui/icons.ts'
import { RecordLine } from './record-line.tsx'

/** Renders what workers should know of a buyer before they begin, in one line. */
export function BuyerRecordLine({ record }: { record: BuyerRecord | null }) {
  if (record === null || record.decided < NEW_BUYER_DECISIONS) return <>{t`New buyer`}</>
  const { decisionSeconds, appealsLost } = record
  const lost =
    appealsLost > 0 && ` · ${plural(appealsLost, { one: '# appeal lost', other: '# appeals lost' })}`
  const rejected = rejectedPercentOf(record)
  if (rejected > REJECTED_PERCENT_WARNING) {
    return (
      <span className="inline-flex items-center gap-1 text-danger">
        <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
        {t`Rejects ${{ rejected: formatPercent(rejected) }} of work`}
        {lost}
      </span>
    )
  }
  const approved = formatPercent(percentOf(record.approved, record.decided))
  return (
    <>
      {decisionSeconds === null
        ? t`Approves ${approved} of work`
        : t`Approves ${approved} of work, usually in ${{ time: formatRoundedDuration(decisionSeconds) }}`}
      {lost}
    </>
  )
}

/** Returns the share of work that the buyer rejected, also where the rejection did not stand. */
function rejectedPercentOf({ rejected, appealsLost, decided }: BuyerRecord): number {
  return percentOf(rejected + appealsLost, decided)
}

/** Renders a buyer's record of the last 90 days as definitions. */
export function BuyerRecordDetails({ record }: { record: BuyerRecord | null }) {
  if (record === null || record.decided < NEW_BUYER_DECISIONS) {
    return (
      <p className="text-sm text-dim">{t`New buyer: fewer than ${{ count: formatNumber(NEW_BUYER_DECISIONS) }} decisions in 90 days.`}</p>
    )
  }
  return (
    <>
      {rejectedPercentOf(record) > REJECTED_PERCENT_WARNING && (
        <p className="mb-3 flex items-start gap-2 rounded-lg bg-danger-soft p-3 text-sm text-danger">
          <IconAlertTriangle size={18} stroke={1.8} aria-hidden className="mt-0.5 shrink-0" />
          {t`This buyer rejects a lot of work. Read the task carefully before you start.`}
        </p>
      )}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(5.5rem,40%)),1fr))] gap-x-4 gap-y-2 text-sm">
        <RecordLine name={t`Approved`}>
          {formatPercent(percentOf(record.approved, record.decided))}
        </RecordLine>
        <RecordLine name={t`Rejected`}>
          {formatPercent(percentOf(record.rejected, record.decided))}
        </RecordLine>
        <RecordLine name={t`Appeals lost`}>{formatNumber(record.appealsLost)}</RecordLine>
        {record.decisionSeconds !== null && (
          <RecordLine name={t`Usually decides in`}>
            {formatRoundedDuration(record.decisionSeconds)}
          </RecordLine>
        )}
        {record.paymentSeconds !== null && (
          <RecordLine name={t`Usually pays in`}>{formatRoundedDuration(record.paymentSeconds)}</RecordLine>
        )}
      </dl>
      <p className="mt-2 text-xs text-dim">{t`Last 90 days, ${{ count: formatNumber(record.decided) }} decisions.`}</p>
    </>
  )
}
