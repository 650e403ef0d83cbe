import fc from 'fast-check'
import type { OpenApi } from '#server/api-docs/openapi.ts'

type Schema = {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
}
type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema }
export type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json'?: { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
export const CALLERS = ['nobody', 'Worker', 'Buyer', 'Admin', 'unregistered', 'a bad token'] as const
export type Caller = (typeof CALLERS)[number]

/** A value taken from earlier responses when the request is made: ids, emails, secrets, or the caller's own email. */
export class Known {
  readonly kind: 'id' | 'email' | 'secret' | 'own'
  readonly index: number
  constructor(kind: Known['kind'], index: number) {
    this.kind = kind
    this.index = index
  }
}

export type Request = {
  method: string
  path: string
  operation: Operation
  caller: Caller
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  raw: string | undefined
  key: string | undefined
}

const HOSTILE_TEXT = [
  '',
  ' ',
  '\u0000',
  'a\u0000',
  '\ud800',
  '\u202e',
  '💥',
  "' or 1=1 --",
  '<script>',
  '../..',
  '%00',
  '%',
  '-1',
  '0',
  '1e9',
  'null',
  'NaN',
  '2026-02-30',
  'x'.repeat(30_000),
  '__proto__',
  '[object Object]',
  'http://[',
  '//evil.example',
  '\r\nX: y',
]
const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXT),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)
const hostile = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 0.5, 1e308, 2 ** 53, [], {}, [[]], { $ne: null }, ['Admin']),
  fc.jsonValue({ maxDepth: 2 }),
)
const DAYS = [1, 7, 400].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))

/** What a field of this name and schema would be when it is right, or nearly. */
function fitting(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const [first, ...others] = schema.anyOf ?? []
  if (first !== undefined) return fc.oneof(fitting(first, name), ...others.map((one) => fitting(one, name)))
  const [type] = [schema.type].flat()
  if (type === 'object') return objectOf(schema)
  if (type === 'array') return fc.array(fieldOf(schema.items ?? {}, name), { maxLength: 4 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') {
    const [min, max] = [Math.max(schema.minimum ?? -5, -1_000), Math.min(schema.maximum ?? 2_000, 2_000)]
    return fc.oneof(
      fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
      fc.constantFrom(1, 2, 10, 20, 200),
    )
  }
  return text(schema, name)
}

function text({ format, pattern }: Schema, name: string): fc.Arbitrary<unknown> {
  const known = (kind: Known['kind']) => fc.nat(60).map((index) => new Known(kind, index))
  if (format === 'uuid')
    return fc.oneof({ weight: 5, arbitrary: known('id') }, { weight: 1, arbitrary: fc.uuid() })
  if (/email/i.test(name) || pattern?.includes('@'))
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(new Known('own', 0)) },
      { weight: 1, arbitrary: known('email') },
    )
  if (/^(id|taskId)$/.test(name)) return known('id')
  if (/secret|token|transaction|cursor|code/i.test(name)) return known('secret')
  if (/date/i.test(name)) return fc.constantFrom(...DAYS)
  if (/password/i.test(name)) return fc.constantFrom('Sesame!open', 'Sesame!again')
  if (/url|image|img/i.test(name)) return fc.constantFrom('', 'https://example.com/a.png')
  if (/account/i.test(name)) return fc.constantFrom('01712345678', '017123456789', 'A bank, 12345')
  if (/number/i.test(name)) return fc.constantFrom('4242424242424242', '4000000000009995', '4000002500003155')
  if (pattern?.startsWith('^\\d') || /^(limit|page)$/.test(name)) return fc.nat(500).map(String)
  return fc.oneof(
    fc.constantFrom('A text', 'Ruma', 'label photos'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  )
}

const fieldOf = (schema: Schema, name: string): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 24, arbitrary: fitting(schema, name) }, { weight: 1, arbitrary: hostile })

const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** An object of this schema; now and then a field is missing, wrong, or one too many. */
function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) =>
    fc.record({
      name: fc.constant(name),
      value: fieldOf(schema, name),
      there: fc
        .integer({ min: 0, max: 99 })
        .map((roll) => roll < (required.includes(name) ? 98 : name === 'cursor' ? 8 : 50)),
    }),
  )
  const more = rarely(fc.tuple(fc.constantFrom('role', '__proto__', '$where', 'coin', 'toString'), hostile))
  return fc.tuple(fc.tuple(...fields), more).map(([given, extra]) => {
    const pairs = given.filter(({ there }) => there).map(({ name, value }) => [name, value] as const)
    return Object.fromEntries(extra === undefined ? pairs : [...pairs, extra])
  })
}

const RAW_BODIES = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"a":1,"a":2}',
  '{"__proto__":{"role":"Admin"}}',
  '\uFEFF{}',
  '['.repeat(5_000),
]

/** Requests to every operation of the document, by everybody, mostly such as they should be. */
export function requestsOf(document: OpenApi, leaveOut: readonly string[]): fc.Arbitrary<Request> {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as Operation,
    })),
  )
  const each = operations
    .filter(({ operation }) => !leaveOut.includes(operation.operationId))
    .map(({ path, method, operation }) => {
      const { parameters = [], requestBody } = operation
      const fields = (place: Parameter['in']): Schema => ({
        properties: Object.fromEntries(
          parameters.filter((one) => one.in === place).map((one) => [one.name, one.schema]),
        ),
      })
      const params = fields('path').properties ?? {}
      const schema = requestBody?.content['application/json']?.schema
      return fc.record({
        method: fc.constant(method),
        path: fc.constant(path),
        operation: fc.constant(operation),
        caller: fc.constantFrom(...CALLERS, 'Worker' as const, 'Buyer' as const, 'Admin' as const),
        params: fc.record(
          Object.fromEntries(Object.entries(params).map(([name, one]) => [name, fieldOf(one, name)])),
        ),
        query: objectOf(fields('query')),
        body: schema === undefined ? fc.constant(undefined) : fieldOf(schema, 'body'),
        raw: schema === undefined ? fc.constant(undefined) : rarely(fc.constantFrom(...RAW_BODIES)),
        key: fc.oneof(
          { weight: 12, arbitrary: fc.constant(undefined) },
          { weight: 5, arbitrary: fc.nat(30).map((index) => `key-${index}`) },
          { weight: 1, arbitrary: hostileText },
        ),
      })
    })
  return fc.oneof(...each)
}
