import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '#server/escape-html.ts'
import { HTML_PAGE_CSP, htmlPage } from './html-page.ts'
import type { OutgoingEmail } from './mailer.ts'

type StoredEmail = OutgoingEmail & { sentAt: string }
const SHOWN_MAX = 100

/** Registers pages that show the emails of the mail folder, newest first. Development only. */
export function devMailPage(app: FastifyInstance, folder: string): void {
  app.get('/dev/mail', async (_request, reply) => {
    const messages = await readMessages(folder)
    const items = messages.map(
      ({ file, subject, to, sentAt, text }) =>
        `<li><a href="/dev/mail/${file}"><strong>${escapeHtml(subject)}</strong></a><br>to ${escapeHtml(to)}, ${escapeHtml(sentAt)}<pre>${withLinks(text)}</pre></li>`,
    )
    reply.type('text/html; charset=utf-8').header('content-security-policy', HTML_PAGE_CSP)
    return htmlPage('Mail', items.length === 0 ? '<p>No mail yet.</p>' : `<ul>${items.join('')}</ul>`, 'en')
  })

  app.get<{ Params: { file: string } }>('/dev/mail/:file', async (request, reply) => {
    const message = (await readMessages(folder)).find(({ file }) => file === request.params.file)
    if (message === undefined) return reply.callNotFound()
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        HTML_PAGE_CSP.replace("frame-ancestors 'self'", 'sandbox allow-popups'),
      )
    return message.html
  })
}

async function readMessages(folder: string): Promise<(StoredEmail & { file: string })[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const messages = await Promise.all(
    names.map(async (name) => {
      const stored = JSON.parse(await readFile(join(folder, name), 'utf8')) as StoredEmail
      return { ...stored, file: name.replace(/\.json$/, '') }
    }),
  )
  return messages.sort((a, b) => (a.sentAt < b.sentAt ? 1 : -1)).slice(0, SHOWN_MAX)
}

/** Returns the text as HTML with its URLs as links. */
function withLinks(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
}
