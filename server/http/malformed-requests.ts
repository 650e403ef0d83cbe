import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { sendRefusal } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { Refusal } from './refusal.ts'

/**
 * Refuses requests whose Host is missing or ambiguous, and expectations other than 100-continue, with the headers and the
 * body of every other error. Node would respond to the first and the last itself, with neither, and accept two Hosts.
 */
export function refuseMalformedRequests(app: FastifyInstance, config: Config): void {
  const { ofPrivate } = securityHeaders(config)
  const refusal = new Refusal('invalid_request')
  const unmet = new WeakSet<IncomingMessage>()

  app.server.on('checkExpectation', (request, response) => {
    unmet.add(request)
    app.server.emit('request', request, response)
  })

  app.addHook('onRequest', (request, reply, done) => {
    if (unmet.has(request.raw)) {
      void sendRefusal(reply.headers({ ...ofPrivate, connection: 'close' }), refusal, 417)
      return
    }
    const { rawHeaders, headers, httpVersion } = request.raw
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    const isMissing = headers.host === undefined && httpVersion === '1.1'
    if (!isMissing && hosts.length <= 1) return done()
    void sendRefusal(reply.headers(ofPrivate), refusal)
  })
}
