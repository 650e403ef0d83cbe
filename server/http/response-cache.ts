import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '#server/config.ts'
import { acceptedEncoding, compress, type Encoding, MIN_COMPRESSED_BYTES } from './content-encoding.ts'
import { asRefusal } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { type ReadyResponse, readyResponse, sendReady } from './ready-response.ts'

declare module 'fastify' {
  interface FastifyInstance {
    responseCache: ResponseCache
  }
}

/** No response is shared for longer than this. */
const SHARED_MS = 1000
/** Requests with one key within `SHARED_MS` that each read the database; further ones share one read. */
const UNSHARED_READS = 5
/** While the database is down, the last response is served for this long. */
const STALE_MS = 15 * 60_000
/** After a failure, requests that can be served a stale response read the database no sooner than this. */
const PAUSE_MS = 1000
const MAX_ENTRIES = 5_000
const MAX_BYTES = 16 * 1024 * 1024
/** Memory of an entry in addition to its key and its bytes, measured. */
const ENTRY_BYTES = 2048
const PURGE_MS = 60_000
/** While no more requests than this are being read, a response to a single one is compressed too. */
const QUIET_READS = 4

const CACHE_CONTROL = 'public, max-age=0, s-maxage=1'
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

export type ResponseCache = {
  /** Returns the response under a key that can be sent at once, if any. */
  ready(key: string | undefined, request: FastifyRequest): ReadyResponse | undefined
  /**
   * Sends the response that `read` returns, or the one that it shares with other requests for the same key. Sends the
   * last one, with the header `age`, when `read` fails because the database is down.
   */
  respond(key: string, request: FastifyRequest, reply: FastifyReply, read: Read): Promise<FastifyReply>
  size(): { entries: number; bytes: number }
}

/** Reads a response: its body and its next cursor. */
export type Read = () => Promise<{ body: unknown; cursor: string | undefined }>

type Response = {
  etag: string
  headers: Record<string, string>
  readAt: number
  plain: ReadyResponse
  /** Made for the first request that accepts the encoding. */
  compressed: Map<Encoding, ReadyResponse>
  compressing: Map<Encoding, Promise<ReadyResponse>>
  /** Of the body, plain and compressed. */
  bytes: number
}

type Entry = {
  key: string
  windowStart: number
  /** Requests since `windowStart`. */
  requests: number
  /** The read that further requests since `windowStart` share. */
  shared: Promise<Response> | undefined
  /** Whether `last` is the response of `shared`. */
  isShared: boolean
  last: Response | undefined
}

/** A response to send. `age` in seconds marks a stale one. */
type Found = { entry: Entry; response: Response; age?: number }

/**
 * Adds the cache of public responses (docs/decisions/0020-response-cache.md). A route passes `ready` to the hook of
 * `sendReadyResponses`, and its read to `respond`.
 * @param now milliseconds of a monotonic clock.
 */
