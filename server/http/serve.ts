import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { API_PATH, type Endpoint, formAction, type PartOf } from '#contract/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import type { Database, Db } from '#server/database/database.ts'
import { authorize } from './access.ts'
import { createApiKeyLimit } from './api-key-limit.ts'
import { type Authenticate, bearsApiKey, type Caller, type Viewer } from './caller.ts'
import { createConcurrencyLimitPerUser } from './concurrency-limit-per-user.ts'
import { serveForm } from './forms.ts'
import { anonymousUserId, type HandlerResponse, runClaimed, runIdempotently } from './idempotency.ts'
import { Refusal } from './refusal.ts'
import { createReplicaReads, type ReplicaReads } from './replica-reads.ts'
import { requestLocale } from './request-locale.ts'
import { projectionOf } from './response-projection.ts'
import { validationMessage } from './validation-messages.ts'
import { createWriteLimit } from './write-limit.ts'

const DATABASE = Symbol('database')
const API_KEY_LIMIT = Symbol('API key limit')
const CONCURRENCY_LIMIT_PER_USER = Symbol('concurrency limit per user')

declare module 'fastify' {
  interface FastifyInstance {
    replicaReads: ReplicaReads
  }
}

/**
 * Sets the databases that `serve` uses, so that route files need not have them. One user's writes take at most half of the
 * pool.
 */
export function serveFrom(
  app: FastifyInstance,
  context: Pick<Context, 'database' | 'replicas' | 'keys' | 'config'>,
): void {
  const { database, config } = context
  const { databasePool } = config
  app.decorate(DATABASE, database)
  app.decorate('replicaReads', createReplicaReads(context, app.log))
  app.decorate(API_KEY_LIMIT, createApiKeyLimit(database))
  app.decorate(CONCURRENCY_LIMIT_PER_USER, createConcurrencyLimitPerUser(Math.ceil(databasePool / 2)))
}

/** Whether an endpoint's handler may run in the transaction of an idempotency key. */
type InTransaction<E extends Endpoint> = E extends { method: 'GET' } | { idempotency: string } ? false : true

/** What serving an endpoint needs of the server's context. Handlers that may run in a transaction must not have the pool. */
type ServeContext<E extends Endpoint> = {
  config: Config
  authenticate: Authenticate
  /** Names the device, session or user whom others of its network cannot lock out by exceeding the limit of writes. */
  knownClient?: (input: Pick<HandlerInput<E>, 'request' | 'body'>) => Promise<string | undefined>
} & (InTransaction<E> extends true ? { database?: never } : unknown)

