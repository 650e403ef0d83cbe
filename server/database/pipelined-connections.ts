import pg from 'pg'

/** More are not sent to one connection at a time: whoever comes then goes to the pool. */
const UNDER_WAY_MAX = 32
/** A connection that nobody used for between one and two of these is closed. */
const IDLE_MS = 30_000

type Line = { client: pg.Client; opened: Promise<unknown>; underWay: number; used: boolean }

export type Lines = {
  /** Sends a reading behind those that are on their way; undefined where there is no room. */
  read(reading: pg.QueryConfig): Promise<pg.QueryResult> | undefined
  /** How many connections are open, and on how many of them nothing is under way. */
  readonly open: number
  readonly idle: number
  close(): Promise<void>
}

/**
 * Connections that short readings share. Each is sent at once and does not wait until the one before has been answered:
 * the database does not fall asleep between two, and both sides take several at a time. What may wait for a lock, or
 * take long, would hold up those behind it, and belongs to the pool.
 */
export function openPipelinedConnections(
  config: pg.ClientConfig,
  count: number,
  onError: (error: Error) => void,
): Lines {
  const lines = new Set<Line>()

  function open(): Line {
    const client = new pg.Client({ ...config, pipeline: true })
    const line: Line = { client, opened: client.connect(), underWay: 0, used: true }
    lines.add(line)
    const forget = () => lines.delete(line)
    client.on('error', (error) => {
      if (forget()) onError(error)
    })
    client.on('end', forget)
    line.opened.catch(forget)
    return line
  }

  function leastBusy(): Line | undefined {
    let found: Line | undefined
    for (const line of lines) if (found === undefined || line.underWay < found.underWay) found = line
    if (lines.size < count && (found === undefined || found.underWay > 0)) return open()
    return found === undefined || found.underWay >= UNDER_WAY_MAX ? undefined : found
  }

  async function send(line: Line, reading: pg.QueryConfig): Promise<pg.QueryResult> {
    line.underWay++
    line.used = true
    try {
      await line.opened
      return await line.client.query(reading)
    } finally {
      line.underWay--
    }
  }

  function closeIdle(): void {
    for (const line of lines) {
      if (!line.used && line.underWay === 0) {
        lines.delete(line)
        void line.client.end()
      }
      line.used = false
    }
  }
  const closing = setInterval(closeIdle, IDLE_MS).unref()

  return {
    read(reading) {
      const line = leastBusy()
      return line === undefined ? undefined : send(line, reading)
    },
    get open() {
      return lines.size
    },
    get idle() {
      return [...lines].filter(({ underWay }) => underWay === 0).length
    },
    async close() {
      clearInterval(closing)
      await Promise.all([...lines].map(({ client }) => client.end()))
    },
  }
}
