import type { Database } from './database.ts'
import { followReplica, type Replica, type ReplicaOptions, type ReplicaState } from './replica.ts'
import { followPositions } from './wal-positions.ts'

const PROBE_INTERVAL_MS = 200
/** Live events wait at most this long for replicas. */
const CATCH_UP_MAX_MS = 100

/** The read replicas of the primary. */
export type Replicas = {
  /** Whether any is configured. */
  readonly any: boolean
  /** Returns a replica that has everything that was committed up to a second ago, each in turn; undefined when there is none. */
  choose(): Replica | undefined
  /**
   * Waits, for a moment at most, until the replicas have everything that is committed now; one that has not is not chosen before it
   * does. Never rejects.
   */
  catchUp(): Promise<void>
  /** After a lost connection the primary may be another one: no replica is chosen before it has proved itself again. */
  distrust(): void
  states(): ReplicaState[]
  close(): Promise<void>
}

export const NO_REPLICAS: Replicas = {
  any: false,
  choose: () => undefined,
  catchUp: async () => {},
  distrust: () => {},
  states: () => [],
  close: async () => {},
}

/** Follows the replicas at these URLs, each with a pool of `max` connections (docs/decisions/0094-read-replicas.md). */
export function openReplicas(primary: Database, urls: readonly string[], options: ReplicaOptions): Replicas {
  if (urls.length === 0) return NO_REPLICAS
  const positions = followPositions(primary)
  const replicas = urls.map((url) => followReplica(url, positions, options))
  let timer: NodeJS.Timeout | undefined
  let turn = 0
  /** Replicas without everything that was committed before this time are not chosen. */
  let neededTo = Number.NEGATIVE_INFINITY
  let round = Promise.resolve()
  let isClosed = false

  async function probeAll(): Promise<void> {
    // Without the primary's position no replica is confirmed, and all are out of use within the lag bound.
    await positions.sample().catch(() => {})
    for (const replica of replicas) void replica.probe()
    if (!isClosed) timer = setTimeout(next, PROBE_INTERVAL_MS).unref()
  }
  function next(): void {
    round = probeAll()
  }
  next()

  return {
    any: true,
    choose() {
      for (let tried = 0; tried < replicas.length; tried++) {
        const replica = replicas[turn++ % replicas.length]
        if (replica?.isUsable && replica.currentTo >= neededTo) return replica
      }
      return undefined
    },
    async catchUp() {
      try {
        const now = await positions.sample()
        const deadline = performance.now() + CATCH_UP_MAX_MS
        await Promise.all(replicas.map((replica) => replica.reach(now, deadline)))
        neededTo = Math.max(neededTo, now)
      } catch {
        neededTo = performance.now()
      }
    },
    distrust() {
      positions.forget()
      neededTo = performance.now()
    },
    states: () => replicas.map(({ state }) => state),
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (const replica of replicas) replica.close()
      await round
      clearTimeout(timer)
      await positions.close()
    },
  }
}
