import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, queryOne } from '#server/database/database.ts'
import type { Mailer } from './mailer.ts'

/** The server stops before it was this email's turn. Its job is retried. */
export class StoppedBeforeSending extends Error {
  constructor() {
    super('The server stopped before this email was sent')
  }
}

/** Each reservation is for the emails of this time, so that a fast rate does not query the database for every email. */
const RESERVATIONS_PER_SECOND = 10

// Emails may be ahead of the even pace by a second, or by one reservation. A minute is the longest wait, also after the
// database's clock moved back.
const reserve = queryOne<{ wait_ms: number }, [emails: number, perSecond: number]>(
  'email_rate_reserve',
  `insert into email_rate as rate (next_at) values (clock_timestamp() + make_interval(secs => $1::int / $2::float8))
   on conflict (id) do update set
     next_at = least(greatest(rate.next_at, clock_timestamp()), clock_timestamp() + interval '1 minute') + make_interval(secs => $1 / $2)
   returning greatest(0, 1000 * (extract(epoch from next_at - clock_timestamp()) - greatest(1, $1 / $2)))::float8 as wait_ms`,
)

/**
 * Limits the emails per second of all instances together (docs/decisions/0110-rate-of-emails.md). `stop` ends the waits of
 * those that have not been sent.
 */
export function startEmailRate(database: Database, perSecond: number) {
  const stopping = new AbortController()
  const perReservation = Math.ceil(perSecond / RESERVATIONS_PER_SECOND)
  let reserved = 0
  let last: Promise<void> = Promise.resolve()

  async function takeTurn(): Promise<void> {
    if (reserved === 0 && !stopping.signal.aborted) {
      const { wait_ms: waitMs } = await reserve(database, perReservation, perSecond)
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      reserved = perReservation
    }
    if (stopping.signal.aborted) throw new StoppedBeforeSending()
    reserved--
  }

  return {
    /** Returns a mailer whose emails wait for their turn, in order. @throws StoppedBeforeSending */
    limited: ({ send, close }: Mailer): Mailer => ({
      close,
      async send(mail) {
        last = last.then(takeTurn, takeTurn)
        await last
        await send(mail)
      },
    }),
    /** Returns a mailer whose emails are sent at once. They count, so that others wait longer. */
    counted: ({ send, close }: Mailer): Mailer => ({
      close,
      async send(mail) {
        await reserve(database, 1, perSecond)
        await send(mail)
      },
    }),
    stop: () => stopping.abort(),
  }
}
