import type { Database } from '#server/database/database.ts'
import { type Listener, listen } from '#server/database/listen.ts'
import type { Replicas } from '#server/database/replicas.ts'
import { type Polling, startPolling } from '#server/polling.ts'
import type { Connection } from './live-connection.ts'
import { endedSessions, eventsAfter, eventsOfUser, hasTaskEvents, latestEvent } from './live-queries.ts'
import { RELAYED } from './relay.ts'

/** Poll intervals without and with NOTIFY of the relay. */
const POLL_MS = 250
const SAFETY_POLL_MS = 2_000
const GAP_MS = 25
const BATCH_SIZE = 1000
/** A client that missed more events reloads everything, which is cheaper. */
const MISSED_MAX = 200
/** The heartbeat interval of a connection; one group of connections gets its heartbeat each second. */
const HEARTBEAT_SECONDS = 10
const CONNECTIONS_PER_USER_MAX = 20
const TASKS_PER_FRAME_MAX = 50
const CONNECTIONS_MAX = 20_000

type Task = { _id: string }

export type LiveHub = {
  readonly size: number
  readonly full: boolean
  /** Adds a connection and sends the events it missed after `lastSeen`, since which it `hasLoaded` its data or not. */
  join(connection: Connection, lastSeen: number | undefined, hasLoaded: boolean): Promise<void>
  leave(connection: Connection): void
  /** Closes every connection; clients reconnect to another instance. */
  close(): Promise<void>
}

/**
 * Creates the hub of this instance's event streams. While there are connections it reads new events from the database when
 * a relay notifies it, in the order the relay numbered them, so that any number of instances deliver without
 * coordination. It also polls, because a notification can be missed.
 */
export function createLiveHub(
  database: Database,
  replicas: Replicas,
  onError: (error: unknown) => void,
): LiveHub {
  const byUser = new Map<string, Set<Connection>>()
  const heartbeatGroups = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<Connection>())
  const groupOf = new Map<Connection, Set<Connection>>()
  let changedTasks = new Map<string, Task>()
  let cursor: number | undefined
  let nextGroup = 0
  let tick = 0
  let polling: Polling | undefined
  let listener: Listener | undefined
  let heartbeatTimer: NodeJS.Timeout | undefined

  async function poll(): Promise<void> {
    try {
      for (let more = true; more && cursor !== undefined; ) {
        const rows = await eventsAfter(database, cursor, BATCH_SIZE)
        // Clients that receive an event read what it is about.
        if (rows.length > 0) await replicas.catchUp()
        // Ended sessions receive no events of their user.
        await closeEndedSessions(rows.flatMap(({ user_id }) => [...((user_id && byUser.get(user_id)) || [])]))
        for (const row of rows) {
          if (row.user_id === null) for (const task of tasksIn(row.body)) changedTasks.set(task._id, task)
          else {
            const connections = byUser.get(row.user_id)
            if (connections === undefined) continue
            for (const connection of connections) connection.event(row)
          }
        }
        cursor = rows.at(-1)?.seq ?? cursor
        more = rows.length === BATCH_SIZE
      }
      broadcastTasks()
    } catch (error) {
      onError(error)
    }
    if (groupOf.size > 0) return
    void polling?.stop()
    polling = undefined
    // The next connection starts at the latest event.
    cursor = undefined
  }

  function beginPolling(): void {
    listener ??= listen(database, RELAYED, () => polling?.wake())
    polling ??= startPolling(poll, {
      idleMs: () => (listener?.works ? SAFETY_POLL_MS : POLL_MS),
      gapMs: GAP_MS,
    })
  }

  function broadcastTasks(): void {
    if (changedTasks.size === 0) return
    const tasks = changedTasks.size > TASKS_PER_FRAME_MAX ? 'many' : [...changedTasks.values()]
    changedTasks = new Map()
    const frame = `event: tasks\ndata: ${JSON.stringify({ tasks })}\n\n`
    for (const connection of groupOf.keys()) if (connection.client.watchesTasks) connection.broadcast(frame)
  }

  /** Sends the heartbeat of one group and closes connections that expired or whose session ended. */
  async function heartbeat(): Promise<void> {
    const group = [...(heartbeatGroups[tick++ % HEARTBEAT_SECONDS] ?? [])]
    const now = Date.now()
    for (const connection of group) {
      if (connection.client.until <= now) connection.end('renew')
      else connection.write(':\n\n')
    }
    await closeEndedSessions(group)
  }

  async function closeEndedSessions(connections: readonly Connection[]): Promise<void> {
    if (connections.length === 0) return
    const ended = await endedSessions(database, [
      ...new Set(connections.map(({ client }) => client.sessionId)),
    ])
    const ids = new Set(ended.map(({ id }) => id))
    for (const connection of connections) if (ids.has(connection.client.sessionId)) connection.end('session')
  }

  return {
    get size() {
      return groupOf.size
    },
    get full() {
      return groupOf.size >= CONNECTIONS_MAX
    },
    async join(connection, lastSeen, hasLoaded) {
      // Polling starts before the missed events are read, so that none falls between.
      if (cursor === undefined) {
        const { head } = await latestEvent(database)
        cursor ??= head
      }
      if (!connection.open) return
      const { userId } = connection.client
      const own = byUser.get(userId) ?? new Set()
      // An ended connection is in the set until it is closed.
      const others = [...own].filter(({ open }) => open)
      if (others.length >= CONNECTIONS_PER_USER_MAX) others[0]?.end('crowded')
      byUser.set(userId, own.add(connection))
      const group = heartbeatGroups[nextGroup++ % HEARTBEAT_SECONDS] ?? new Set()
      groupOf.set(connection, group.add(connection))
      beginPolling()
      heartbeatTimer ??= setInterval(() => void heartbeat().catch(onError), 1000)

      const { head, oldest } = await latestEvent(database)
      const isKnown = lastSeen !== undefined && lastSeen <= head && lastSeen >= (oldest ?? head + 1) - 1
      const missed = isKnown ? await eventsOfUser(database, userId, lastSeen, MISSED_MAX + 1) : []
      const resumed = isKnown && missed.length <= MISSED_MAX
      connection.begin(resumed, resumed ? missed : [], head)
      if (!resumed || !connection.client.watchesTasks) return
      // Changes of tasks that were polled while the missed events were read were not sent; a new task is no event.
      if (!hasLoaded || (await hasTaskEvents(database, lastSeen)).found)
        connection.broadcast('event: tasks\ndata: {"tasks":"many"}\n\n')
    },
    leave(connection) {
      const { userId } = connection.client
      const own = byUser.get(userId)
      own?.delete(connection)
      if (own?.size === 0) byUser.delete(userId)
      groupOf.get(connection)?.delete(connection)
      groupOf.delete(connection)
      if (groupOf.size === 0) {
        clearInterval(heartbeatTimer)
        heartbeatTimer = undefined
      }
    },
    async close() {
      for (const connection of groupOf.keys()) connection.end('stopping')
      await Promise.all([polling?.stop(), listener?.close()])
    },
  }
}

function tasksIn(body: string): Task[] {
  return (JSON.parse(body) as { tasks: Task[] }).tasks
}
