import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AtHand, flat } from './at-hand.ts'
import { asRefusal } from './errors.ts'
import { type Encoding, takes } from './pages.ts'

/** No shared answer is older than this. */
const SHARED_MS = 1000
/** While the database is away, the last answer of an address is given for so long. */
const STALE_MS = 15 * 60_000
/** So many bytes of last answers are kept; those kept longest go first. */
const KEPT_BYTES = 16 * 1024 * 1024
/** After a failure the database is asked again no sooner than this by those who can be given a last answer. */
const PAUSE_MS = 1000
/** An address that is asked for no more often than this in that time is read afresh each time. */
const OFTEN = 5

const JSON_TYPE = 'application/json; charset=utf-8'

type Read = { body: unknown; cursor: ReturnType<FastifyReply['getHeader']> }
type Ready = {
  body: Buffer
  etag: string
  cursor: Read['cursor']
  packed?: Map<Encoding, Promise<Buffer>>
  atHand?: Map<Encoding | 'plain', AtHand>
}

type Asked = { times: number; answer?: Promise<Ready>; atHand?: Map<Encoding | 'plain', AtHand> }

/**
 * Answers that are the same for everybody. What few ask for is read for each of them; what many ask for at once is read
 * once, and all get the same bytes, compressed once, which then lie at hand for who asks next. An answer whose `etag`
 * the caller has already is sent as 304, without its body. While the database is away the last answers are given, with
 * the header `age` in seconds. `always` are the headers that every answer carries.
 */
export function sharedAnswers(route = '', always: Record<string, string> = {}) {
  let began = 0
  let asked = new Map<string, Asked>()

  function answerTo(url: string, read: () => Promise<Read>): Promise<Ready> {
    const now = performance.now()
    if (now - began > SHARED_MS) {
      began = now
      asked = new Map()
    }
    const known: Asked = asked.get(url) ?? { times: 0 }
    asked.set(url, known)
    if (++known.times <= OFTEN) return makeReady(read)
    known.answer ??= makeReady(read).then(
      (ready) => {
        known.atHand = new Map()
        return { ...ready, packed: new Map(), atHand: known.atHand }
      },
      (error: unknown) => {
        delete known.answer
        throw error
      },
    )
    return known.answer
  }

  const last = lastAnswers()

  /** The answer as of now, or the last one where the database is away. */
  async function answerOrLast(url: string, read: () => Promise<Read>): Promise<Ready & { age?: number }> {
    const known = last.of(url)
    if (known !== undefined && last.isAway()) return known
    try {
      const answer = await answerTo(url, read)
      last.keep(url, answer)
      return answer
    } catch (error) {
      if (asRefusal(error).code !== 'unavailable') throw error
      last.pause()
      if (known === undefined) throw error
      return known
    }
  }

  async function share(request: FastifyRequest, reply: FastifyReply, read: () => Promise<Read>) {
    const ready = await answerOrLast(request.url, read)
    const { body, etag, cursor, packed, age, atHand } = ready
    const unchanged: Record<string, string> = {
      etag: `W/${etag}`,
      'cache-control': 'public, max-age=0, s-maxage=1',
      ...(cursor !== undefined && { 'x-next-cursor': String(cursor) }),
    }
    reply.headers(unchanged)
    if (age !== undefined) reply.header('age', String(age))
    if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
    const encoding = packed && encodingFor(request.raw)
    const headers = {
      ...unchanged,
      'content-type': JSON_TYPE,
      vary: 'accept-encoding',
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    }
    const bytes =
      packed === undefined || encoding === undefined ? body : await packOnce(ready, packed, encoding)
    atHand?.set(encoding ?? 'plain', {
      route,
      etag,
      headers: flat({ ...always, ...headers, 'content-length': String(bytes.length) }),
      unchanged: flat({ ...always, ...unchanged }),
      body: bytes,
    })
    return reply.headers(headers).send(bytes)
  }

  /** What was sent to another within this second, for the same address and encoding. */
  function find(request: IncomingMessage): AtHand | undefined {
    const atHand = asked.get(request.url ?? '')?.atHand
    if (atHand === undefined || performance.now() - began > SHARED_MS) return undefined
    return atHand.get(encodingFor(request) ?? 'plain')
  }

  return { share, find }
}

function packOnce(
  { body }: Ready,
  packed: Map<Encoding, Promise<Buffer>>,
  encoding: Encoding,
): Promise<Buffer> {
  const bytes = packed.get(encoding) ?? pack(body, encoding)
  packed.set(encoding, bytes)
  return bytes
}

const encodingFor = (request: IncomingMessage) => ENCODINGS.find((one) => takes(request, one))

const ENCODINGS: Encoding[] = ['br', 'gzip']
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

function pack(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : zip(body)
}

/** The last answer of each address, as many as fit. */
function lastAnswers() {
  const answers = new Map<string, { ready: Ready; at: number }>()
  let bytes = 0
  let pausedUntil = 0

  function forget(url: string): void {
    const known = answers.get(url)
    if (known !== undefined && answers.delete(url)) bytes -= known.ready.body.length
  }
  return {
    of(url: string): (Ready & { age: number }) | undefined {
      const known = answers.get(url)
      if (known === undefined) return undefined
      const ageMs = performance.now() - known.at
      return ageMs > STALE_MS ? undefined : { ...known.ready, age: Math.floor(ageMs / 1000) }
    },
    keep(url: string, ready: Ready): void {
      forget(url)
      answers.set(url, { ready, at: performance.now() })
      bytes += ready.body.length
      for (const oldest of answers.keys()) {
        if (bytes <= KEPT_BYTES) break
        forget(oldest)
      }
    },
    pause(): void {
      pausedUntil = performance.now() + PAUSE_MS
    },
    isAway: () => performance.now() < pausedUntil,
  }
}

async function makeReady(read: () => Promise<Read>): Promise<Ready> {
  const { body: answer, cursor } = await read()
  const body = Buffer.from(JSON.stringify(answer))
  return { body, etag: `"${hash('sha1', body, 'base64url')}"`, cursor }
}
