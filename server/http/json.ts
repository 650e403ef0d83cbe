import type { FastifyInstance } from 'fastify'

/** Accepts JSON bodies only. An empty body is undefined; `__proto__` and `constructor` keys are refused. */
export function parseJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
}
