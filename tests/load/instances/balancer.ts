import { createServer, request, type Server } from 'node:http'

/** A balancer as small as can be: each request goes to the next server in turn, whole and in both directions. */
export function balance(ports: number[], port: number): Promise<Server> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const next = ports[turn++ % ports.length] as number
    const onward = request(
      {
        port: next,
        host: '127.0.0.1',
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