/** What a handler is given. `db` is the transaction of the caller's idempotency key where the request has one. */
export type HandlerInput<E extends Endpoint> = {
  db: InTransaction<E> extends true ? Db : Database
  params: PartOf<E, 'params'>
  query: PartOf<E, 'query'>
  body: PartOf<E, 'body'>
  caller: E['access']['who'] extends 'anyone' ? null : Caller
  viewer: E['access']['who'] extends 'anyone' | 'session' ? null : Viewer
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Serves one endpoint of the contract: checks access, parses the request, counts a write, runs the handler once per
 * idempotency key, and checks the response. An invalid request is a refusal; an invalid response is our bug.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  context: ServeContext<E>,
  endpoint: E,
  handler: (input: HandlerInput<E>) => Promise<z.input<E['reply']>>,
  routeConfig: FastifyContextConfig = {},
): void {
  const operation = `${endpoint.method} ${endpoint.path}`
  const successStatus = endpoint.status ?? 200

  const database = app.getDecorator<Database>(DATABASE)
  const limitPerUser =
    app.getDecorator<ReturnType<typeof createConcurrencyLimitPerUser>>(CONCURRENCY_LIMIT_PER_USER)
  const countApiKeyRequest = app.getDecorator<ReturnType<typeof createApiKeyLimit>>(API_KEY_LIMIT)
  const { limit } = endpoint
  const countWrite = limit && createWriteLimit(database, context.config, { ...endpoint, limit })

  // Responses of reads are projected to the declared fields. Production skips the validation of every value, which costs
  // more than serializing them; development and tests validate.
  function checkResponse(value: unknown): unknown {
    const project = endpoint.method === 'GET' ? projectionOf(endpoint.reply) : undefined
    const isValidated = project === undefined || !context.config.production
    const parsed = isValidated ? endpoint.reply.safeParse(value) : { success: true as const, data: value }
    if (!parsed.success) throw new Error(`${operation} violates its contract: ${parsed.error.message}`)
    return project === undefined || value === undefined ? parsed.data : project(parsed.data)
  }

  /** Authenticates the caller and counts a request of an API key. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    const caller = endpoint.access.who === 'anyone' ? null : await context.authenticate(request)
    request.caller = caller
    if (caller?.key) await countApiKeyRequest(reply, caller.key.id)
    return caller
  }
  /** Whether the bodies of the requests whose API key was counted before had arrived with the headers. */
  const countedBefore = new WeakMap<FastifyRequest, { hasArrived: boolean }>()

  /** Counts an API key, so that one above its limit does not make the server read a body. */
  async function countBeforeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (endpoint.access.who === 'anyone' || !bearsApiKey(request)) return
    await authenticate(request, reply)
    countedBefore.set(request, { hasArrived: request.raw.complete })
  }

  /** Returns the caller. A key that was counted before a body that took time may have been revoked since. */
  function callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> | Caller | null {
    const counted = countedBefore.get(request)
    if (counted === undefined) return authenticate(request, reply)
    return counted.hasArrived ? request.caller : context.authenticate(request)
  }

  /** Checks access, parses the request and counts a write. */
  async function admit(request: FastifyRequest, reply: FastifyReply) {
    const caller = await callerOf(request, reply)
    const params = parse(endpoint.params, request.params, 'not_found')
    const query = parse(endpoint.query, request.query, 'invalid_request')
    authorize(endpoint, caller, params, query)
    const body = parse(endpoint.body, request.body, 'invalid_request')

    const knownClientOf = async () => context.knownClient?.({ request, body } as HandlerInput<E>)
    await countWrite?.(request.ip, caller?.identityId, knownClientOf)
    return { caller, params, query, body }
  }
  /** The requests that were admitted before their body is read: bytes that need no parsing. */
  const admitted = new WeakMap<FastifyRequest, Awaited<ReturnType<typeof admit>>>()

  async function respondTo(request: FastifyRequest, reply: FastifyReply): Promise<HandlerResponse> {
    const { caller, params, query, body } = admitted.get(request) ?? (await admit(request, reply))

    const run = async (db: Db): Promise<HandlerResponse> => {
      const viewer = caller?.viewer ?? null
      const value = await handler({
        db,
        params,
        query,
        body,
        caller,
        viewer,
        request,
        reply,
      } as HandlerInput<E>)
      const status = endpoint.accepted && reply.statusCode === 202 ? 202 : successStatus
      return {
        status: value === undefined && successStatus !== 303 ? 204 : status,
        body: checkResponse(value),
      }
    }

    const key = idempotencyKeyOf(request)
    const { method, idempotency } = endpoint
    if (method === 'GET')
      return endpoint.boundedStaleness ? app.replicaReads.read(request, caller, run) : run(database)

    const userId = caller?.identityId ?? anonymousUserId(request.ip)
    const locale = requestLocale(request)
    const attempt = key && { userId, key, call: operation, input: { params, query, body }, locale }
    return app.replicaReads.write(caller, async () => {
      // Signing in has limits of its own, and so has what may take long.
      if (idempotency === 'own')
        return caller === null || routeConfig.shedsLoad === false
          ? run(database)
          : limitPerUser(userId, () => run(database))
      if (idempotency === 'claimed') return attempt ? runClaimed(database, attempt, run) : run(database)
      return limitPerUser(userId, () => (attempt ? runIdempotently(database, attempt, run) : run(database)))
    })
  }

  const url = API_PATH + endpoint.path
  const cacheKey = endpoint.shared === true ? cacheKeyOf(endpoint, context.config) : undefined

  app.route({
    method: endpoint.method,
    url,
    config: {
      ...routeConfig,
      ...(cacheKey && { readyResponse: (request) => app.responseCache.ready(cacheKey(request), request) }),
    },
    ...(endpoint.method !== 'GET' && {
      preParsing: async (request: FastifyRequest, reply: FastifyReply) => {
        if (endpoint.upload === 'bytes') admitted.set(request, await admit(request, reply))
        else await countBeforeBody(request, reply)
      },
    }),
    handler: async (request, reply) => {
      const key = cacheKey?.(request)
      if (key !== undefined) {
        return app.responseCache.respond(key, request, reply, async () => {
          const { body } = await respondTo(request, reply)
          return { body, cursor: reply.getHeader('x-next-cursor') as string | undefined }
        })
      }
      const response = await respondTo(request, reply)
      if (response.replayed) reply.header('idempotency-replayed', 'true')
      if (response.locale) reply.header('content-language', response.locale)
      return reply.status(response.status).send(response.body)
    },
  })

  if (endpoint.form !== undefined)
    serveForm(app, context.config, formAction(endpoint), endpoint.form, respondTo)
}

