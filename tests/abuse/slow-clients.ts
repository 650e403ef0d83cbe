import { connect } from 'node:net'
import type { Statuses } from './attacker.ts'

const HALF_HEADERS = 'GET /api/site HTTP/1.1\r\nHost: localhost\r\nX: '
const HALF_BODY =
  'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{'

/** Opens connections, sends half a request on each, and keeps its own half open until the server destroys them all. */
export async function holdHalfRequests(port: number, count: number): Promise<Statuses> {
  const statuses: Statuses = {}
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
      let said = ''
      socket.on('data', (chunk) => {
        said += String(chunk)
      })
      socket.write(index % 2 === 0 ? HALF_HEADERS : HALF_BODY)
      // The server's end, or its reset.
      await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
      socket.destroy()
      const status = /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 'closed'
      statuses[status] = (statuses[status] ?? 0) + 1
    }),
  )
  return statuses
}
