import * as z from 'zod/mini'
import { createDocument, type ZodObjectInput, type ZodOpenApiOperationObject } from 'zod-openapi'
import { ENDPOINTS, type NamedEndpoint } from '#contract/api.ts'
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS, type WebhookEventType } from '#contract/api-events.ts'
import type { Access, Endpoint, WriteLimit } from '#contract/endpoint.ts'
import { ErrorReply, STATUS_OF } from '#contract/errors.ts'
import { UNREAD_MAX } from '#contract/notifications.ts'
import { Id, Time } from '#contract/shapes.ts'
import { EVENT_GUIDE } from './events.ts'
import { admitsAdmins, errorsOf } from './operation-errors.ts'

export type OpenApi = ReturnType<typeof openApi>

const IDEMPOTENCY_HEADER = z.object({
  'Idempotency-Key': z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
})

/** Standard Webhooks (docs/specification/webhooks.md#deliveries). */
const WEBHOOK_HEADERS = z.object({
  'webhook-id': z.string(),
  'webhook-timestamp': z.string(),
  'webhook-signature': z.string(),
})

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** draft-ietf-httpapi-ratelimit-headers. They are sent to API keys (docs/specification/api-keys.md#limit). */
const HEADERS = {
  RateLimit: {
    description: 'The requests left (r) and the seconds until the window of the API key ends (t).',
    schema: { type: 'string' },
    example: '"key";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The requests of an API key (q) in a window of seconds (w).',
    schema: { type: 'string' },
    example: '"key";q=600;w=60',
  },
  'Retry-After': {
    description: 'The seconds after which a retry can succeed.',
    schema: { type: 'integer' },
    example: 30,
  },
  'x-next-cursor': {
    description: 'The `cursor` of the next page; absent on the last one.',
    schema: { type: 'string' },
  },
  'x-total-count': { description: 'The rows of all pages.', schema: { type: 'integer' } },
  'x-unread-count': {
    description: `The unread notifications, on the first page. ${UNREAD_MAX} means this many or more.`,
    schema: { type: 'integer' },
  },
  'idempotency-replayed': {
    description:
      'Present when the response repeats that of an earlier request with the same `Idempotency-Key`.',
    schema: { const: 'true' },
  },
} as const

/** A file or a part of one. */
const BYTES = { type: 'string', contentMediaType: 'application/octet-stream' } as const

const API_KEY_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const

const headersOf = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

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
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      description: 'Misspelt names are part of the published wire: see docs/known-quirks.md.',
    },
    servers: [{ url: '/api' }],
    paths,
    webhooks: Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: webhookOf(type) }])),
    components: {
      securitySchemes: {
        idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'tw_…' },
      },
      schemas: { Error: ErrorReply },
      headers: HEADERS,
      responses: {
        Refusal: {
          description: 'A rule that rejects the request, or a failure. /api/docs/errors explains every code.',
          content: ERROR_CONTENT,
        },
        ...sharedErrorResponses(),
      },
    },
  })
}

/** Returns the request that the server sends to the endpoints of users for an event of a type. */
function webhookOf(type: WebhookEventType): ZodOpenApiOperationObject {
  const { when, note } = EVENT_GUIDE[type]
  // Later versions may add fields.
  const data = z.object(WEBHOOK_EVENTS[type].shape)
  const event = z.object({ id: Id, type: z.literal(type), createdAt: Time, data })
  return {
    operationId: type,
    tags: ['webhooks'],
    summary: when,
    ...(note !== undefined && { description: note }),
    security: [],
    requestParams: { header: WEBHOOK_HEADERS },
    requestBody: { required: true, content: { 'application/json': { schema: event } } },
    responses: {
      '2XX': { description: 'The event arrived.' },
      '410': { description: 'Ends the endpoint.' },
      default: {
        description: type === 'webhook.test' ? 'A test is not sent again.' : 'The event is sent again later.',
      },
    },
  }
}

/** Returns the document with only the operations that API keys may use, and without the webhooks. */
export function operationsOfApiKeys({ paths = {}, webhooks: _, ...document }: OpenApi): OpenApi {
  const ofApiKeys = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).filter(([, operation]) => admitsApiKeys(operation))),
  ])
  return { ...document, paths: Object.fromEntries(ofApiKeys) }
}

/** Returns whether API keys may use an operation of the document. */
export const admitsApiKeys = ({ security }: { security?: object[] }) =>
  security?.some((scheme) => 'apiKey' in scheme) ?? false

