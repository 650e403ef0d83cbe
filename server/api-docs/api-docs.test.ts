import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { API_EVENT_TYPES, WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from '#contract/api-events.ts'
import { API_SCOPES } from '#contract/endpoint.ts'
import { ERROR_GUIDE } from '#contract/error-guide.en.ts'
import { STATUS_OF } from '#contract/errors.ts'
import { useApi } from '#tests/support/api.ts'
import { readExamples } from './examples.ts'
import { GUIDES } from './guides.ts'
import { errorsOf } from './operation-errors.ts'

describe('the documentation of the API', () => {
  const api = useApi()
  const page = async (path: string) => {
    const { status, text, headers } = await api.anyone.get(path)
    assert.equal(status, 200, path)
    assert.match(String(headers['content-type']), /^text\/html/)
    return text
  }

  test('explains every error code with its status, meaning and remedy', async () => {
    const html = await page('/docs/errors')
    for (const [code, status] of Object.entries(STATUS_OF)) {
      const section = html.split(`<h2 id="status-${status}">`)[1]?.split('</section>')[0] ?? ''
      const entry =
        section
          .split(`<dt id="${code}">`)[1]
          ?.split('<dt')[0]
          ?.replaceAll(/<[^>]+>/g, '') ?? ''
      for (const text of Object.values(ERROR_GUIDE[code as keyof typeof ERROR_GUIDE])) {
        assert.match(text, /^[A-Z`].+\.$/, code)
        const words = text.split(/[`'"\s]+/).filter((word) => /^\w+$/.test(word))
        for (const word of words) assert.ok(entry.includes(word), `${code}: ${text}`)
      }
    }
  })

  test('lists every operation with its scope, its idempotency and its errors, each linked', async () => {
    const html = await page('/docs')
    const examples = readExamples()
    const anchors = new Set(Array.from((await page('/docs/errors')).matchAll(/id="(\w+)"/g), ([, id]) => id))
    for (const { name, endpoint } of ENDPOINTS) {
      const entry = html.split(`<details id="${name}">`)[1]?.split('</details>')[0] ?? ''
      if (endpoint.scope) assert.ok(entry.includes(`<code>${endpoint.scope}</code>`), name)
      if (name in examples) assert.match(entry, /<h4>Request<\/h4><pre[^>]*><code>curl /, name)
      assert.match(entry, /Changes nothing|Idempotency-Key/, name)
      for (const code of errorsOf(endpoint)) {
        assert.ok(entry.includes(`href="/api/docs/errors#${code}"`), `${name} ${code}`)
        assert.ok(anchors.has(code), code)
      }
    }
  })

  test('the guides list every scope with operations of it, and every event', async () => {
    const authentication = await page('/docs/authentication')
    for (const scope of API_SCOPES) {
      const row = authentication.split(`<td><code>${scope}</code></td>`)[1]?.split('</tr>')[0]
      assert.ok(row, scope)
      const named = Array.from(row.matchAll(/<code>(GET \/[^<]+)<\/code>/g), ([, operation]) => operation)
      for (const operation of named)
        assert.ok(
          ENDPOINTS.some(
            ({ endpoint: { method, path, ...one } }) =>
              `${method} ${path}` === operation && one.scope === scope,
          ),
          `${scope}: ${operation}`,
        )
    }
    const webhooks = await page('/docs/webhooks')
    for (const type of WEBHOOK_EVENT_TYPES)
      assert.ok(webhooks.includes(`<td><code>${type}</code></td>`), type)
  })

  test('the guide and the document have the fields of every event', async () => {
    const guide = await page('/docs/webhooks')
    const { webhooks } = (await api.anyone.get('/openapi.json')).body
    assert.deepEqual(Object.keys(webhooks), [...API_EVENT_TYPES, 'webhook.test'])
    for (const type of WEBHOOK_EVENT_TYPES) {
      const fields = Object.keys(WEBHOOK_EVENTS[type].shape)
      const section = guide.split(`<h3><code>${type}</code></h3>`)[1]?.split('</table>')[0] ?? ''
      const listed = Array.from(section.matchAll(/<tr>\s*<td><code>(\w+)<\/code>/g), ([, field]) => field)
      assert.deepEqual(listed, fields, type)
      const { schema } = webhooks[type].post.requestBody.content['application/json']
      assert.equal(schema.properties.type.const, type)
      assert.doesNotMatch(JSON.stringify(schema), /additionalProperties/)
      assert.deepEqual(Object.keys(schema.properties.data.properties), fields, type)
    }
  })

  test('every link between its pages leads to a page and an anchor that exist', async () => {
    for (const path of ['/docs', '/docs/errors', ...GUIDES.map(({ slug }) => `/docs/${slug}`)]) {
      const html = await page(path)
      assert.equal(html.match(/<h1[ >]/g)?.length, 1, path)
      assert.doesNotMatch(html, /\{(site|url)\}|<script/, path)
      const links = new Set(Array.from(html.matchAll(/href="\/api(\/docs[^"]*)"/g), ([, link = '']) => link))
      assert.ok(links.size > GUIDES.length, path)
      for (const link of links) {
        const [target = '', anchor] = link.split('#')
        const linked = await page(target)
        if (anchor !== undefined) assert.ok(linked.includes(`id="${anchor}"`), link)
      }
    }
  })
})
