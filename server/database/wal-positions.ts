import { randomUUID } from 'node:crypto'
import { type Database, PIPELINED, query, queryOne } from './database.ts'

/** `system` identifies the cluster; `timeline` changes when a replica is promoted. `lsn` is in bytes. */
type PositionRow = { lsn: number; timeline: string; system: string }

const readPosition = queryOne<PositionRow, []>(
  'wal_position',
  `select (lsn - '0/0')::bigint as lsn, left(pg_walfile_name(lsn), 8) as timeline,
          (select system_identifier::text from pg_control_system()) as system
     from (select pg_current_wal_lsn() as lsn) as current`,
  PIPELINED,
)
const storeToken = query<never, [token: string]>(
  'replica_token_store',
  `with expired as (delete from replica_tokens where used_at < now() - interval '1 day' and token <> $1)
   insert into replica_tokens (token) values ($1) on conflict (token) do update set used_at = now()`,
)
const deleteToken = query<never, [token: string]>(
  'replica_token_delete',
  'delete from replica_tokens where token = $1',
)

/** Positions that are remembered: a minute of them. */
const POSITIONS_MAX = 300
const TOKEN_RENEWAL_MS = 3_600_000

/** The history that a replica must follow: its cluster, and a row that only this primary's changes contain. */
export type History = { system: string; timeline: string; token: string; renewedAt: number }

/** The positions of the primary in its WAL over the last minute, by which replicas are judged. */
export type WalPositions = {
  /** Reads the primary's position. Everything that was committed before the returned time is at or below it. */
  sample(): Promise<number>
  /** The history of the newest position; undefined before the first. */
  readonly history: History | undefined
  /** Returns the latest time before which everything is at or below `lsn`; -Infinity when there is none. */
  timeOf(lsn: number): number
  /** Forgets all positions. */
  forget(): void
  close(): Promise<void>
}

/** Follows the positions of a primary. Times are of `performance.now()`. */
export function followPositions(primary: Database): WalPositions {
  let positions: { at: number; lsn: number }[] = []
  let history: History | undefined
  let trustedSince = Number.NEGATIVE_INFINITY

  function forget(): void {
    positions = []
    trustedSince = performance.now()
  }

  /** Stores a new token when the primary is another one than before, and renews it by the hour. */
  async function follow({ system, timeline }: PositionRow): Promise<void> {
    const now = performance.now()
    const isSame = history?.system === system && history.timeline === timeline
    if (isSame && history !== undefined && now - history.renewedAt < TOKEN_RENEWAL_MS) return
    const token = isSame && history !== undefined ? history.token : randomUUID()
    if (!isSame) {
      forget()
      history = undefined
    }
    await storeToken(primary, token)
    history = { system, timeline, token, renewedAt: now }
  }

  return {
    async sample() {
      const at = performance.now()
      const position = await readPosition(primary)
      await follow(position)
      if (at < trustedSince) return at
      positions.push({ at, lsn: position.lsn })
      if (positions.length > POSITIONS_MAX) positions.shift()
      return at
    },
    get history() {
      return history
    },
    timeOf(lsn) {
      let latest = Number.NEGATIVE_INFINITY
      for (const position of positions) if (position.lsn <= lsn && position.at > latest) latest = position.at
      return latest
    },
    forget,
    async close() {
      if (history !== undefined) await deleteToken(primary, history.token).catch(() => {})
    },
  }
}
