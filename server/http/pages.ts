import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
  const encoding = [...page.compressed.keys()].find((one) => takes(request, one))
  const etag = `"${page.etag}${encoding === undefined ? '' : `-${encoding}`}"`
  reply.header('etag', etag).header('vary', 'accept-encoding').header('cache-control', 'no-cache')
  if (status === 200 && request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .send(encoding === undefined ? page.plain : page.compressed.get(encoding))
}

/** Whether a browser takes an answer in this encoding. */
export function takes(request: FastifyRequest, encoding: Encoding): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  return ACCEPTS[encoding].test(accepted)
}
