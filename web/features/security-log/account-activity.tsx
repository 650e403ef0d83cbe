import { t } from '@lingui/core/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { type AccountEvent, accountActivity } from '#contract/security-log.ts'
import { EventResult } from '#web/features/security-log/event-result.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { LoadMore } from '#web/ui/load-more.tsx'

/** Renders the security events of the user's account, newest first. */
export function AccountActivity() {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(accountActivity, {}, 10))
  const events = query.data.pages.flatMap((page) => page.reply)
  return (
    <section className="card p-5 sm:p-6" aria-labelledby="activity">
      <h2 id="activity" className="text-lg">{t`Your account's activity`}</h2>
      <p className="mt-1 text-sm text-dim">{t`If you do not recognize something, change your password and sign out everywhere.`}</p>
      {events.length === 0 ? (
        <p className="mt-4">{t`No activity yet.`}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {events.map((event) => (
            <li key={event._id} className="py-3">
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore query={query} />
    </section>
  )
}

function EventRow({ event }: { event: AccountEvent }) {
  const origin = [event.device, event.network].filter((part) => part !== '').join(' · ')
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <p className="min-w-0 break-words">{event.text}</p>
      {event.result === 'failure' && <EventResult result={event.result} />}
      <p className="min-w-0 basis-full text-sm break-words text-dim">
        <time dateTime={event.time}>{formatDateTime(event.time)}</time>
        {origin !== '' && ` · ${origin}`}
      </p>
    </div>
  )
}
