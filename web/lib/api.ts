import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { clearToken, idToken } from '#web/lib/token.ts'

type Schema = z.ZodMiniType
type Given<T> = T extends Schema ? z.input<T> : never
/** What goes into an address is text; numbers may be given as numbers. */
type QueryInput<T> = T extends Schema
  ? { [K in keyof z.input<T>]: z.input<T>[K] | (z.input<T>[K] extends string | undefined ? number : never) }
  : never

/** The parts a call needs: exactly those that its endpoint declares. */
export type Input<E extends Endpoint> = (E['params'] extends Schema
  ? { params: Given<E['params']> }
  : object) &
  (E['query'] extends Schema ? { query?: QueryInput<E['query']> } : object) &
  (E['body'] extends Schema ? { body: Given<E['body']> } : object)

export type Reply<E extends Endpoint> = z.output<E['reply']>
export type Page<E extends Endpoint> = { reply: Reply<E>; next: string | null; total: number | null }

type Options = { idempotencyKey?: string | undefined; signal?: AbortSignal | undefined }

/** A refusal or failure of the API. `message` can be shown to a person; `fields` name what to correct. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/**
 * Calls an endpoint of the contract and gives its reply. Throws ApiError for every answer that is not a success, and
 * with status 0 and code `offline` when no answer came.
 */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E>, options: Options = {}) {
  const page = await callPage(endpoint, input, options)
  return page.reply
}

/** As `call`, with what the headers say about the list: the next cursor, and the total where it is cheap. */
export async function callPage<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Page<E>> {
  const { params, query, body } = input as { params?: object; query?: object; body?: unknown }
  const response = await send(endpoint, addressOf(endpoint, params, query), {
    method: endpoint.method,
    signal: options.signal ?? null,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const total = response.headers.get('x-total-count')
  return {
    reply: (response.status === 204 ? undefined : await response.json()) as Reply<E>,
    next: response.headers.get('x-next-cursor'),
    total: total === null ? null : Number(total),
  }
}

/** As `call`, for an answer that is a file. */
export async function download<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Blob> {
  const { params, query } = input as { params?: object; query?: object }
  const response = await send(endpoint, addressOf(endpoint, params, query), { method: endpoint.method })
  return response.blob()
}

/** Sends a picture as the multipart field `name`, a large photo made smaller first; otherwise as `call`. */
export async function upload<E extends Endpoint>(endpoint: E, name: string, file: File): Promise<Reply<E>> {
  const smaller = await import('#web/lib/resize-image.ts').catch(() => null)
  const body = new FormData()
  body.set(name, smaller ? await smaller.resizeImage(file) : file)
  const response = await send(endpoint, addressOf(endpoint), { method: endpoint.method, body })
  return response.json()
}

function addressOf(endpoint: Endpoint, params: object = {}, query: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params))
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return `/api${path}${search.size > 0 ? `?${search}` : ''}`
}

/** A token that the server no longer takes is renewed once, and the call made once more. */
async function send(endpoint: Endpoint, address: string, init: RequestInit): Promise<Response> {
  if (endpoint.access.who === 'anyone') return accepted(await answer(address, init))
  const token = await idToken()
  const response = await answer(address, init, token)
  if (response.status !== 401 || token === null) return accepted(response)
  clearToken(token)
  return accepted(await answer(address, init, await idToken()))
}

async function answer(address: string, init: RequestInit, token: string | null = null): Promise<Response> {
  const headers = new Headers(init.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  try {
    return await fetch(address, { ...init, headers })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, 'offline', 'No connection. Check your network and try again.')
  }
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => null)
  const { code, message, fields } = errorIn(body)
  throw new ApiError(response.status, code, message, fields)
}

function errorIn(body: unknown): { code: string; message: string; fields?: Record<string, string> } {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error
  if (typeof error?.code === 'string' && typeof error.message === 'string') {
    return error as { code: string; message: string; fields?: Record<string, string> }
  }
  return { code: 'internal', message: 'Something went wrong. Please try again in a moment.' }
}

/** The sentence to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Please try again in a moment.'
}
