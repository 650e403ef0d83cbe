import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { serverName } from '#server/replica-settings.ts'
import { type Database, openDatabase } from './database.ts'
import type { WalPositions } from './wal-positions.ts'

/** A replica is read from while it has everything that was committed before this time. */
export const LAG_MAX_MS = 1_000
/** A replica that does not respond within this time is not used. */
const PROBE_TIMEOUT_MS = 500
const RECONNECT_MS = 1_000
/** Shorter than the primary's, because the read is then repeated there. Totals over whole tables have their own. */
const READ_TIMEOUT_MS = 800
/** After a failed read a replica is not used for this long. */
const PAUSE_MS = 2_000
const CATCH_UP_POLL_MS = 5

/** `lsn` is the text of an int8; a standby has no `timeline`. */
type Probe = {
  isStandby: boolean
  lsn: string | null
  timeline: string | null
  system: string
  hasToken: boolean
}

const PROBE = `select pg_is_in_recovery() as "isStandby", (pg_last_wal_replay_lsn() - '0/0')::bigint as lsn,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
    (select system_identifier::text from pg_control_system()) as system,
    exists (select from replica_tokens where token = $1) as "hasToken"`

/** The connections to a replica: one for probes, a pool for reads. `open` has the connections of the pool. */
type Link = { client: pg.Client; database: Database; open: Set<pg.PoolClient> }

/** `isPrimary` says that it is the primary itself, as where all nodes of a cluster are listed. */
export type ReplicaState = { name: string; isUsed: boolean; isPrimary: boolean; lagMs: number }

export type Replica = {
  /** Whether it can be read from now. */
  readonly isUsable: boolean
  /** It has everything that was committed before this time of `performance.now()`. */
  readonly currentTo: number
  readonly state: ReplicaState
  /** Asks the replica for its position. Never rejects. */
  probe(): Promise<void>
  /** Waits until it has everything that was committed before a time, if it is within the lag bound, and until a deadline. */
  reach(time: number, deadline: number): Promise<void>
  /** For reads, while it is usable. When the replica stops responding, they fail. */
  readonly database: Database | undefined
  /** Pauses its use after a failed read. */
  pause(): void
  close(): void
}

/** `max` is the number of connections for reads. */
export type ReplicaOptions = { max: number; prepare: boolean; log: (line: string) => void }

/**
 * Follows one replica. It is usable while it is a standby of the primary's cluster, has replayed changes of this very primary, and
 * has everything that was committed up to `LAG_MAX_MS` ago. A change of that is logged.
 */
export function followReplica(
  url: string,
  positions: WalPositions,
  { max, prepare, log }: ReplicaOptions,
): Replica {
  const name = serverName(url)
  let link: Link | undefined
  let reconnectAt = 0
  let pausedUntil = 0
  let probing: Promise<void> | undefined
  let isClosed = false
  let isPrimary = false
  /** It has everything that was committed before this time. */
  let currentTo = Number.NEGATIVE_INFINITY
  /** The same, also of a replica that is not used. */
  let knownTo = performance.now()
  /** Why it is not used; empty while it is. */
  let reason: string | undefined

  const lagMs = () => performance.now() - currentTo

  async function open(): Promise<Link> {
    const config = {
      connectionString: url,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
    }
    const client = new pg.Client(config)
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      destroy(client)
      throw error
    }
    client.on('end', () => {
      if (link?.client === client) lose('it closed the connection')
    })
    const database = openDatabase({ ...config, query_timeout: READ_TIMEOUT_MS }, { max, prepare })
    const open = new Set<pg.PoolClient>()
    database.pool.on('connect', (added) => open.add(added)).on('remove', (removed) => open.delete(removed))
    return { client, database, open }
  }

  /** Gives up the connection and breaks the pool's, so that a total over a whole table does not wait for a frozen server. */
  function lose(why: string): void {
    currentTo = Number.NEGATIVE_INFINITY
    isPrimary = false
    reconnectAt = performance.now() + RECONNECT_MS
    const lost = link
    link = undefined
    if (lost !== undefined) {
      for (const client of [lost.client, ...lost.open]) destroy(client)
      void lost.database.close().catch(() => {})
    }
    report(why)
  }

  function report(why: string): void {
    if (why === reason || isClosed) return
    reason = why
    log(why === '' ? `The replica ${name} is used.` : `The replica ${name} is not used: ${why}.`)
  }

  /** Returns why a replica in this state is not used; nothing when it is. */
  function judge({ isStandby, lsn, timeline, system, hasToken }: Probe): string {
    const { history } = positions
    currentTo = Number.NEGATIVE_INFINITY
    isPrimary = hasToken && history?.system === system && history.timeline === timeline
    if (history === undefined) return 'the position of the primary is unknown'
    if (system !== history.system) return 'it belongs to another cluster'
    if (isPrimary) return 'it is the primary'
    if (!isStandby) return 'it is another primary'
    if (!hasToken || lsn === null) return 'it has not replayed recent changes of this primary'
    currentTo = positions.timeOf(Number(lsn))
    knownTo = Math.max(knownTo, currentTo)
    // A replica that was too far behind must be well within the bound again.
    return lagMs() <= (reason === '' ? LAG_MAX_MS : LAG_MAX_MS / 2) ? '' : 'it is behind'
  }

  async function probeOnce(): Promise<void> {
    if (isClosed || (link === undefined && performance.now() < reconnectAt)) return
    const known = link
    try {
      link ??= await open()
      const { rows } = await link.client.query<Probe>(PROBE, [positions.history?.token ?? null])
      report(judge(rows[0] as Probe))
    } catch (error) {
      if (known === undefined || known === link) lose(reasonOf(error))
    }
    if (isClosed) lose('the server stops')
  }

  const replica: Replica = {
    get isUsable() {
      return link !== undefined && reason === '' && lagMs() <= LAG_MAX_MS && performance.now() >= pausedUntil
    },
    get currentTo() {
      return currentTo
    },
    get state() {
      return { name, isUsed: replica.isUsable, isPrimary, lagMs: performance.now() - knownTo }
    },
    probe() {
      probing ??= probeOnce().finally(() => {
        probing = undefined
      })
      return probing
    },
    async reach(time, deadline) {
      while (currentTo < time && lagMs() <= LAG_MAX_MS && performance.now() < deadline) {
        await replica.probe()
        if (currentTo < time) await sleep(CATCH_UP_POLL_MS)
      }
    },
    get database() {
      return link?.database
    },
    pause() {
      pausedUntil = performance.now() + PAUSE_MS
    },
    close() {
      isClosed = true
      lose('the server stops')
    },
  }
  return replica
}

/** Closes the socket of a connection. Its queries fail; `end()` would wait for the server. */
function destroy(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.destroy()
}

/** Returns the reason in words that do not change with every attempt. */
function reasonOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (/timeout/i.test(message)) return 'it does not respond'
  return `it cannot be reached (${code ?? message})`
}
