import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AtHand, type Find, flat } from './at-hand.ts'

const ENCODINGS = { br: '.br', gzip: '.gz' } as const
export type Encoding = keyof typeof ENCODINGS
const ACCEPTS: Record<Encoding, RegExp> = {
  br: /(^|[ ,])br(?! *; *q=0(\.0*)?(,|$))/i,
  gzip: /(^|[ ,])gzip(?! *; *q=0(\.0*)?(,|$))/i,
}

/** A page of the built web app, in each encoding it was compressed to. */
export type Page = { html: string; etag: string; plain: Buffer; compressed: Map<Encoding, Buffer> }

/** The pages of the build by their path in it (`index.html`). They are few and small, and lie in memory. */
export async function readPages(webDir: string): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  for await (const path of glob('**/*.html', { cwd: webDir })) {
    const file = join(webDir, path)
    const plain = await readFile(file)
    const compressed = new Map<Encoding, Buffer>()
    for (const [encoding, ending] of Object.entries(ENCODINGS)) {
      if (existsSync(file + ending)) compressed.set(encoding as Encoding, await readFile(file + ending))
    }
    pages.set(path, { html: plain.toString(), etag: hash('sha1', plain, 'base64url'), plain, compressed })
  }
  return pages
}

/** Sends a page in the best encoding the browser takes, or 304 when it has this one. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  status: 200 | 404,
): FastifyReply {
  const { etag, unchanged, whole, body } = partsOf(
    page,
    [...page.compressed.keys()].find((one) => takes(request, one)),
  )
  reply.headers(unchanged)
  if (status === 200 && request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
  return reply.status(status).headers(whole).send(body)
}

/** What is sent of a page in an encoding: its headers also of a 304, those of the whole page, its bytes. */
function partsOf({ etag: name, compressed, plain }: Page, encoding: Encoding | undefined) {
  const etag = `"${name}${encoding === undefined ? '' : `-${encoding}`}"`
  return {
    etag,
    unchanged: { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' },
    whole: {
      ...(encoding !== undefined && { 'content-encoding': encoding }),
      'content-type': 'text/html; charset=utf-8',
    },
    body: (encoding && compressed.get(encoding)) ?? plain,
  }
}

/** The same answers as `sendPage` gives to GET, made beforehand. `headers` are those that every page carries. */
export function pageAtHand(page: Page, url: string, headers: Record<string, string>): Find {
  const make = (encoding?: Encoding): AtHand => {
    const { etag, unchanged, whole, body } = partsOf(page, encoding)
    return {
      route: url,
      etag,
      headers: flat({ ...headers, ...unchanged, ...whole, 'content-length': String(body.length) }),
      unchanged: flat({ ...headers, ...unchanged }),
      body,
    }
  }
  const plain = make()
  const compressed = [...page.compressed.keys()].map((encoding) => [encoding, make(encoding)] as const)
  return (request) => {
    if (request.url !== url) return undefined
    return (compressed.find(([encoding]) => takes(request, encoding)) ?? [undefined, plain])[1]
  }
}

/** Whether a browser takes an answer in this encoding. */
export function takes({ headers }: Pick<IncomingMessage, 'headers'>, encoding: Encoding): boolean {
  return ACCEPTS[encoding].test(String(headers['accept-encoding'] ?? ''))
}
