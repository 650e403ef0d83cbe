import type { Locale } from '#contract/locales.ts'
import type { ReceiptDocument } from '#contract/receipts.ts'
import type { Db } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { presentReceipt } from './present.ts'
import { type ReceiptRow, receiptById, receiptsOfPayment } from './queries.ts'

/**
 * Returns a receipt with the others of its payment, by its id or that of its payment, reversal or withdrawal.
 * @throws Refusal `not_found`, also for a receipt of another user than `owner`; null stands for any user.
 */
export async function readReceipt(
  db: Db,
  id: string,
  owner: string | null,
  siteName: string,
  locale: Locale,
): Promise<ReceiptDocument> {
  return describeReceipt(db, await findReceipt(db, id, owner), siteName, locale)
}

/** Finds the row of a receipt as `readReceipt` does. @throws Refusal `not_found`. */
export async function findReceipt(db: Db, id: string, owner: string | null): Promise<ReceiptRow> {
  const [row] = await receiptById(db, id, owner)
  if (row === undefined) throw new Refusal('not_found')
  return row
}

/** Returns the receipt of a row, with the others of its payment. */
export async function describeReceipt(
  db: Db,
  row: ReceiptRow,
  siteName: string,
  locale: Locale,
): Promise<ReceiptDocument> {
  const related = row.payment_id === null ? [] : await receiptsOfPayment(db, row.payment_id)
  return presentReceipt(row, siteName, related, locale)
}
