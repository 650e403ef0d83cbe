import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { addressesIn } from './address-ranges.ts'
import { clientNetwork } from './client-network.ts'

declare module 'fastify' {
  interface FastifyInstance {
    connectionLimit: ConnectionLimit
  }
}

/** Open connections at most, in all and per client network. Event streams have a limit of their own. */
export type ConnectionMaxima = { total: number; perNetwork: number }

export type ConnectionLimit = {
  /** Takes a connection out of the limit, because a longer-lived limit counts it. */
  exempt(socket: Socket): void
  size(): number
  /** Connections closed since the server started: idle ones that made room, and new ones for which there was none. */
  closed: number
}

type Connection = { network: string | undefined; responses: number }

/**
 * Limits open connections. Above a maximum, the connection that has waited longest for bytes of its client is closed, so
 * that clients which send nothing or half a request keep no other client out; where none waits, the oldest one whose client
 * does not read its response. When every connection is being served, the new one is closed. Connections of trusted proxies carry many clients and count in the total only.
 */
export function limitConnections(
  app: FastifyInstance,
  trustedProxies: readonly string[],
  { total, perNetwork }: ConnectionMaxima,
): void {
  const isProxy = addressesIn(trustedProxies)
  const connections = new Map<Socket, Connection>()
  const perNetworkCount = new Map<string, number>()
  /** Connections that wait for bytes of their client, longest first. */
  const waiting = new Set<Socket>()
  /** The responses in progress, oldest first. */
  const serving = new Map<Socket, ServerResponse>()
  const limit: ConnectionLimit = { exempt: remove, size: () => connections.size, closed: 0 }

  function remove(socket: Socket): void {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connections.delete(socket)
    waiting.delete(socket)
    serving.delete(socket)
    const { network } = connection
    if (network === undefined) return
    const count = (perNetworkCount.get(network) ?? 1) - 1
    if (count === 0) perNetworkCount.delete(network)
    else perNetworkCount.set(network, count)
  }

  function close(socket: Socket): void {
    limit.closed++
    remove(socket)
    socket.destroy()
  }

  /**
   * Closes the connection that has waited longest for its client, of this network or of all. Returns true, or false when none
   * waits.
   */
  function closeLongestWaiting(network?: string): boolean {
    const isOf = (socket: Socket) => network === undefined || connections.get(socket)?.network === network
    for (const socket of waiting) {
      if (!isOf(socket)) continue
      close(socket)
      return true
    }
    for (const [socket, response] of serving) {
      if (response.writableLength === 0 || !isOf(socket)) continue
      close(socket)
      return true
    }
    return false
  }

  app.server.on('connection', (socket: Socket) => {
    const ip = socket.remoteAddress ?? ''
    const network = isProxy(ip) ? undefined : clientNetwork(ip)
    const ofNetwork = network === undefined ? 0 : (perNetworkCount.get(network) ?? 0)
    const hasRoom =
      (ofNetwork < perNetwork || closeLongestWaiting(network)) &&
      (connections.size < total || closeLongestWaiting())
    connections.set(socket, { network, responses: 0 })
    if (network !== undefined) perNetworkCount.set(network, (perNetworkCount.get(network) ?? 0) + 1)
    if (!hasRoom) return close(socket)
    waiting.add(socket)
    socket.once('close', () => remove(socket))
  })

  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.responses++
    waiting.delete(socket)
    serving.set(socket, response)
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if ((length !== undefined && length !== '0') || encoding !== undefined) {
      waiting.add(socket)
      request.once('end', () => {
        if (connection.responses > 0) waiting.delete(socket)
      })
    }
    response.once('close', () => {
      connection.responses--
      if (connection.responses > 0) return
      serving.delete(socket)
      if (connections.has(socket)) waiting.add(socket)
    })
  })

  app.decorate('connectionLimit', limit)
}