export function cacheResponses(app: FastifyInstance, config: Config, now = () => performance.now()): void {
  const commonHeaders = {
    ...securityHeaders(config).ofPrivate,
    'cache-control': CACHE_CONTROL,
    vary: 'accept-encoding',
  }
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ last }, key) => ENTRY_BYTES + 2 * key.length + (last?.bytes ?? 0),
    ttl: STALE_MS,
    ttlResolution: 0,
    perf: { now },
  })
  let pausedUntil = 0
  let reading = 0

  const purging = setInterval(() => entries.purgeStale(), PURGE_MS).unref()
  app.addHook('onClose', async () => clearInterval(purging))

  /** Stores an entry again, which updates its size and evicts others when there is no room. */
  function store(entry: Entry): void {
    entries.delete(entry.key)
    entries.set(entry.key, entry)
  }

  /** Returns what can be sent without a read. */
  function find(key: string): Found | undefined {
    const entry = entries.get(key)
    if (entry?.last === undefined) return undefined
    const { last: response, isShared, windowStart } = entry
    if (isShared && now() - windowStart <= SHARED_MS) return { entry, response }
    return now() < pausedUntil ? stale(entry) : undefined
  }

  function stale(entry: Entry): Found | undefined {
    const { last: response } = entry
    if (response === undefined) return undefined
    const ageMs = now() - response.readAt
    return ageMs > STALE_MS ? undefined : { entry, response, age: Math.floor(ageMs / 1000) }
  }

  function entryOf(key: string): Entry {
    let entry = entries.get(key)
    if (entry === undefined) {
      entry = { key, windowStart: now(), requests: 0, shared: undefined, isShared: false, last: undefined }
      store(entry)
    } else if (now() - entry.windowStart > SHARED_MS)
      Object.assign(entry, { windowStart: now(), requests: 0, shared: undefined, isShared: false })
    return entry
  }

  async function load(entry: Entry, read: Read): Promise<Response> {
    const readAt = now()
    const response = responseOf(await read(), readAt, commonHeaders)
    if (entry.last === undefined || entry.last.readAt <= readAt) {
      entry.last = response
      store(entry)
    }
    return response
  }

  function loadShared(entry: Entry, read: Read): Promise<Response> {
    const shared = load(entry, read)
    entry.shared = shared
    shared.then(
      () => {
        if (entry.shared === shared) entry.isShared = true
      },
      () => {
        if (entry.shared === shared) entry.shared = undefined
      },
    )
    return shared
  }

  async function current(entry: Entry, read: Read): Promise<Found> {
    try {
      if (++entry.requests <= UNSHARED_READS) return { entry, response: await load(entry, read) }
      return { entry, response: await (entry.shared ?? loadShared(entry, read)) }
    } catch (error) {
      if (asRefusal(error).code !== 'unavailable') {
        if (entry.last === undefined) entries.delete(entry.key)
        throw error
      }
      pausedUntil = now() + PAUSE_MS
      const last = stale(entry)
      if (last === undefined) throw error
      return last
    }
  }

  /** Returns the encoding to send. Among many requests, a response to a single one is not worth compressing. */
  function encodingOf({ entry, response, age }: Found, request: FastifyRequest): Encoding | undefined {
    const isRepeated = age !== undefined || (entry.isShared && entry.last === response)
    const isWorthwhile = reading <= QUIET_READS && response.plain.body.length >= MIN_COMPRESSED_BYTES
    return isRepeated || isWorthwhile ? acceptedEncoding(request) : undefined
  }

  function compressed({ entry, response }: Found, encoding: Encoding): Promise<ReadyResponse> {
    const known = response.compressing.get(encoding)
    if (known !== undefined) return known
    const { etag, headers, plain } = response
    const compressing = compress(plain.body, encoding).then((bytes) => {
      const ready = readyResponse(
        etag,
        headers,
        { ...JSON_TYPE, 'content-encoding': encoding },
        unpooled(bytes),
      )
      response.compressed.set(encoding, ready)
      response.bytes += bytes.length
      if (entries.peek(entry.key) === entry) store(entry)
      return ready
    })
    response.compressing.set(encoding, compressing)
    return compressing
  }

  app.decorate('responseCache', {
    ready(key, request) {
      const found = key === undefined ? undefined : find(key)
      if (found === undefined) return undefined
      const encoding = encodingOf(found, request)
      const variant = encoding && found.response.compressed.get(encoding)
      // Compresses in the background; this request is sent the plain variant.
      if (encoding !== undefined && variant === undefined) compressed(found, encoding).catch(() => {})
      return withAge(variant ?? found.response.plain, found.age)
    },
    async respond(key, request, reply, read) {
      let ready: ReadyResponse
      reading++
      try {
        const found = find(key) ?? (await current(entryOf(key), read))
        const encoding = encodingOf(found, request)
        const variant = encoding === undefined ? found.response.plain : await compressed(found, encoding)
        ready = withAge(variant, found.age)
      } finally {
        reading--
      }
      return sendReady(request, reply, ready)
    },
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize }),
  })
}

function withAge(ready: ReadyResponse, age: number | undefined): ReadyResponse {
  if (age === undefined) return ready
  const header = ['age', String(age)]
  return {
    ...ready,
    headers: [...ready.headers, ...header],
    notModifiedHeaders: [...ready.notModifiedHeaders, ...header],
  }
}

function responseOf(
  { body, cursor }: Awaited<ReturnType<Read>>,
  readAt: number,
  commonHeaders: Record<string, string>,
): Response {
  const bytes = unpooled(Buffer.from(JSON.stringify(body)))
  const etag = `"${hash('sha1', bytes, 'base64url')}"`
  const headers = {
    ...commonHeaders,
    etag: `W/${etag}`,
    ...(cursor !== undefined && { 'x-next-cursor': cursor }),
  }
  return {
    etag,
    headers,
    readAt,
    plain: readyResponse(etag, headers, JSON_TYPE, bytes),
    compressed: new Map(),
    compressing: new Map(),
    bytes: bytes.length,
  }
}

/** Copies bytes into memory of their own: small buffers are slices of larger ones, which they would keep in memory. */
function unpooled(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
