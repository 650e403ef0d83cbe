import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { acceptedEncoding, type Encoding } from './content-encoding.ts'
import { asRefusal } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns the key that a request's response is cached under, or undefined for a request that is not cached. */
    cacheKey?: (request: FastifyRequest) => string | undefined
  }
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
/** Memory of an entry beside its key and its bytes. */
const ENTRY_BYTES = 1024
const PURGE_MS = 60_000

const CACHE_CONTROL = 'public, max-age=0, s-maxage=1'
const JSON_TYPE = 'application/json; charset=utf-8'

export type ResponseCache = {
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
  body: Buffer
  etag: string
  headers: Record<string, string>
  readAt: number
  compressed: Map<Encoding, Promise<Buffer>>
  compressedBytes: number
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
 * Adds the cache of public responses (docs/decisions/0020-response-cache.md). A hook serves what is cached before a
 * request is counted as load; a route's handler passes its read to `app.responseCache.respond`.
 * @param now milliseconds of a monotonic clock.
 */
export function cacheResponses(app: FastifyInstance, now = () => performance.now()): void {
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ last }, key) =>
      ENTRY_BYTES + 2 * key.length + (last === undefined ? 0 : last.body.length + last.compressedBytes),
    ttl: STALE_MS,
    ttlResolution: 0,
    perf: { now },
  })
  let pausedUntil = 0

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
    const response = responseOf(await read(), readAt)
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

  /** Compresses a response once, for the first request that accepts the encoding. */
  function compressed(entry: Entry, response: Response, encoding: Encoding): Promise<Buffer> {
    const known = response.compressed.get(encoding)
    if (known !== undefined) return known
    const compressing = compress(response.body, encoding).then((bytes) => {
      response.compressedBytes += bytes.length
      if (entries.peek(entry.key) === entry) store(entry)
      return bytes
    })
    response.compressed.set(encoding, compressing)
    return compressing
  }

  async function send(
    { entry, response, age }: Found,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    reply.headers(response.headers)
    if (age !== undefined) reply.header('age', String(age))
    if (request.headers['if-none-match']?.includes(response.etag)) return reply.code(304).send()
    // A response to a single request is not worth compressing.
    const isRepeated = age !== undefined || (entry.isShared && entry.last === response)
    const encoding = isRepeated ? acceptedEncoding(request) : undefined
    if (encoding !== undefined) reply.header('content-encoding', encoding)
    const body = encoding === undefined ? response.body : await compressed(entry, response, encoding)
    return reply.type(JSON_TYPE).send(body)
  }

  app.decorate('responseCache', {
    respond: async (key, request, reply, read) => send(await current(entryOf(key), read), request, reply),
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize }),
  })

  app.addHook('onRequest', (request, reply, done) => {
    const key = request.routeOptions.config.cacheKey?.(request)
    const found = key === undefined ? undefined : find(key)
    if (found === undefined) done()
    else send(found, request, reply).catch(done)
  })
}

function responseOf({ body: value, cursor }: Awaited<ReturnType<Read>>, readAt: number): Response {
  const body = unpooled(JSON.stringify(value))
  const etag = `"${hash('sha1', body, 'base64url')}"`
  const headers = {
    etag: `W/${etag}`,
    'cache-control': CACHE_CONTROL,
    vary: 'accept-encoding',
    ...(cursor !== undefined && { 'x-next-cursor': cursor }),
  }
  return { body, etag, headers, readAt, compressed: new Map(), compressedBytes: 0 }
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return unpooled(
    encoding === 'br'
      ? await brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      : await zip(body),
  )
}

/** Copies bytes into memory of their own: small buffers are slices of larger ones, which they would keep in memory. */
function unpooled(bytes: string | Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(Buffer.byteLength(bytes))
  if (typeof bytes === 'string') copy.write(bytes)
  else bytes.copy(copy)
  return copy
}
