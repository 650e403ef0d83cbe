import type { Locale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { createPdf } from '#server/receipts/pdf/create-pdf.ts'
import { readReceipt } from '#server/receipts/read-receipt.ts'
import { receiptSheet } from '#server/receipts/receipt-sheet.ts'
import type { Attachment } from './mailer.ts'
import { REACHABLE } from './notification-mail.ts'
import type { EmailContent } from './render.ts'
import { receiptEmail } from './templates.ts'

const readRecipient = query<{ name: string; email: string; locale: Locale }, [receipt: string]>(
  'mail_receipt_recipient',
  `select users.name, identities.email, users.locale from receipts join users on users.id = receipts.user_id
     join identities on identities.id = users.id
    where receipts.id = $1 and ${REACHABLE}`,
)

/**
 * Composes the email of a receipt with its PDF file. Returns nothing for a deleted user and an address that is not verified:
 * somebody else may have signed up with it.
 */
export async function composeReceipt(
  database: Database,
  config: Config,
  id: string,
): Promise<{ to: string; content: EmailContent; attachments: Attachment[] } | undefined> {
  const [recipient] = await readRecipient(database, id)
  if (recipient === undefined) return undefined
  const receipt = await readReceipt(database, id, null, config.name, recipient.locale)
  const file = await createPdf(receiptSheet(receipt, config.timeZone, recipient.locale))
  const { kind, number, lines, total } = receipt
  return {
    to: recipient.email,
    content: receiptEmail(recipient.locale, {
      name: recipient.name,
      kind,
      number,
      lines,
      cents: Math.round(total * 100),
      url: `${config.publicUrl}/dashboard/receipts/${id}`,
    }),
    attachments: [
      {
        filename: `${number.replaceAll(/[^\w-]/g, '-')}.pdf`,
        contentType: 'application/pdf',
        content: file.toString('base64'),
        encoding: 'base64',
      },
    ],
  }
}
