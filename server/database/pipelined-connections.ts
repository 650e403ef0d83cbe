import pg from 'pg'

/** Queries in flight on one connection. Above it, callers use the pool. */
const IN_FLIGHT_MAX = 32
/** Connections idle for between one and two of these intervals are closed. */
const IDLE_MS = 30_000

type Connection = { client: pg.Client; connected: Promise<unknown>; inFlight: number; used: boolean }

export type PipelinedConnections = {
  /** Sends a query behind those in flight. Returns undefined when every connection is full. */
  query(query: pg.QueryConfig): Promise<pg.QueryResult> | undefined
  /** Open connections, and those with no query in flight. */
  readonly open: number
  readonly idle: number
  close(): Promise<void>
}

/**
 * Opens up to `count` connections in pipeline mode for short reads. A query is sent without waiting for the result of
 * the one before it, so that client and database process several at a time. Queries that can wait for a lock or take
 * long would delay those behind them; they use the pool. `onConnect` runs first on each connection.
 */
export function openPipelinedConnections(
  config: pg.ClientConfig,
  count: number,
  onConnect: (client: pg.Client) => Promise<void>,
  onError: (error: Error) => void,
): PipelinedConnections {
  const connections = new Set<Connection>()

  function open(): Connection {
    const client = new pg.Client({ ...config, pipeline: true })
    const connected = client.connect().then(() => onConnect(client))
    const connection: Connection = { client, connected, inFlight: 0, used: true }
    connections.add(connection)
    const remove = () => connections.delete(connection)
    client.on('error', (error) => {
      if (remove()) onError(error)
    })
    client.on('end', remove)
    connection.connected.catch(remove)
    return connection
  }

  function leastBusy(): Connection | undefined {
    let found: Connection | undefined
    for (const connection of connections)
      if (found === undefined || connection.inFlight < found.inFlight) found = connection
    if (connections.size < count && (found === undefined || found.inFlight > 0)) return open()
    return found === undefined || found.inFlight >= IN_FLIGHT_MAX ? undefined : found
  }

  async function send(connection: Connection, query: pg.QueryConfig): Promise<pg.QueryResult> {
    connection.inFlight++
    connection.used = true
    try {
      await connection.connected
      return await connection.client.query(query)
    } finally {
      connection.inFlight--
    }
  }

  function closeIdle(): void {
    for (const connection of connections) {
      if (!connection.used && connection.inFlight === 0) {
        connections.delete(connection)
        void connection.client.end()
      }
      connection.used = false
    }
  }
  const idleTimer = setInterval(closeIdle, IDLE_MS).unref()

  return {
    query(query) {
      const connection = leastBusy()
      return connection === undefined ? undefined : send(connection, query)
    },
    get open() {
      return connections.size
    },
    get idle() {
      return [...connections].filter(({ inFlight }) => inFlight === 0).length
    },
    async close() {
      clearInterval(idleTimer)
      await Promise.all([...connections].map(({ client }) => client.end()))
    },
  }
}
