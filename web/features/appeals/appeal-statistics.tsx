import type { ReactNode } from 'react'
import type { AppealStatistics } from '#contract/appeals.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { StatTile, StatTiles } from '#web/features/stats/stat-tile.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { formatRoundedDuration } from '#web/lib/format-time.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Renders what is in dispute now, and how disputes ended. */
export function DisputeTiles({ statistics }: { statistics: AppealStatistics }) {
  const { disputed, reviews, paidBySilence, paidByMissedReviews } = statistics
  return (
    <StatTiles label="Disputes" columns={4}>
      <StatTile label="Coins in dispute" note="in escrow now">
        <CoinAmount value={disputed.coins} />
      </StatTile>
      <StatTile label="Rejected" note="can be appealed">
        {formatNumber(disputed.rejectionOpen)}
      </StatTile>
      <StatTile label="Appealed" note="the buyer must respond">
        {formatNumber(disputed.appealed)}
      </StatTile>
      <StatTile label="In review" note="a reviewer must decide">
        {formatNumber(disputed.inReview)}
      </StatTile>
      <StatTile
        label="Reviews decided"
        note={
          reviews.decided === 0
            ? 'last 90 days'
            : `${percent(reviews.overturned, reviews.decided)} overturned, last 90 days`
        }
      >
        {formatNumber(reviews.decided)}
      </StatTile>
      <StatTile label="Time to decision" note="median, last 90 days">
        {formatHours(reviews.medianHours)}
      </StatTile>
      <StatTile label="Paid without a response" note="from the buyer, last 90 days">
        {formatNumber(paidBySilence)}
      </StatTile>
      <StatTile label="Paid without a review" note="no decision in time, last 90 days">
        {formatNumber(paidByMissedReviews)}
      </StatTile>
    </StatTiles>
  )
}

type ReviewerRow = AppealStatistics['reviewers'][number]
type BuyerRow = AppealStatistics['buyers'][number]
type WorkerRow = AppealStatistics['workers'][number]

/** Renders the decisions of each reviewer. */
export function ReviewerDecisions({ rows }: { rows: ReviewerRow[] }) {
  return (
    <StatisticsSection
      id="decisions"
      title="Decisions by reviewer"
      empty="No reviews in the last 90 days."
      rows={rows}
      nameOf={(row) => <UserLink id={row._id} name={row.name} />}
      values={[
        { header: 'Open', cell: (row) => formatNumber(row.open) },
        { header: 'Decided', cell: (row) => formatNumber(row.decided) },
        { header: 'Overturned', cell: (row) => percent(row.overturned, row.decided) },
        { header: 'Median time', cell: (row) => formatHours(row.medianHours) },
        { header: 'Missed', cell: (row) => formatNumber(row.missed) },
      ]}
    />
  )
}

/** Renders the buyers with the most rejections. */
export function RejectingBuyers({ rows }: { rows: BuyerRow[] }) {
  return (
    <StatisticsSection
      id="buyers"
      title="Buyers with the most rejections"
      empty="No rejections in the last 90 days."
      rows={rows}
      nameOf={(row) => (
        <UserName {...row}>
          {row.needsReviewer && <StatusBadge tone="warning">Rejections are reviewed</StatusBadge>}
        </UserName>
      )}
      values={[
        { header: 'Decided', cell: (row) => formatNumber(row.decided) },
        { header: 'Rejected', cell: (row) => percent(row.rejected, row.decided) },
        { header: 'Overturned', cell: (row) => formatNumber(row.overturned) },
      ]}
    />
  )
}

/** Renders the workers who can have one open appeal at a time, because they lost most of their last ones. */
export function LosingWorkers({ rows }: { rows: WorkerRow[] }) {
  return (
    <StatisticsSection
      id="workers"
      title="Workers with one appeal at a time"
      empty="No worker lost 5 of their last 10 appeals."
      rows={rows}
      nameOf={(row) => <UserName {...row} />}
      values={[
        { header: 'Lost', cell: (row) => `${row.lost} of ${row.decided}` },
        { header: 'Open', cell: (row) => formatNumber(row.open) },
      ]}
    />
  )
}

type SectionProps<Row> = {
  id: string
  title: string
  empty: string
  rows: Row[]
  nameOf: (row: Row) => ReactNode
  values: Column<Row>[]
}

/** Renders a list of numbers by user, or a sentence when it is empty. */
function StatisticsSection<Row extends { _id: string }>({
  id,
  title,
  empty,
  rows,
  nameOf,
  values,
}: SectionProps<Row>) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-lg">
        {title}
      </h2>
      {rows.length === 0 ? (
        <p className="text-sm text-dim">{empty}</p>
      ) : (
        <ResponsiveList
          label={title}
          rows={rows}
          rowKey={(row) => row._id}
          columns={[
            { header: 'Name', width: 'w-2/5 min-w-48', cell: nameOf },
            ...values.map((column) => ({ ...column, align: 'right' as const })),
          ]}
          renderCard={(row) => (
            <>
              {nameOf(row)}
              <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
                {values.map(({ header, cell }) => (
                  <div key={header}>
                    <dt className="text-xs text-dim">{header}</dt>
                    <dd className="tabular-nums">{cell(row)}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        />
      )}
    </section>
  )
}

/** Renders a user's name and email, and what follows them. */
export function UserName({
  _id,
  name,
  email,
  children,
}: {
  _id: string
  name: string
  email: string
  children?: ReactNode
}) {
  return (
    <div className="min-w-0 leading-snug">
      <p className="line-clamp-2">
        <UserLink id={_id} name={name} />
      </p>
      <p className="text-sm break-all text-dim">{email}</p>
      {children && <p className="mt-1">{children}</p>}
    </div>
  )
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`
}

function formatHours(hours: number | null): string {
  return hours === null ? '–' : formatRoundedDuration(hours * 3600)
}
