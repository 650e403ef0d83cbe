import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection to the database that can be cut, stalled and slowed: listens on loopback, speaks to a unix socket. */
export type Proxy = {
  port: number
  cut(): void
  /** Holds all traffic for this long, then releases it. */
  stall(ms: number): Promise<void>
  /** Delays every chunk by this long, for a while. */
  slow(delayMs: number, forMs: number): Promise<void>
  close(): Promise<void>
}

export async function startProxy(socketPath: string): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>()
  let delay = 0
  let released = Promise.resolve()
  /** Holds chunks back while the connections are stalled or slow. No chunk overtakes another one of its direction. */
  async function* hold(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      await released
      if (delay > 0) await sleep(delay)
      yield chunk
    }
  }
  // A connection that breaks ends the other one of its pair, too.
  const forward = (from: Socket, to: Socket) => pipeline(from, hold, to).catch(() => {})
  const server = createServer((client) => {
    const database = connect(socketPath)
    const pair: [Socket, Socket] = [client, database]
    pairs.add(pair)
    void forward(client, database)
    void forward(database, client)
    for (const [one, other] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')

  const all = (what: (socket: Socket) => void) => {
    for (const pair of pairs) for (const socket of pair) what(socket)
  }
  return {
    port: address.port,
    cut: () => all((socket) => socket.destroy()),
    async stall(ms) {
      released = sleep(ms)
      await released
    },
    async slow(delayMs, forMs) {
      delay = delayMs
      await sleep(forMs)
      delay = 0
    },
    async close() {
      all((socket) => socket.destroy())
      server.close()
      await once(server, 'close')
    },
  }
}
