import type { FastifyInstance } from 'fastify'

/** JSON is the only body this API reads; an empty one is no body, `__proto__` and `constructor` keys are refused. */
export function parseJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
}
