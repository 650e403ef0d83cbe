import * as z from 'zod/mini'
import { createDocument, type ZodObjectInput, type ZodOpenApiOperationObject } from 'zod-openapi'
import { ENDPOINTS, type NamedEndpoint } from '#contract/api.ts'
import type { Access, Endpoint, WriteLimit } from '#contract/endpoint.ts'
import { type ErrorCode, ErrorReply, STATUS_OF } from '#contract/errors.ts'

export type OpenApi = ReturnType<typeof openApi>

const KEY = z.object({
  'Idempotency-Key': z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
})

/** Returns the OpenAPI document of the API, made from the contract (docs/decisions/0015-openapi.md). */
export function openApi(title: string) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const named of ENDPOINTS) {
    const path = named.endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [named.endpoint.method.toLowerCase()]: operationOf(named) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: 'Misspelt names are part of the published wire: see docs/known-quirks.md.',
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: {
        idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'tw_…' },
      },
      schemas: { Error: ErrorReply },
      responses: {
        Refusal: {
          description: `A rule saying no, or a failure. Codes by status: ${codesByStatus()}`,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  })
}

/** Returns every error code with its status: "400 invalid_request, invalid_json; 401 …". */
function codesByStatus(): string {
  const codes = Object.keys(STATUS_OF) as ErrorCode[]
  return [...Map.groupBy(codes, (code) => STATUS_OF[code])]
    .map(([status, ofStatus]) => `${status} ${ofStatus.join(', ')}`)
    .join('; ')
}

function operationOf({ domain, name, endpoint }: NamedEndpoint): ZodOpenApiOperationObject {
  const { params, query, body, reply, status = 200 } = endpoint
  const hasReply = status !== 204 && status !== 303
  const isFile = reply._zod.def.type === 'unknown'
  return {
    operationId: name,
    tags: [domain],
    summary: endpoint.summary,
    description: [
      accessDescription(endpoint.access),
      scopeDescription(endpoint),
      limitDescription(endpoint.limit),
    ]
      .filter(Boolean)
      .join(' '),
    ...(endpoint.access.who !== 'anyone' && { security: securityOf(endpoint) }),
    requestParams: {
      ...(params && { path: params as ZodObjectInput }),
      ...(query && { query: query as ZodObjectInput }),
      ...(takesKey(endpoint) && { header: KEY }),
    },
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: {
      [`${status}` as const]: {
        description: 'Done',
        ...(hasReply && { content: { [isFile ? '*/*' : 'application/json']: { schema: reply } } }),
      },
      ...(status === 200 &&
        !isFile &&
        reply.safeParse(undefined).success && { 204: { description: 'There is none' } }),
      default: { $ref: '#/components/responses/Refusal' },
    },
  }
}

function takesKey({ method, access, idempotency }: Endpoint): boolean {
  return method !== 'GET' && access.who !== 'anyone' && idempotency !== 'own'
}

/** Returns the schemes that authenticate a caller. OpenAPI 3.1 lists the scopes that a bearer token needs. */
function securityOf({ scope }: Endpoint): Record<string, string[]>[] {
  return [{ idToken: [] }, ...(scope === undefined ? [] : [{ apiKey: [scope] }])]
}

function scopeDescription({ scope }: Endpoint): string {
  return scope === undefined ? '' : `API keys need the scope \`${scope}\`.`
}

function limitDescription(limit: WriteLimit | undefined): string {
  if (limit === undefined) return ''
  const perUser = limit.perUser === undefined ? '' : `${limit.perUser} requests an hour per user, `
  return `At most ${perUser}${limit.perNetwork} requests an hour per network.`
}

/** Who may call, in a sentence. */
export function accessDescription({ who, named, fresh }: Access): string {
  const people =
    who === 'anyone'
      ? 'Anyone.'
      : who === 'session'
        ? 'Anyone signed in, registered or not.'
        : who === 'signed-in'
          ? 'Any registered user.'
          : who === 'reviewer'
            ? 'Only: Admins and users with the permission to review.'
            : `Only: ${who.join(', ')}.`
  return [
    people,
    named && `The e-mail in the ${named} must be the caller's own, unless an Admin asks.`,
    fresh && 'Needs a recent sign-in or `POST /auth/step-up`.',
  ]
    .filter(Boolean)
    .join(' ')
}
