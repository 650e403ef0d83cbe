import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { GUIDES } from './guides.ts'
import { layout } from './layout.ts'
import type { OpenApi } from './openapi.ts'

/**
 * Serves the OpenAPI document and the developer pages, which are plain HTML without scripts. Each is rendered on its first
 * request, which also loads its renderer: most processes receive none.
 */
export function apiDocsRoutes(app: FastifyInstance, config: Config): void {
  let document: Promise<OpenApi> | undefined
  const readDocument = () => {
    document ??= makeDocument(config)
    return document
  }

  app.get('/api/openapi.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60')
    return readDocument()
  })

  function servePage(path: string, render: () => Promise<string>): void {
    let html: string | undefined
    app.get(path, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60')
      reply.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      )
      html ??= layout(config.name, path, await render())
      return reply.type('text/html; charset=utf-8').send(html)
    })
  }

  servePage('/api/docs', async () => {
    const { operationsPage } = await import('./operations-page.ts')
    return operationsPage(await readDocument())
  })
  servePage('/api/docs/errors', async () => (await import('./errors-page.ts')).errorsPage())
  for (const { slug } of GUIDES)
    servePage(`/api/docs/${slug}`, async () => {
      const { renderGuide } = await import('./render-guide.ts')
      return renderGuide(slug, config.name, config.publicUrl)
    })
}

async function makeDocument(config: Config): Promise<OpenApi> {
  const [{ openApi }, { addExamples }] = await Promise.all([import('./openapi.ts'), import('./examples.ts')])
  return addExamples(openApi(config.name), config.publicUrl)
}
