import { type Db, query, queryOne } from '#server/database/database.ts'

/** Failures of processed events are of this many days. */
const DAYS = 14

/** Outcomes that need an operator: events that could not be processed, and payments that do not match. */
const FAILED_OUTCOMES = ['failed', 'payments_unavailable', 'payment_not_found', 'unavailable', 'refused']

// Counts at most a thousand events, which bounds the query.
const UNPROCESSED =
  'select outcome from card_events where processed_at is null order by next_try_at limit 1000'

const cardEventCounts = queryOne<
  { waiting: number; retried: number; failed: number; last_received_at: string | null },
  [days: number, outcomes: string[]]
>(
  'card_event_counts',
  `select (select count(*) filter (where outcome = '') from (${UNPROCESSED}) as events) as waiting,
          (select count(*) filter (where outcome <> '') from (${UNPROCESSED}) as events) as retried,
          (select count(*) from card_events where received_at > clock_time() - $1 * interval '1 day'
              and processed_at is not null and outcome = any($2)) as failed,
          (select max(received_at) from card_events) as last_received_at`,
)

export type FailedCardEventRow = {
  id: string
  type: string
  intent_id: string | null
  attempts: number
  outcome: string
  at: string
  next_try_at: string | null
}
const failedCardEvents = query<FailedCardEventRow, [days: number, outcomes: string[], count: number]>(
  'failed_card_events',
  `(select id, type, intent_id, attempts, outcome, received_at as at, next_try_at from card_events
     where processed_at is null and outcome <> '' order by next_try_at limit $3)
   union all
   (select id, type, intent_id, attempts, outcome, processed_at, null from card_events
     where received_at > clock_time() - $1 * interval '1 day' and processed_at is not null and outcome = any($2)
     order by received_at desc limit $3)`,
)

/** Returns how many card events wait, are retried and have failed, and when the last one arrived. */
export const countCardEvents = (db: Db) => cardEventCounts(db, DAYS, FAILED_OUTCOMES)

/** Returns card events that are retried and those that have failed, up to `count` of each. */
export const readFailedCardEvents = (db: Db, count: number) =>
  failedCardEvents(db, DAYS, FAILED_OUTCOMES, count)
