import type { FastifyInstance } from 'fastify'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { errorReply, sendRefusal } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { Refusal } from './refusal.ts'

/**
 * Refuses requests whose Host is missing or ambiguous, and expectations other than 100-continue, with the headers and the
 * body of every other error. Node would respond to the first and the last itself, with neither, and accept two Hosts.
 */
export function refuseMalformedRequests(app: FastifyInstance, config: Config): void {
  const { ofPrivate } = securityHeaders(config)
  const refusal = new Refusal('invalid_request')

  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, headers, httpVersion } = request.raw
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    const isMissing = headers.host === undefined && httpVersion === '1.1'
    if (!isMissing && hosts.length <= 1) return done()
    void sendRefusal(reply.headers(ofPrivate), refusal)
  })

  app.server.on('checkExpectation', (_request, response) => {
    response
      .writeHead(417, {
        ...ofPrivate,
        'content-language': DEFAULT_LOCALE,
        'content-type': 'application/json; charset=utf-8',
        connection: 'close',
      })
      .end(JSON.stringify(errorReply(refusal, DEFAULT_LOCALE)))
  })
}
