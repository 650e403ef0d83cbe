import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { AppealStatistics } from '#contract/appeals.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { StatTile, StatTiles } from '#web/features/stats/stat-tile.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatPercent, percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatRoundedDuration } from '#web/lib/format-time.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Renders what is in dispute now, and how disputes ended. */
export function DisputeTiles({ statistics }: { statistics: AppealStatistics }) {
  const { disputed, reviews, paidBySilence, paidByMissedReviews } = statistics
  return (
    <StatTiles label={t`Disputes`} columns={4}>
      <StatTile label={t`Coins in dispute`} note={t`in escrow now`}>
        <CoinAmount value={disputed.coins} />
      </StatTile>
      <StatTile label={t`Rejected`} note={t`can be appealed`}>
        {formatNumber(disputed.rejectionOpen)}
      </StatTile>
      <StatTile label={t`Appealed`} note={t`the buyer must respond`}>
        {formatNumber(disputed.appealed)}
      </StatTile>
      <StatTile label={t`In review`} note={t`a reviewer must decide`}>
        {formatNumber(disputed.inReview)}
      </StatTile>
      <StatTile
        label={t`Reviews decided`}
        note={
          reviews.decided === 0
            ? t`last 90 days`
            : t`${{ share: percent(reviews.overturned, reviews.decided) }} overturned, last 90 days`
        }
      >
        {formatNumber(reviews.decided)}
      </StatTile>
      <StatTile label={t`Time to decision`} note={t`median, last 90 days`}>
        {formatHours(reviews.medianHours)}
      </StatTile>
      <StatTile label={t`Paid without a response`} note={t`from the buyer, last 90 days`}>
        {formatNumber(paidBySilence)}
      </StatTile>
      <StatTile label={t`Paid without a review`} note={t`no decision in time, last 90 days`}>
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
      title={t`Decisions by reviewer`}
      empty={t`No reviews in the last 90 days.`}
      rows={rows}
      nameOf={(row) => <UserLink id={row._id} name={row.name} />}
      values={[
        { header: t`Open`, cell: (row) => formatNumber(row.open) },
        { header: t`Decided`, cell: (row) => formatNumber(row.decided) },
        { header: t`Overturned`, cell: (row) => percent(row.overturned, row.decided) },
        { header: t`Median time`, cell: (row) => formatHours(row.medianHours) },
        { header: t`Missed`, cell: (row) => formatNumber(row.missed) },
      ]}
    />
  )
}

/** Renders the buyers with the most rejections. */
export function RejectingBuyers({ rows }: { rows: BuyerRow[] }) {
  return (
    <StatisticsSection
      id="buyers"
      title={t`Buyers with the most rejections`}
      empty={t`No rejections in the last 90 days.`}
      rows={rows}
      nameOf={(row) => (
        <UserName {...row}>
          {row.needsReviewer && <StatusBadge tone="warning">{t`Rejections are reviewed`}</StatusBadge>}
        </UserName>
      )}
      values={[
        { header: t`Decided`, cell: (row) => formatNumber(row.decided) },
        { header: t`Rejected`, cell: (row) => percent(row.rejected, row.decided) },
        { header: t`Overturned`, cell: (row) => percent(row.overturned, row.reviewed) },
      ]}
    />
  )
}

/** Renders the workers who can have one open appeal at a time, because they lost most of their last ones. */
export function LosingWorkers({ rows }: { rows: WorkerRow[] }) {
  return (
    <StatisticsSection
      id="workers"
      title={t`Workers with one appeal at a time`}
      empty={t`No worker lost 5 of their last 10 appeals.`}
      rows={rows}
      nameOf={(row) => <UserName {...row} />}
      values={[
        {
          header: t`Lost`,
          cell: (row) => t`${{ lost: formatNumber(row.lost) }} of ${{ decided: formatNumber(row.decided) }}`,
        },
        { header: t`Open`, cell: (row) => formatNumber(row.open) },
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
            { header: t`Name`, width: 'w-2/5 min-w-48', cell: nameOf },
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
  return whole === 0 ? '–' : formatPercent(percentOf(part, whole))
}

function formatHours(hours: number | null): string {
  return hours === null ? '–' : formatRoundedDuration(hours * 3600)
}
