import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** No shared answer is older than this. */
const SHARED_MS = 1000
/** An address that is asked for no more often than this in that time is read afresh each time. */
const OFTEN = 5

type Read = { body: unknown; cursor: unknown }
type Ready = { body: Buffer; etag: string; cursor: unknown }

/**
 * Answers that are the same for everybody. What few ask for is read for each of them; what many ask for at once is read
 * once, and all get the same bytes. An answer whose `etag` the caller has already is sent as 304, without its body.
 */
export function sharedAnswers() {
  let began = 0
  let asked = new Map<string, { times: number; answer?: Promise<Ready> }>()

  function answerTo(url: string, read: () => Promise<Read>): Promise<Ready> {
    const now = performance.now()
    if (now - began > SHARED_MS) {
      began = now
      asked = new Map()
    }
    const known = asked.get(url) ?? { times: 0 }
    asked.set(url, known)
    if (++known.times <= OFTEN) return makeReady(read)
    known.answer ??= makeReady(read).catch((error: unknown) => {
      delete known.answer
      throw error
    })
    return known.answer
  }

  return async (request: FastifyRequest, reply: FastifyReply, read: () => Promise<Read>) => {
    const { body, etag, cursor } = await answerTo(request.url, read)
    reply.header('etag', etag).header('cache-control', 'public, max-age=0, s-maxage=1')
    if (cursor !== undefined) reply.header('x-next-cursor', cursor)
    if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(body)
  }
}

async function makeReady(read: () => Promise<Read>): Promise<Ready> {
  const { body, cursor } = await read()
  const bytes = Buffer.from(JSON.stringify(body))
  return { body: bytes, etag: `"${hash('sha1', bytes, 'base64url')}"`, cursor }
}
