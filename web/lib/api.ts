import { t } from '@lingui/core/macro'
import type * as z from 'zod/mini'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { takeEarlyResponse } from '#web/lib/early-responses.ts'
import { discardToken, getIdToken, wasSignedIn } from '#web/lib/id-token.ts'
import { claimsOf } from '#web/lib/id-token-claims.ts'

type Schema = z.ZodMiniType
type InputOf<T> = T extends Schema ? z.input<T> : never
/** Query parameters are strings on the wire; numbers are accepted and converted. */
type QueryInput<T> = T extends Schema
  ? { [K in keyof z.input<T>]: z.input<T>[K] | (z.input<T>[K] extends string | undefined ? number : never) }
  : never

/** The parts of a request: exactly those that its endpoint declares. */
export type Input<E extends Endpoint> = (E['params'] extends Schema
  ? { params: InputOf<E['params']> }
  : object) &
  (E['query'] extends Schema ? { query?: QueryInput<E['query']> } : object) &
  (E['body'] extends Schema ? { body: InputOf<E['body']> } : object)

export type Reply<E extends Endpoint> = z.output<E['reply']>
export type Page<E extends Endpoint> = { reply: Reply<E>; next: string | null; total: number | null }

type Options = {
  idempotencyKey?: string | undefined
  /** Keeps the body of the first attempt and returns it, also for a retry whose own body differs: the key is for the first. */
  keepBody?: (body: unknown) => unknown
  signal?: AbortSignal | undefined
  /** The browser completes the request after the page is left. */
  keepalive?: boolean
}

const UNKNOWN_ERROR = t`Something went wrong. Please try again in a moment.`
const NOT_PROVED = t`You did not confirm your identity, so nothing was changed.`

/** An error response of the API. `message` can be shown to the user; `fields` maps invalid fields to messages. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>
  /** Whether an earlier attempt with this idempotency key was refused, and this is its refusal. */
  readonly isReplay: boolean

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Record<string, string> = {},
    isReplay = false,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.isReplay = isReplay
  }
}

/**
 * Returns whether the server has refused a request for good. After a missing session, a limit or an error of the server the
 * same request may succeed later.
 */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
}

/**
 * Sends a request to an endpoint of the contract and returns its reply. Throws ApiError for every error response, and
 * with status 0 and code `offline` when no complete response arrives.
 */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E>, options: Options = {}) {
  return replyOf<E>(await request(endpoint, input, options))
}

/**
 * As `call` with an idempotency key. `isReplay` says that an earlier attempt with this key had succeeded, so that nothing was
 * done now (docs/specification/api.md).
 */
export async function callOnce<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options & { idempotencyKey: string },
): Promise<{ reply: Reply<E>; isReplay: boolean }> {
  const response = await request(endpoint, input, options)
  return { reply: await replyOf<E>(response), isReplay: isReplayed(response) }
}

const isReplayed = ({ headers }: Response) => headers.has('idempotency-replayed')

/** As `call`, but returns a page of a list: with the next cursor, and the total where the server sends it. */
export async function callPage<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Page<E>> {
  const response = await request(endpoint, input, options)
  return {
    reply: await replyOf<E>(response),
    next: response.headers.get('x-next-cursor'),
    total: countIn(response, 'x-total-count'),
  }
}

/** As `call`, but returns also the number in a header of the response; null where the server sends none. */
export async function callWithCount<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  header: string,
  options: Options = {},
): Promise<{ reply: Reply<E>; count: number | null }> {
  const response = await request(endpoint, input, options)
  return { reply: await replyOf<E>(response), count: countIn(response, header) }
}

function countIn({ headers }: Response, header: string): number | null {
  const count = headers.get(header)
  return count === null ? null : Number(count)
}

