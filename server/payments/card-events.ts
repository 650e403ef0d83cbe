import { query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { CardEvent } from './provider.ts'
import { purchaseByIntent } from './queries.ts'
import { type Cards, settle } from './settle.ts'

const keepEvent = query<never, [id: string, type: string, intentId: string | null]>(
  'card_event_keep',
  `insert into card_events (id, type, intent_id) values ($1, $2, $3) on conflict (id) do nothing`,
)

type DueEvent = { id: string; intent_id: string | null; attempts: number; too_old: boolean }

/**
 * Takes events that are due. Taking one puts it off, so that another instance, or a later try, gets it after a crash.
 * None is put off by more than an hour; one that is was put off by a clock that has gone back since.
 */
const takeDue = query<DueEvent, [count: number, daysMax: number]>(
  'card_events_take_due',
  `update card_events set attempts = attempts + 1,
          next_try_at = clock_time() + least(60 * 2 ^ least(attempts, 10), 3600) * interval '1 second'
    where id in (select id from card_events where processed_at is null
                    and (next_try_at <= clock_time() or next_try_at > clock_time() + interval '2 hours')
                  order by next_try_at limit $1 for update skip locked)
   returning id, intent_id, attempts, received_at < clock_time() - $2 * interval '1 day' as too_old`,
)
const finishEvent = query<never, [id: string, outcome: string]>(
  'card_event_finish',
  'update card_events set processed_at = clock_time(), outcome = $2 where id = $1',
)
const retryEvent = query<never, [id: string, seconds: number, outcome: string]>(
  'card_event_retry',
  `update card_events set next_try_at = clock_time() + $2 * interval '1 second', outcome = $3 where id = $1`,
)
const forgetOld = query<never, [days: number]>(
  'card_events_forget',
  `delete from card_events where processed_at is not null and received_at < clock_time() - $1 * interval '1 day'`,
)

const BATCH = 20
const TRY_DAYS_MAX = 4
const KEEP_DAYS = 90
const RETRY_SECONDS = [2, 5, 15, 60, 300]
const RETRY_SECONDS_MAX = 900

/** Keeps a message of the provider's before it is answered. The same message again is the same row. */
export async function receiveEvent({ database }: Cards, event: CardEvent): Promise<void> {
  await keepEvent(database, event.id, event.type, event.intentId)
}

/**
 * Works off what the provider told us: each event only says which intent to ask about, so that order, delay and
 * repetition do not matter. What fails is tried again with growing pauses. Answers how many were looked at.
 */
export async function processEvents(context: Cards): Promise<number> {
  let seen = 0
  const unexpected: unknown[] = []
  for (;;) {
    const due = await takeDue(context.database, BATCH, TRY_DAYS_MAX)
    for (const event of due) {
      seen++
      const failure = await processEvent(context, event)
      if (failure instanceof Refusal) {
        // Whoever does not answer now is not asked about the others either; they are due again in a minute.
        if (failure.code === 'payments_unavailable') return seen
      } else if (failure !== undefined) unexpected.push(failure)
    }
    if (due.length === BATCH) continue
    if (unexpected.length > 0) throw new AggregateError(unexpected, 'Card events could not be worked off')
    return seen
  }
}

/** Answers what went wrong; one event's trouble does not keep the others waiting. */
async function processEvent(context: Cards, event: DueEvent): Promise<unknown> {
  const { database } = context
  try {
    await finishEvent(database, event.id, await outcomeOf(context, event))
    return undefined
  } catch (error) {
    const reason = error instanceof Refusal ? error.code : 'failed'
    const pause = RETRY_SECONDS[event.attempts - 1] ?? RETRY_SECONDS_MAX
    if (event.too_old) await finishEvent(database, event.id, reason)
    else await retryEvent(database, event.id, pause, reason)
    return error
  }
}

async function outcomeOf(context: Cards, { intent_id }: DueEvent): Promise<string> {
  const [purchase] = intent_id === null ? [] : await purchaseByIntent(context.database, intent_id)
  return purchase === undefined ? 'not ours' : settle(context, purchase)
}

/** Removes finished events when the provider cannot repeat them any more. */
export async function purgeCardEvents({ database }: Cards): Promise<void> {
  await forgetOld(database, KEEP_DAYS)
}
