import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { escapeHtml } from '#server/escape-html.ts'
import { type OpenApi, openApi } from './openapi.ts'

/**
 * The OpenAPI document, and the same as a page to read: plain HTML, no script. Both are made for the first request: most
 * processes receive none.
 */
export function docsRoutes(app: FastifyInstance, config: Config): void {
  let document: OpenApi | undefined
  let html: string | undefined
  const readDocument = () => {
    document ??= openApi(config.name)
    return document
  }

  app.get('/api/openapi.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60')
    return readDocument()
  })
  app.get('/api/docs', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60')
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    )
    html ??= pageOf(readDocument())
    return reply.type('text/html; charset=utf-8').send(html)
  })
}

function pageOf({ info, paths = {} }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags as string[]))]
  const sections = tags.map((tag) => {
    const rows = operations.filter(({ operation }) => (operation.tags as string[]).includes(tag)).map(rowOf)
    return `<section><h2>${escapeHtml(tag)}</h2>${rows.join('')}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(info.title)} API</h1>
<p>${escapeHtml(info.description ?? '')} Every path stands below <code>/api</code>. The machine-readable document is
<a href="/api/openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`
}

function rowOf({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: Record<string, unknown>
}): string {
  const { summary, description, parameters, requestBody, responses } = operation
  const parts = Object.entries({ parameters, requestBody, responses })
    .filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0))
    .map(([name, value]) => `<h3>${name}</h3><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`)
  return `<details><summary><b class="m">${method}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(String(summary))}</span></summary>
<p>${escapeHtml(String(description))}</p>${parts.join('')}</details>`
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}main{max-width:60rem;margin:2rem auto;padding:0 1rem}
details{border-top:1px solid #8884;padding:.6rem 0}summary{cursor:pointer}summary span{opacity:.8}.m{display:inline-block;min-width:4.5rem}
pre{overflow:auto;padding:1rem;background:#8881;border-radius:10px;font-size:13px}h3{font-size:1rem;margin:.6rem 0}`