function operationOf({ domain, name, endpoint }: NamedEndpoint): ZodOpenApiOperationObject {
  const { params, query, reply, status = 200 } = endpoint
  const hasReply = status !== 204 && status !== 303
  const isFile = reply._zod.def.type === 'unknown'
  const isStream = reply._zod.def.type === 'string'
  const mediaType = isFile ? '*/*' : isStream ? 'text/event-stream' : 'application/json'
  const headers = headersOf(...successHeaders(endpoint))
  const success = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(hasReply && { content: { [mediaType]: { schema: reply } } }),
  }
  return {
    operationId: name,
    tags: [domain],
    summary: endpoint.summary,
    description: [
      accessDescription(endpoint.access),
      scopeDescription(endpoint),
      idempotencyDescription(endpoint),
      limitDescription(endpoint.limit),
    ]
      .filter(Boolean)
      .join(' '),
    security: endpoint.access.who === 'anyone' ? [] : securityOf(endpoint),
    requestParams: {
      ...(params && { path: params as ZodObjectInput }),
      ...(query && { query: query as ZodObjectInput }),
      ...(takesIdempotencyKey(endpoint) && { header: IDEMPOTENCY_HEADER }),
    },
    ...requestBodyOf(endpoint),
    responses: {
      [`${status}` as const]: { description: 'Done', ...success },
      ...(endpoint.accepted && { 202: { description: 'Accepted, and not completed yet', ...success } }),
      ...(status === 200 &&
        !isFile &&
        reply.safeParse(undefined).success && { 204: { description: 'There is none' } }),
      ...errorResponses(endpoint),
      default: { $ref: '#/components/responses/Refusal' },
    },
  }
}

function requestBodyOf({ body, upload }: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (upload === 'bytes')
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: BYTES } } } }
  if (upload !== undefined) {
    const { form } = upload
    const schema = { type: 'object' as const, properties: { [form]: BYTES }, required: [form] }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  if (body === undefined) return {}
  const required = !body.safeParse(undefined).success
  return { requestBody: { required, content: { 'application/json': { schema: body } } } }
}

function successHeaders(endpoint: Endpoint): (keyof typeof HEADERS)[] {
  const { scope, query, totals = [] } = endpoint
  const isPaged = query instanceof z.ZodMiniObject && 'cursor' in query.shape
  return [
    ...(scope === undefined ? [] : API_KEY_HEADERS),
    ...(isPaged ? (['x-next-cursor'] as const) : []),
    ...totals,
    ...(takesIdempotencyKey(endpoint) ? (['idempotency-replayed'] as const) : []),
  ]
}

/** Returns the errors of an endpoint by status, as references to the shared responses. */
function errorResponses(endpoint: Endpoint): Record<string, { $ref: string }> {
  return Object.fromEntries(
    errorGroups(endpoint).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}

/** Returns every combination of errors that operations share, by its name. */
function sharedErrorResponses() {
  const groups = ENDPOINTS.flatMap(({ endpoint }) => errorGroups(endpoint))
  return Object.fromEntries(
    groups.map(({ status, codes, name, headers }) => [
      name,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        ...((status === 429 || status === 503) && { headers: headersOf(...headers) }),
        content: ERROR_CONTENT,
      },
    ]),
  )
}

function errorGroups(endpoint: Endpoint) {
  return [...Map.groupBy(errorsOf(endpoint), (code) => STATUS_OF[code])].map(([status, codes]) => {
    const isApiKeyLimit = status === 429 && endpoint.scope !== undefined
    const headers = isApiKeyLimit
      ? (['Retry-After', ...API_KEY_HEADERS] as const)
      : (['Retry-After'] as const)
    return {
      status,
      codes,
      headers,
      name: [status, ...codes, ...(isApiKeyLimit ? ['api_key'] : [])].join('.'),
    }
  })
}

function takesIdempotencyKey({ method, idempotency }: Endpoint): boolean {
  return method !== 'GET' && idempotency !== 'own'
}

function idempotencyDescription({ method, idempotency }: Endpoint): string {
  if (method === 'GET') return 'Changes nothing.'
  if (idempotency === 'own') return 'Does not use an `Idempotency-Key`.'
  if (idempotency === 'claimed')
    return 'Idempotent without a key; an `Idempotency-Key` with another body is refused.'
  return 'Idempotent with an `Idempotency-Key`.'
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

/** Returns the access rule as a sentence. */
export function accessDescription(access: Access): string {
  const { who, named, fresh } = access
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
    named &&
      `The email in the ${named} must be the caller's own${admitsAdmins(access) ? ', unless the caller is an Admin' : ''}.`,
    fresh === true && 'Needs a recent sign-in or `POST /auth/step-up`.',
    fresh === 'for-admins' && 'An Admin needs a recent sign-in or `POST /auth/step-up`.',
    fresh === 'with-second-factor' &&
      'With a second factor, needs a recent sign-in, `POST /auth/step-up/code` or `POST /auth/step-up/passkey`.',
  ]
    .filter(Boolean)
    .join(' ')
}
