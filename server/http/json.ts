import type { FastifyInstance } from 'fastify'

/** Accepts JSON bodies only. An empty body is undefined; `__proto__` and `constructor` keys are refused. */
export function parseJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', (request, payload, done) => {
    app.readBody(request, payload).then((body) => {
      if (body.length === 0) done(null, undefined)
      else void parse(request, body.toString(), done)
    }, done)
  })
}
