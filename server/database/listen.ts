import pg from 'pg'
import { type Database, query } from './database.ts'

/** A connection that receives the notifications (NOTIFY) of one channel. */
export type Listener = {
  /** Whether notifications arrive. They do not through a pooler that shares connections between transactions. */
  readonly works: boolean
  close(): Promise<void>
}

const RECONNECT_MS = 1_000

const notify = query<never, [channel: string]>('notify', `select from pg_notify($1, '')`)

/** Calls `onNotification` for each notification of `channel`. Reconnects until it is closed; what is sent meanwhile is missed. */
export function listen(database: Database, channel: string, onNotification: () => void): Listener {
  let client: pg.Client | undefined
  let works = false
  let isClosed = false
  let reconnect: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const { connectionString, connectionTimeoutMillis, query_timeout } = database.pool.options
    const opened = new pg.Client({
      connectionString,
      connectionTimeoutMillis,
      query_timeout,
      application_name: 'tallywork-listen',
      keepAlive: true,
    })
    client = opened
    const onLoss = () => {
      if (client !== opened) return
      client = undefined
      works = false
      opened.end().catch(() => {})
      if (!isClosed) reconnect = setTimeout(() => void connect(), RECONNECT_MS)
    }
    opened.on('error', onLoss)
    opened.on('end', onLoss)
    opened.on('notification', () => {
      works = true
      onNotification()
    })
    try {
      await opened.connect()
      await opened.query(`listen ${pg.escapeIdentifier(channel)}`)
      // Its arrival shows that notifications arrive here.
      await notify(database, channel)
    } catch {
      onLoss()
    }
  }
  void connect()

  return {
    get works() {
      return works
    },
    async close() {
      isClosed = true
      clearTimeout(reconnect)
      await client?.end().catch(() => {})
    },
  }
}
