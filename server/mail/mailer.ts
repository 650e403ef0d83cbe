import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { MailSettings } from '#server/config.ts'
import type { Message } from './render.ts'

export type OutgoingEmail = Message & {
  to: string
  /** The same for every attempt, so that a copy can be told from a second message. */
  messageId: string
  /** Where one click ends mails of this kind; only optional mails have it. */
  unsubscribeUrl?: string | undefined
}

export type Mailer = { send(mail: OutgoingEmail): Promise<void>; close(): void }

/** An address that its own server refuses for good: there is nothing to try again. */
export class Undeliverable extends Error {}

/** How mail leaves this program, by configuration: SMTP, or a folder of messages for development. */
export function openMailer(settings: { mail: MailSettings; name: string }): Mailer {
  const { mail, name } = settings
  const from = { name, address: mail.from }
  return mail.kind === 'smtp' ? smtpMailer(mail.url, from) : folderMailer(mail.folder, from)
}

type From = { name: string; address: string }

function smtpMailer(url: string, from: From): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, messageId, subject, text, html, unsubscribeUrl }) {
      try {
        await transport.sendMail({
          from,
          // As an object the address is taken as it is: a comma in it names no second one.
          to: { name: '', address: to },
          messageId,
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...(unsubscribeUrl !== undefined && {
            list: { unsubscribe: { url: unsubscribeUrl, comment: 'Stop these mails' } },
            headers: {
              'Auto-Submitted': 'auto-generated',
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            },
          }),
        })
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        const forGood = responseCode === undefined || responseCode >= 500
        if (code === 'EENVELOPE' && forGood) throw new Undeliverable((error as Error).message)
        throw error
      }
    },
    close: () => transport.close(),
  }
}

function folderMailer(folder: string, from: From): Mailer {
  return {
    async send(mail) {
      await mkdir(folder, { recursive: true })
      const sentAt = new Date().toISOString()
      // Named by its message, so that an attempt that is made twice leaves one message.
      const name = `${mail.messageId.replaceAll(/[^\w-]/g, '_')}.json`
      const aside = join(folder, `.${randomUUID()}`)
      await writeFile(aside, JSON.stringify({ from: from.address, sentAt, ...mail }, null, 2))
      await rename(aside, join(folder, name))
    },
    close: () => {},
  }
}
