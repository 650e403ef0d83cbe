import type { Readable } from 'node:stream'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { clientNetwork } from './client-network.ts'
import { Refusal } from './refusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readBody: ReadBody
  }
}

/**
 * Reads a request's body, of at most `maxBytes` or the limit of the route.
 * @throws FST_ERR_CTP_BODY_TOO_LARGE; Refusal `unavailable` above a maximum of unfinished bodies.
 */
type ReadBody = (request: FastifyRequest, payload: Readable, maxBytes?: number) => Promise<Buffer>

/** Bytes of memory for unfinished bodies at most, in all and per client network. */
export type BodyMaxima = { total: number; perNetwork: number }

const MAXIMA: BodyMaxima = { total: 64 * 1024 * 1024, perNetwork: 8 * 1024 * 1024 }
/** The first bytes of each body, which do not count: the limit of connections bounds them. Most bodies are smaller. */
const UNCOUNTED_BYTES = 4096

/**
 * Limits the memory of bodies that are being received. A body is one buffer that grows, because a buffer per chunk of a byte
 * takes a hundred times the bytes sent. Above a maximum, larger bodies are refused, and small ones still arrive.
 */
export function limitBodies(app: FastifyInstance, { total, perNetwork }: BodyMaxima = MAXIMA): void {
  let inAll = 0
  const ofNetworks = new Map<string, number>()

  function add(network: string, bytes: number): void {
    inAll += bytes
    const ofNetwork = (ofNetworks.get(network) ?? 0) + bytes
    if (ofNetwork === 0) ofNetworks.delete(network)
    else ofNetworks.set(network, ofNetwork)
  }

  app.decorate('readBody', async (request, payload, maxBytes = request.routeOptions.bodyLimit) => {
    const network = clientNetwork(request.ip)
    let body = Buffer.alloc(0)
    let length = 0
    let counted = 0

    function append(chunk: Buffer): void {
      const needed = length + chunk.length
      if (needed > maxBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
      if (needed > body.length) {
        const size = Math.min(maxBytes, Math.max(needed, 2 * body.length))
        const more = Math.max(0, size - UNCOUNTED_BYTES) - counted
        if (more > 0 && (inAll + more > total || (ofNetworks.get(network) ?? 0) + more > perNetwork))
          throw new Refusal('unavailable.overloaded')
        add(network, more)
        counted += more
        const larger = Buffer.allocUnsafeSlow(size)
        body.copy(larger, 0, 0, length)
        body = larger
      }
      chunk.copy(body, length)
      length = needed
    }

    if (Number(request.headers['content-length']) > maxBytes)
      throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    if (payload.destroyed) throw new Refusal('invalid_request') // The connection broke before this.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    function onData(chunk: Buffer): void {
      try {
        append(chunk)
      } catch (error) {
        payload.off('data', onData) // It keeps flowing, so that the response can be sent.
        reject(error)
      }
    }
    payload.on('data', onData).once('end', resolve)
    // The connection broke, which is no failure of the server.
    payload.once('error', () => reject(new Refusal('invalid_request')))
    try {
      await promise
      return body.subarray(0, length)
    } finally {
      add(network, -counted)
    }
  })
}
