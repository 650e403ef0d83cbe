import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { errorsPage } from './errors-page.ts'
import { addExamples } from './examples.ts'
import { GUIDES, renderGuide } from './guides.ts'
import { layout } from './layout.ts'
import { type OpenApi, openApi } from './openapi.ts'
import { operationsPage } from './operations-page.ts'

/**
 * The OpenAPI document, and pages for developers: plain HTML, no script. Each is made for its first request: most processes
 * receive none.
 */
export function apiDocsRoutes(app: FastifyInstance, config: Config): void {
  let document: OpenApi | undefined
  const readDocument = () => {
    document ??= addExamples(openApi(config.name), config.publicUrl)
    return document
  }

  app.get('/api/openapi.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60')
    return readDocument()
  })

  function servePage(path: string, render: () => string): void {
    let html: string | undefined
    app.get(path, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60')
      reply.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      )
      html ??= layout(config.name, path, render())
      return reply.type('text/html; charset=utf-8').send(html)
    })
  }

  servePage('/api/docs', () => operationsPage(readDocument()))
  servePage('/api/docs/errors', errorsPage)
  for (const { slug } of GUIDES)
    servePage(`/api/docs/${slug}`, () => renderGuide(slug, config.name, config.publicUrl))
}
