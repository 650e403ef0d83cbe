import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string }

/** A receiver of webhooks on this machine. `respond` decides each response; by default 204. */
export async function startReceiver(
  respond: (response: ServerResponse, request: Received) => void = (response) =>
    response.writeHead(204).end(),
) {
  const received: Received[] = []
  const receiver = { respond }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        path: request.url ?? '',
      }
      received.push(one)
      receiver.respond(response, one)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    /** The bodies that were received, parsed. */
    get events(): { id: string; type: string; data: Record<string, string> }[] {
      return received.map(({ body }) => JSON.parse(body))
    },
    set respond(next: typeof respond) {
      receiver.respond = next
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
