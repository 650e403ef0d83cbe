import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApi } from './openapi.ts'

/**
 * A request that a test sent, and its response: the first lines of a file or a stream, absent for an empty one. A stream has
 * the `lastEventId` of its request.
 */
export type Example = {
  path: string
  lastEventId?: string | undefined
  body?: unknown
  status: number
  response?: unknown
}

/** The examples by operation. tests/openapi.test.ts records them (docs/decisions/0072-recorded-examples.md). */
export const EXAMPLES_FILE = join(import.meta.dirname, 'examples.json')

export function readExamples(): Record<string, Example> {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Record<string, Example>
}

/** Returns the command that sends the request of an example to the site at `url`. */
export function curlOf(method: string, { path, lastEventId, body }: Example, url: string): string {
  const parts = [
    `curl${lastEventId === undefined ? '' : ' -N'}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${url}/api${path}`)}`,
    '-H "Authorization: Bearer $TALLYWORK_KEY"',
    ...(lastEventId === undefined ? [] : [`-H ${quoted(`Last-Event-ID: ${lastEventId}`)}`]),
    // uuidgen is missing more often than openssl.
    ...(method === 'GET' ? [] : ['-H "Idempotency-Key: $(openssl rand -hex 16)"']),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Returns text as one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

type Response = { content?: Record<string, object> }
type Operation = { operationId?: string; responses?: Record<string, Response> }

/** Adds the recorded examples to a document: a command in `x-codeSamples` and the body of the response. */
export function addExamples(document: OpenApi, url: string): OpenApi {
  const examples = readExamples()
  for (const methods of Object.values(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const example = examples[operation.operationId ?? '']
      if (example === undefined) continue
      const source = curlOf(method.toUpperCase(), example, url)
      Object.assign(operation, { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source }] })
      const [media] = Object.values(operation.responses?.[example.status]?.content ?? {})
      if (media !== undefined) Object.assign(media, { example: example.response })
    }
  }
  return document
}
