import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether `/readyz` fails, so that the load balancer sends requests to another instance. */
    draining: boolean
  }
}

/** When the server closes, its connections get this long to finish. */
const FINISH_MS = 7_000

/**
 * Ends connections when the server closes. Connections without a request are closed: browsers open some in advance, and
 * Node counts them as busy until their timeout. Each response then says `Connection: close`, requests in flight included.
 * What has not finished after `finishMs` is cut off.
 */
export function drainConnections(app: FastifyInstance, finishMs = FINISH_MS): void {
  app.decorate('draining', false)
  const responses = new Map<Socket, Set<ServerResponse>>()
  let closing = false

  app.server.on('connection', (socket) => {
    responses.set(socket, new Set())
    socket.once('close', () => responses.delete(socket))
  })
  // Before Fastify's own listener, which may send the whole response at once.
  app.server.prependListener('request', ({ socket }, response) => {
    const inProgress = responses.get(socket)
    if (closing) response.shouldKeepAlive = false
    inProgress?.add(response)
    response.once('close', () => {
      inProgress?.delete(response)
      // Its headers may have been sent before the server closed, and promise to keep the connection open.
      if (closing && inProgress?.size === 0) socket.destroySoon()
    })
  })

  app.addHook('preClose', async () => {
    closing = true
    for (const [socket, inProgress] of responses) {
      if (socket.bytesRead === 0) socket.destroy()
      for (const response of inProgress) response.shouldKeepAlive = false
    }
    const cutOff = setTimeout(() => {
      for (const socket of responses.keys()) socket.destroy()
    }, finishMs)
    app.server.once('close', () => clearTimeout(cutOff))
  })
}
