import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { myReservations } from '#contract/reservations.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { useWaiting } from '#web/features/waiting/use-waiting.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ListSkeleton } from '#web/ui/skeleton.tsx'

/** Renders the worker's reservations with the time left of each; nothing without one. */
export function ReservationStrip() {
  const waiting = useWaiting()
  // They are counted in what waits for the worker, which is loaded in any case.
  const enabled = waiting.data?.some(({ kind }) => kind === 'reservations') ?? waiting.isError
  const { data, isLoading } = useQuery({ ...queryOf(myReservations, {}), enabled })
  const now = useCurrentMinute()
  if (isLoading) return <ListSkeleton rows={1} />
  // A query that is not enabled keeps the reservations of its last reply.
  const reservations = enabled ? (data ?? []) : []
  const live = reservations.filter(({ expiresAt }) => timeLeft(expiresAt, now) !== null)
  if (live.length === 0) return null
  return (
    <section aria-labelledby="reservations" className="card p-4 sm:p-5">
      <h2 id="reservations" className="text-base">{t`Your reservations`}</h2>
      <ul className="mt-1 divide-y divide-line">
        {live.map(({ _id, taskId, task_title, payable_amount, expiresAt }) => (
          <li key={_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <Link
              to={`/dashboard/task-details/${taskId}`}
              className="link min-w-0 flex-1 basis-48 truncate py-1"
            >
              {task_title}
            </Link>
            <CoinAmount value={payable_amount} showUnit />
            <span className="text-sm text-dim">{t`${{ left: timeLeft(expiresAt, now) ?? '' }} left`}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