async function request(endpoint: Endpoint, input: object, options: Options): Promise<Response> {
  const {
    params,
    query,
    body: given,
  } = input as { params?: Record<string, unknown>; query?: object; body?: unknown }
  const body = options.keepBody ? options.keepBody(given) : given
  return send(endpoint, urlOf(endpoint, params, query), {
    method: endpoint.method,
    signal: options.signal ?? null,
    keepalive: options.keepalive ?? false,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function replyOf<E extends Endpoint>(response: Response): Promise<Reply<E>> {
  return (response.status === 204 ? undefined : await orNetworkError(response.json())) as Reply<E>
}

/** As `call`, for an endpoint whose response is a file. */
export async function download<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Blob> {
  const { params, query } = input as { params?: Record<string, unknown>; query?: object }
  const response = await send(endpoint, urlOf(endpoint, params, query), { method: endpoint.method })
  return orNetworkError(response.blob())
}

/** As `call`, with the bytes as the request's body. */
export async function sendBytes<E extends Endpoint>(
  endpoint: E,
  { params, query }: { params: Record<string, unknown>; query: object },
  body: Blob,
  signal: AbortSignal,
): Promise<Reply<E>> {
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await send(endpoint, urlOf(endpoint, params, query), {
    method: endpoint.method,
    headers,
    body,
    signal,
  })
  return orNetworkError(response.json())
}

/** Uploads a file as the multipart field `name`; otherwise as `call`. */
export async function uploadFile<E extends Endpoint>(
  endpoint: E,
  params: Record<string, unknown>,
  name: string,
  file: Blob,
): Promise<Reply<E>> {
  const body = new FormData()
  body.set(name, file)
  const response = await send(endpoint, urlOf(endpoint, params), { method: endpoint.method, body })
  return orNetworkError(response.json())
}

function urlOf(endpoint: Endpoint, params: Record<string, unknown> = {}, query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return pathOf(endpoint, params) + (search.size > 0 ? `?${search}` : '')
}

type ProveIdentity = () => Promise<boolean>
let proveIdentity: ProveIdentity = async () => false

/**
 * Registers the function that asks the user to prove their identity when a request needs a recent proof
 * (docs/specification/identity.md#step-up). It resolves to whether they did.
 */
export function onProofRequired(handler: ProveIdentity): void {
  proveIdentity = handler
}

/** Sends the request, and again after the user has proved their identity, where it needs a recent proof. */
async function send(endpoint: Endpoint, url: string, init: RequestInit): Promise<Response> {
  try {
    return await sendWithToken(endpoint, url, init)
  } catch (error) {
    // Other endpoints refuse with this code too: a password where a second factor is needed must not open a dialog again.
    const needsProof = error instanceof ApiError && error.code === 'proof_required' && endpoint.access.fresh
    if (!needsProof) throw error
    if (!(await proveIdentity())) throw new ApiError(error.status, error.code, NOT_PROVED)
    return send(endpoint, url, init)
  }
}

/**
 * Sends the request with the ID token. After a 401 the token is renewed and the request is retried once; a write is not when
 * another user has signed in meanwhile, because it is not theirs.
 */
async function sendWithToken(endpoint: Endpoint, url: string, init: RequestInit): Promise<Response> {
  const { who, token: use } = endpoint.access
  // A visitor who was not signed in the last time does not wait for a token.
  const isAnonymous = who === 'anyone' && (use !== 'optional' || !wasSignedIn())
  if (isAnonymous) return ensureOk(await fetchWithToken(url, init))
  const token = await requestToken()
  const response = await fetchWithToken(url, init, token)
  if (response.status !== 401 || token === null) return ensureOk(response)
  discardToken(token)
  const renewed = await requestToken()
  const isOther = renewed !== null && claimsOf(renewed).email !== claimsOf(token).email
  if (isOther && endpoint.method !== 'GET') return ensureOk(response)
  return ensureOk(await fetchWithToken(url, init, renewed))
}

/** Returns the ID token. Without a connection it fails as every request does, so that work waits to be sent. */
async function requestToken(): Promise<string | null> {
  try {
    return await getIdToken()
  } catch (error) {
    throw error instanceof TypeError ? offlineError() : error
  }
}

/** Returns the error of a request without a complete response. */
export const offlineError = () =>
  new ApiError(0, 'offline', t`No connection. Check your network and try again.`)

async function fetchWithToken(
  url: string,
  init: RequestInit,
  token: string | null = null,
): Promise<Response> {
  const headers = new Headers(init.headers)
  // Error messages are shown on the page, so they have its language and not the browser's.
  headers.set('accept-language', document.documentElement.lang)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const early = init.method === 'GET' ? takeEarlyResponse(url) : undefined
  return orNetworkError(early ?? fetch(url, { ...init, headers }))
}

/** Returns a response or its body. A connection that breaks during the body loses the response too: a write may have succeeded. */
async function orNetworkError<T>(received: Promise<T>): Promise<T> {
  try {
    return await received
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError'
    // A complete body that is no JSON.
    if (isCancelled || error instanceof SyntaxError) throw error
    throw offlineError()
  }
}

async function ensureOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => null)
  const { code, message, fields } = parseErrorBody(body)
  throw new ApiError(response.status, code, message, fields, isReplayed(response))
}

function parseErrorBody(body: unknown): { code: string; message: string; fields?: Record<string, string> } {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error
  if (typeof error?.code === 'string' && typeof error.message === 'string') {
    return error as { code: string; message: string; fields?: Record<string, string> }
  }
  return { code: 'internal', message: UNKNOWN_ERROR }
}

/** Returns the message to show for a thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : UNKNOWN_ERROR
}
