import * as z from 'zod'
import { ENDPOINTS, type NamedEndpoint } from '#contract/api.ts'
import type { Access, Endpoint } from '#contract/endpoint.ts'
import { ErrorReply, STATUS_OF } from '#contract/errors.ts'

/** A JSON Schema. */
export type Schema = Record<string, unknown>
type Operation = Record<string, unknown>
export type OpenApi = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}

/** The OpenAPI document of the API, made from the contract and from nothing else. */
export function openApi(title: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const named of ENDPOINTS) {
    const path = named.endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [named.endpoint.method.toLowerCase()]: operationOf(named) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: 'Misspelt names are part of the published wire: see docs/known-quirks.md.',
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: schemaOf(ErrorReply, 'output') },
      responses: {
        Refusal: {
          description: `A rule saying no, or a failure. Codes: ${Object.keys(STATUS_OF).join(', ')}`,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  }
}

function operationOf({ domain, name, endpoint }: NamedEndpoint): Operation {
  const status = String(endpoint.status ?? 200)
  const reply =
    endpoint.status === 204 || endpoint.status === 303 ? undefined : schemaOf(endpoint.reply, 'output')
  return {
    operationId: name,
    tags: [domain],
    summary: endpoint.summary,
    description: accessDescription(endpoint.access),
    ...(endpoint.access.who !== 'anyone' && { security: [{ idToken: [] }] }),
    parameters: parametersOf(endpoint),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
      },
    }),
    responses: {
      [status]: {
        description: 'Done',
        ...(reply && { content: { [isFile(reply) ? '*/*' : 'application/json']: { schema: reply } } }),
      },
      ...(reply && !isFile(reply) && isOptional(endpoint) && { 204: { description: 'There is none' } }),
      default: { $ref: '#/components/responses/Refusal' },
    },
  }
}

/** A response without a declared shape is a streamed file. */
function isFile(reply: Schema): boolean {
  return Object.keys(reply).length === 0
}

function isOptional({ status = 200, reply }: Endpoint): boolean {
  return status === 200 && reply.safeParse(undefined).success
}

function parametersOf({ params, query, method, access, idempotency }: Endpoint): Schema[] {
  const keyed = method !== 'GET' && access.who !== 'anyone' && idempotency !== 'own'
  return [
    ...fieldsOf(params, 'path'),
    ...fieldsOf(query, 'query'),
    ...(keyed
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            schema: { type: 'string', minLength: 1, maxLength: 200 },
          },
        ]
      : []),
  ]
}

function fieldsOf(schema: Endpoint['params'], place: 'path' | 'query'): Schema[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Schema
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field,
  }))
}

/** Who may call, in a sentence. */
export function accessDescription({ who, named }: Access): string {
  const people =
    who === 'anyone'
      ? 'Anyone.'
      : who === 'session'
        ? 'Anyone signed in, registered or not.'
        : who === 'signed-in'
          ? 'Any registered user.'
          : `Only: ${who.join(', ')}.`
  return named === undefined
    ? people
    : `${people} The e-mail in the ${named} must be the caller's own, unless an Admin asks.`
}

/** What the contract says of a value, as a JSON Schema. */
export function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as Schema
}
