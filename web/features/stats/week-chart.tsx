import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId } from 'react'
import { Link } from 'react-router'
import { STATS_WEEKS, statsWeeks } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { TASK_CATEGORY_NAMES } from '#web/features/tasks/category-names.en.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatCompactNumber } from '#web/lib/dashboard-format.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { GridSkeleton } from '#web/ui/skeleton.tsx'
import { ChartTable } from './chart-table.tsx'
import { BarChart } from './lazy-bar-chart.ts'

type Props = { title: string; categoriesTitle: string; tasksTitle: string; shows: 'earned' | 'paid' }

/** Renders the coins of the last weeks as a chart, and the categories and tasks they came from or went to. */
export function WeekChart({ title, categoriesTitle, tasksTitle, shows }: Props) {
  const { data, error, isLoading } = useQuery(queryOf(statsWeeks, {}))
  if (isLoading) return <GridSkeleton cards={2} height="h-72" />
  if (error) return <p className="card p-5 text-sm text-dim">{errorMessage(error)}</p>
  if (data === undefined || data.weeks.every(({ coins }) => coins === 0)) return null
  const { weeks, tasks } = data
  // The previous version of the server sends no categories.
  const { categories = [] }: Partial<typeof data> = data
  const [current, last] = [weeks.at(-1)?.coins ?? 0, weeks.at(-2)?.coins ?? 0]
  return (
    <div className="grid grid-cols-1 items-start gap-4 @4xl:grid-cols-2">
      <div className="grid grid-cols-1 gap-4">
        <figure className="card p-4 sm:p-5">
          <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 className="text-lg">{title}</h2>
            <span className="text-sm text-dim">
              {t`${{ current: formatCoins(current) }} this week, ${{ last: formatNumber(last) }} last week`}
            </span>
          </figcaption>
          <div className="mt-4 h-48 overflow-x-clip">
            <Suspense>
              <BarChart
                name={title}
                days={weeks.map(({ from }) => from)}
                series={[{ name: title, color: 'coin', values: weeks.map(({ coins }) => coins) }]}
                format={formatNumber}
                formatAxis={formatCompactNumber}
              />
            </Suspense>
          </div>
          <ChartTable
            caption={t`${title}, the last ${{ weeks: formatNumber(STATS_WEEKS) }} weeks`}
            columns={[t`Week from`, t`Coins`]}
            rows={weeks.toReversed().map(({ from, coins }) => [formatDay(from), formatNumber(coins)])}
          />
        </figure>
        <CoinList title={categoriesTitle}>
          {categories.map(({ category, coins, pieces }) => (
            <CoinRow
              key={category}
              name={TASK_CATEGORY_NAMES[category]}
              details={submissions(pieces)}
              coins={coins}
            />
          ))}
        </CoinList>
      </div>
      <CoinList title={tasksTitle}>
        {tasks.map(({ _id, title: task, buyer, coins, pieces, isDeleted }) => (
          <CoinRow
            key={_id}
            name={
              isDeleted ? (
                <span className="block truncate">{task}</span>
              ) : (
                <Link to={`/dashboard/task-details/${_id}`} className="link block truncate">
                  {task}
                </Link>
              )
            }
            details={`${submissions(pieces)}${shows === 'earned' ? ` · ${buyer}` : ''}`}
            coins={coins}
          />
        ))}
      </CoinList>
    </div>
  )
}

const submissions = (count: number) => plural(count, { one: '# submission', other: '# submissions' })

function CoinList({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card p-4 sm:p-5">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <p className="text-sm text-dim">{t`The last ${{ weeks: formatNumber(STATS_WEEKS) }} weeks, most coins first`}</p>
      <ul className="mt-3 divide-y divide-line">{children}</ul>
    </section>
  )
}

function CoinRow({ name, details, coins }: { name: ReactNode; details: string; coins: number }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <div className="min-w-[min(100%,9rem)] flex-1">
        {name}
        <p className="truncate text-sm text-dim">{details}</p>
      </div>
      <CoinAmount value={coins} className="shrink-0" />
    </li>
  )
}
