import type { Database } from '#server/database/database.ts'
import { type Connection, frameOf } from './live-connection.ts'
import { endedSessions, eventsAfter, eventsOfUser, latestEvent } from './live-queries.ts'

const READ_MS = 250
const BATCH = 1000
/** Missed more than this, a page reads everything anew, which is cheaper. */
const MISSED_MAX = 200
/** Every connection hears something this often, and its session is looked at; a tenth of them each second. */
const HEARTBEAT_SECONDS = 10
const OF_ONE_PERSON_MAX = 20
const TASKS_LISTED_MAX = 50
const CONNECTIONS_MAX = 20_000

type Task = { _id: string }

export type Live = {
  readonly size: number
  readonly full: boolean
  /** Takes an open page in and, after `lastSeen`, tells it what it missed. Answers how it leaves. */
  join(connection: Connection, lastSeen: number | undefined): Promise<void>
  leave(connection: Connection): void
  /** Hangs up on everybody, who then come to another instance. */
  close(): void
}

/**
 * The open pages of this instance. While there are any it reads new events from the database, in the order the relay
 * numbered them: any number of instances deliver without knowing of each other.
 */
export function createLiveHub(database: Database, onError: (error: unknown) => void): Live {
  const people = new Map<string, Set<Connection>>()
  const circles = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<Connection>())
  const circleOf = new Map<Connection, Set<Connection>>()
  let changedTasks = new Map<string, Task>()
  let cursor: number | undefined
  let next = 0
  let beat = 0
  let reading: NodeJS.Timeout | undefined
  let beating: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    try {
      for (let more = true; more && cursor !== undefined; ) {
        const rows = await eventsAfter(database, cursor, BATCH)
        // What is a person's own reaches nobody who has signed out since.
        await closeEndedSessions(rows.flatMap(({ user_id }) => [...((user_id && people.get(user_id)) || [])]))
        for (const row of rows) {
          if (row.user_id === null) for (const task of tasksIn(row.body)) changedTasks.set(task._id, task)
          else {
            const connections = people.get(row.user_id)
            if (connections === undefined) continue
            const frame = frameOf(row)
            for (const connection of connections) connection.event(row, frame)
          }
        }
        cursor = rows.at(-1)?.seq ?? cursor
        more = rows.length === BATCH
      }
      broadcastTasks()
    } catch (error) {
      onError(error)
    } finally {
      reading = circleOf.size > 0 ? setTimeout(() => void read(), READ_MS) : undefined
      // Whoever comes later begins where things stand then.
      if (reading === undefined) cursor = undefined
    }
  }

  function broadcastTasks(): void {
    if (changedTasks.size === 0) return
    const tasks = changedTasks.size > TASKS_LISTED_MAX ? 'many' : [...changedTasks.values()]
    changedTasks = new Map()
    const frame = `event: tasks\ndata: ${JSON.stringify({ tasks })}\n\n`
    for (const connection of circleOf.keys()) if (connection.person.watchesTasks) connection.shared(frame)
  }

  /** One circle's heartbeat; who may not stay is told so and hung up on. */
  async function heartbeat(): Promise<void> {
    const circle = [...(circles[beat++ % HEARTBEAT_SECONDS] ?? [])]
    const now = Date.now()
    for (const connection of circle) {
      if (connection.person.until <= now) connection.end('renew')
      else connection.write(':\n\n')
    }
    await closeEndedSessions(circle)
  }

  async function closeEndedSessions(connections: readonly Connection[]): Promise<void> {
    if (connections.length === 0) return
    const ended = await endedSessions(database, [
      ...new Set(connections.map(({ person }) => person.sessionId)),
    ])
    const ids = new Set(ended.map(({ id }) => id))
    for (const connection of connections) if (ids.has(connection.person.sessionId)) connection.end('session')
  }

  return {
    get size() {
      return circleOf.size
    },
    get full() {
      return circleOf.size >= CONNECTIONS_MAX
    },
    async join(connection, lastSeen) {
      // From here on the reader misses nothing; only then is looked up what this page has missed.
      if (cursor === undefined) {
        const { head } = await latestEvent(database)
        cursor ??= head
      }
      if (!connection.open) return
      const { userId } = connection.person
      const own = people.get(userId) ?? new Set()
      if (own.size >= OF_ONE_PERSON_MAX) [...own][0]?.end('crowded')
      people.set(userId, own.add(connection))
      const circle = circles[next++ % HEARTBEAT_SECONDS] ?? new Set()
      circleOf.set(connection, circle.add(connection))
      reading ??= setTimeout(() => void read(), READ_MS)
      beating ??= setInterval(() => void heartbeat().catch(onError), 1000)

      const { head, oldest } = await latestEvent(database)
      const known = lastSeen !== undefined && lastSeen <= head && lastSeen >= (oldest ?? head + 1) - 1
      const missed = known ? await eventsOfUser(database, userId, lastSeen, MISSED_MAX + 1) : []
      const resumed = known && missed.length <= MISSED_MAX
      connection.begin(resumed, resumed ? missed : [], head)
      if (resumed && connection.person.watchesTasks)
        connection.shared('event: tasks\ndata: {"tasks":"many"}\n\n')
    },
    leave(connection) {
      const { userId } = connection.person
      const own = people.get(userId)
      own?.delete(connection)
      if (own?.size === 0) people.delete(userId)
      circleOf.get(connection)?.delete(connection)
      circleOf.delete(connection)
      if (circleOf.size === 0) {
        clearInterval(beating)
        beating = undefined
      }
    },
    close() {
      for (const connection of circleOf.keys()) connection.end('stopping')
    },
  }
}

function tasksIn(body: string): Task[] {
  return (JSON.parse(body) as { tasks: Task[] }).tasks
}
