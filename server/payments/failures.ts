import { EventEmitter } from 'node:events'
import type { CARD_FAILURE_KINDS } from '#contract/system.ts'
import { type Database, query } from '#server/database/database.ts'

export type FailureKind = (typeof CARD_FAILURE_KINDS)[number]

/** A failure of the card processor. `requestId` finds the request in the provider's log. */
export type Failure = {
  operation: string
  kind: FailureKind
  status: number | null
  code: string | null
  requestId: string | null
  message: string
}

/** Emits every failure of the card processor: for the log, the metrics and the System screen. */
export type FailureEvents = EventEmitter<{ failure: [Failure] }>

export const createFailureEvents = (): FailureEvents => new EventEmitter()

const MESSAGE_MAX = 300

/** Emits a failure, without keys and client secrets in its message. */
export function reportFailure(events: FailureEvents, failure: Failure): void {
  const message = failure.message
    .replace(/\b(?:[spr]k_(?:test|live)|whsec)_[\w*]+/g, '[key]')
    .replace(/_secret_\w+/g, '_secret_[removed]')
    .slice(0, MESSAGE_MAX)
  events.emit('failure', { ...failure, message })
}

const insertFailure = query<
  never,
  [
    operation: string,
    kind: string,
    status: number | null,
    code: string | null,
    requestId: string | null,
    message: string,
  ]
>(
  'card_failure_insert',
  `insert into card_failures as known (minute, operation, kind, status, code, request_id, message)
   values (date_trunc('minute', clock_time()), $1, $2, $3, $4, $5, $6)
   on conflict (minute, operation, kind) do update
      set count = known.count + 1, status = excluded.status, code = excluded.code, request_id = excluded.request_id,
          message = excluded.message, last_at = excluded.last_at`,
)
const deleteOld = query<never, [days: number]>(
  'card_failures_purge',
  `delete from card_failures where minute < clock_time() - $1 * interval '1 day'`,
)

const KEEP_DAYS = 14

/** Stores failures for the System screen. Without the database they are only in the log. */
export function storeFailures(database: Database, events: FailureEvents): void {
  events.on('failure', ({ operation, kind, status, code, requestId, message }) => {
    void insertFailure(database, operation, kind, status, code, requestId, message).catch(() => {})
  })
}

export async function purgeFailures(database: Database): Promise<void> {
  await deleteOld(database, KEEP_DAYS)
}

export type FailureRow = {
  operation: string
  kind: FailureKind
  count: number
  status: number | null
  code: string | null
  request_id: string | null
  message: string
  last_at: string
}

/** Returns the failures of the last `hours` by operation and kind, latest first, with the last of each. */
export const recentFailures = query<FailureRow, [hours: number]>(
  'card_failures_recent',
  `select operation, kind, sum(count)::int as count,
          (array_agg(status order by last_at desc))[1] as status, (array_agg(code order by last_at desc))[1] as code,
          (array_agg(request_id order by last_at desc))[1] as request_id,
          (array_agg(message order by last_at desc))[1] as message, max(last_at) as last_at
     from card_failures where minute > clock_time() - $1 * interval '1 hour'
    group by operation, kind order by max(last_at) desc`,
)