/**
 * Returns the function that makes cache keys of an endpoint: its path and its query as the contract parses it, so that
 * order and unknown parameters make no difference. An invalid query has no key. Where e-mail addresses are masked, neither
 * has a request with a token, as an Admin sees addresses that others do not.
 */
function cacheKeyOf({ path, query }: Endpoint, { publicEmails }: Config) {
  return ({ headers, query: given }: FastifyRequest): string | undefined => {
    if (publicEmails !== 'shown' && headers.authorization !== undefined) return undefined
    if (query === undefined) return path
    const parsed = query.safeParse(given)
    return parsed.success ? `${path} ${JSON.stringify(parsed.data)}` : undefined
  }
}

/** Returns the request's idempotency key. @throws Refusal `invalid_request` for an invalid one. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new Refusal('invalid_request.idempotency_key')
  }
  return key
}

/**
 * Returns whether a value has the wrong type, which is a 400. A right type with an invalid value (a fraction, an unknown enum
 * value) is a 422.
 */
function isMalformed({ code, path, ...issue }: z.core.$ZodIssue, value: unknown): boolean {
  if (code === 'invalid_union') return true
  if (code !== 'invalid_type' && code !== 'invalid_value') return false
  const given = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)[key], value)
  if (code === 'invalid_value') return typeof given !== 'string'
  return !('expected' in issue && issue.expected === 'int' && Number.isFinite(given))
}

/**
 * Returns a part of a request as its schema parses it.
 * @throws Refusal `not_found` for a malformed id in a path, `invalid_request` for a wrong type, `invalid_fields` for a
 * value that breaks a rule.
 */
export function parse(
  schema: z.ZodMiniType | undefined,
  value: unknown,
  invalid: 'not_found' | 'invalid_request',
): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value, { error: validationMessage })
  if (parsed.success) return parsed.data
  if (invalid === 'not_found') throw new Refusal('not_found')

  const { issues } = parsed.error
  const fields = Object.fromEntries(
    issues.toReversed().map((issue) => [issue.path.join('.') || 'body', issue.message]),
  )
  const malformed = issues.some((issue) => isMalformed(issue, value))
  const [message = '', ...others] = Object.values(fields)
  const code = malformed ? 'invalid_request' : 'invalid_fields'
  if (others.length > 0) throw new Refusal(`${code}.several`, { fields })
  throw new Refusal(`${code}.validation`, { params: { message }, fields })
}
