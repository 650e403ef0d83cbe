import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Browsers open connections before they need them. Node counts one on which nothing was asked yet as busy, and a stop
 * would wait for its time-out; here such connections are closed when the stop begins.
 */
export function closeIdleConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
}
