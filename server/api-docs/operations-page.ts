import { ERROR_GUIDE } from '#contract/error-guide.en.ts'
import { escapeHtml } from '#server/escape-html.ts'
import { admitsApiKeys, type OpenApi } from './openapi.ts'

type Response = { description?: string; $ref?: string; content?: Record<string, { example?: unknown }> }
type Responses = Record<string, Response>
type Operation = { path: string; method: string; operation: Record<string, unknown> }

/** Returns the HTML that lists every operation: first those that API keys may use, by domain. */
export function operationsPage({ info, paths = {}, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const [withKey, others] = [true, false].map((admitted) =>
    operations.filter(({ operation }) => admitsApiKeys(operation) === admitted),
  )
  const shared = (components?.responses ?? {}) as Responses
  return `<h1>${escapeHtml(info.title)} API</h1>
<p>${escapeHtml(info.description ?? '')} Every path is below <code>/api</code>. The machine-readable document is
<a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2 id="with-an-api-key">With an API key</h2>${byDomain(withKey ?? [], shared)}
<h2 id="without-an-api-key">Without an API key</h2>
<p>These operations are for anyone, or for users who are signed in on the site.</p>${byDomain(others ?? [], shared)}`
}

function byDomain(operations: Operation[], shared: Responses): string {
  return [...Map.groupBy(operations, ({ operation }) => String(operation.tags))]
    .map(
      ([domain, ofDomain]) =>
        `<section><h3>${escapeHtml(domain)}</h3>${ofDomain.map((one) => rowOf(one, shared)).join('')}</section>`,
    )
    .join('')
}

function rowOf({ path, method, operation }: Operation, shared: Responses): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const all = Object.entries(responses as Responses)
  const schemas = {
    'Schema of the parameters': parameters,
    'Schema of the request': requestBody,
    'Schema of the response': Object.fromEntries(
      all.filter(([status]) => status.startsWith('2') || status === '303'),
    ),
  }
  const parts = Object.entries(schemas)
    .filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0))
    .map(([name, value]) => `<h4>${name}</h4>${block(schemaText(value))}`)
  const [sample] = (operation['x-codeSamples'] ?? []) as { source: string }[]
  const example = Object.values(all.find(([status]) => status.startsWith('2'))?.[1].content ?? {})[0]?.example
  const examples = [
    sample && `<h4>Request</h4>${block(sample.source)}`,
    example !== undefined &&
      `<h4>Response</h4>${block(typeof example === 'string' ? example : JSON.stringify(example, null, 2))}`,
  ]
  const errors = all
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, response]) => errorRow(status, resolve(response, shared)))
  return `<details id="${String(operationId)}"><summary><b class="method">${method}</b> <code>${escapeHtml(path)}</code>
<span class="dim">${escapeHtml(String(summary))}</span></summary>
<p>${inCode(String(description))}</p>${examples.filter(Boolean).join('')}<h4>Errors</h4><ul>${errors.join('')}</ul>${parts.join('')}</details>`
}

/** Returns a schema without its example, which is shown above it. */
const schemaText = (schema: unknown) =>
  JSON.stringify(schema, (key, value: unknown) => (key === 'example' ? undefined : value), 2)

const block = (text: string) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`
/** Returns HTML with the parts between backticks as code. */
const inCode = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const resolve = (response: Responses[string], shared: Responses) =>
  shared[response.$ref?.split('/').at(-1) ?? ''] ?? response

/** Returns a status with its codes, each linked to its explanation. */
function errorRow(status: string, { description = '' }: Responses[string]): string {
  const codes = description.replaceAll(/`(\w+)`/g, (shown, code: string) =>
    code in ERROR_GUIDE ? `<a href="/api/docs/errors#${code}"><code>${code}</code></a>` : shown,
  )
  return `<li>${status}: ${codes}</li>`
}
