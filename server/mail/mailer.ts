import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailSettings } from '#server/config.ts'
import type { Message } from './render.ts'

export type Attachment = { filename: string; contentType: string; content: string; encoding: 'base64' }

export type OutgoingEmail = Message & {
  to: string
  /** The same for every attempt, so that mail servers and programs recognise duplicates. */
  messageId: string
  /** The one-click unsubscribe link of optional emails. */
  unsubscribeUrl?: string | undefined
  attachments?: Attachment[] | undefined
}

export type Mailer = { send(mail: OutgoingEmail): Promise<void>; close(): void }

/** The mail server rejected the recipient permanently; retrying is pointless. */
export class Undeliverable extends Error {}

/** Creates a mailer of this configuration: SMTP with at most `connections`, or a folder of messages for development. */
export function openMailer({ mail, name }: { mail: MailSettings; name: string }, connections = 3): Mailer {
  const from = { name, address: mail.from }
  return mail.kind === 'smtp' ? smtpMailer(mail.url, from, connections) : folderMailer(mail.folder, from)
}

type From = { name: string; address: string }

function smtpMailer(url: string, from: From, maxConnections: number): Mailer {
  const opening = openTransport(url, maxConnections)
  return {
    async send({ to, messageId, subject, text, html, unsubscribeUrl, attachments }) {
      try {
        const transport = await opening
        await transport.sendMail({
          from,
          // In an object, a comma in the email does not separate a second recipient.
          to: { name: '', address: to },
          messageId,
          subject,
          text,
          html,
          attachments,
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...(unsubscribeUrl !== undefined && {
            list: { unsubscribe: { url: unsubscribeUrl, comment: 'Unsubscribe' } },
            headers: {
              'Auto-Submitted': 'auto-generated',
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            },
          }),
        })
      } catch (error) {
        if (isRejectedRecipient(error as SmtpError)) throw new Undeliverable((error as Error).message)
        throw error
      }
    },
    close: () => void opening.then((transport) => transport.close()),
  }
}

type SmtpError = Error & { command?: string; responseCode?: number; response?: string }

/**
 * Enhanced status codes (RFC 3463) that are about the recipient: its address, without the codes that are about the sender (5.1.7,
 * 5.1.8, and 5.1.0 of Postfix), and its mailbox.
 */
const RECIPIENT_STATUS = /^5\.(1\.(?!(0|7|8)$)|2\.)/

/**
 * Returns whether the mail server, or nodemailer before it, rejected the recipient permanently. A rejection of the sender or of
 * the whole message has the same code (EENVELOPE) and passes: a permission that is missing, a quota that is used up. Postfix
 * rejects both after the recipient, so that only its enhanced status code says what was wrong.
 */
function isRejectedRecipient({ command, responseCode = 0, response = '', message }: SmtpError): boolean {
  if (command !== 'RCPT TO') return command === 'API' && message.startsWith('Invalid recipient')
  const [, status] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  return responseCode >= 500 && (status === undefined || RECIPIENT_STATUS.test(status))
}

/** Opens an SMTP transport. Only servers that send by SMTP load the library. */
async function openTransport(url: string, maxConnections: number) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function folderMailer(folder: string, from: From): Mailer {
  mkdirSync(folder, { recursive: true })
  return {
    async send(mail) {
      const sentAt = new Date().toISOString()
      // Named by the message id, so that a repeated attempt leaves one file; renamed, so that readers see whole files.
      const name = `${mail.messageId.replaceAll(/[^\w-]/g, '_')}.json`
      const temporary = join(folder, `.${randomUUID()}`)
      await writeFile(temporary, JSON.stringify({ from: from.address, sentAt, ...mail }, null, 2))
      await rename(temporary, join(folder, name))
    },
    close: () => {},
  }
}
