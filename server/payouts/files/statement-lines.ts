import { createHash } from 'node:crypto'
import { latinDigits } from '#contract/digits.ts'
import type { StatementMapping } from '#contract/payout-statements.ts'
import { Refusal } from '#server/http/refusal.ts'

/** A line of a statement as import_payout_statement takes it. `amount` and `fee` are hundredths without a sign. */
export type StatementLine = {
  key: string
  number: number
  reference: string
  transactionId: string
  accountNumber: string
  amount: number | null
  currency: string
  fee: number | null
  outcome: 'paid' | 'failed' | 'pending' | 'unclear'
  status: string
  /** Money that came in, by its sign. */
  incoming: boolean
}

const OUR_REFERENCE = /\bTW[0-9A-F]{12,32}\b/
/** Groups of thousands or lakhs. The last one has three digits: `12,34` is a decimal comma. */
const AMOUNT = /^(\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.(\d{1,2}))?$/

/** Returns an amount in hundredths with its sign, or null when the text is not an amount with at most two decimals. */
export function parseAmount(text: string): number | null {
  const plain = latinDigits(text)
    .replace(/[\s'৳$]|BDT|USD|Tk\.?/gi, '')
    .replace(/^\((.*)\)$/, '-$1')
  const isNegative = /^[-−]/.test(plain)
  const [, whole, fraction = ''] = AMOUNT.exec(plain.replace(/^[-−+]/, '')) ?? []
  if (whole === undefined) return null
  const hundredths = Number(whole.replaceAll(',', '') + fraction.padEnd(2, '0'))
  if (!Number.isSafeInteger(hundredths)) return null
  return isNegative ? -hundredths : hundredths
}

/**
 * Returns the lines of a statement. A reference of ours is found within a longer text. The key of a line is its transaction
 * id; without one its reference; without both its content. Lines of a bulk transfer may share it (import_statement_line).
 * @throws Refusal `invalid_fields` for a heading that the file does not have.
 */
export function statementLines(rows: readonly string[][], mapping: StatementMapping): StatementLine[] {
  const [heading = [], ...body] = rows
  const headings = heading.map((name) => name.trim())
  const columnOf = (name: string) => {
    const index = headings.indexOf(name)
    if (name !== '' && index === -1) throw new Refusal('invalid_fields.csv_heading', { params: { name } })
    return index
  }
  const columns = {
    reference: columnOf(mapping.reference),
    amount: columnOf(mapping.amount),
    transactionId: columnOf(mapping.transactionId),
    accountNumber: columnOf(mapping.accountNumber),
    fee: columnOf(mapping.fee),
    status: columnOf(mapping.status),
  }
  return body.map((row, index) => {
    const cell = (column: number) => (row[column] ?? '').replace(/^'/, '').trim().slice(0, 500).toWellFormed()
    const text = cell(columns.reference)
    const reference = OUR_REFERENCE.exec(text.toUpperCase())?.[0] ?? text
    const transactionId = cell(columns.transactionId)
    const signed = parseAmount(cell(columns.amount))
    const status = cell(columns.status)
    const fee = parseAmount(cell(columns.fee))
    const content = createHash('sha256').update(JSON.stringify(row)).digest('hex')
    return {
      key: transactionId ? `t:${transactionId}` : reference ? `r:${reference}` : `c:${content}`,
      number: index + 2,
      reference,
      transactionId,
      accountNumber: cell(columns.accountNumber),
      amount: signed === null ? null : Math.abs(signed),
      currency: mapping.currency,
      fee: fee === null ? null : Math.abs(fee),
      outcome: outcomeOf(status, mapping),
      status,
      incoming: signed !== null && signed !== 0 && signed < 0 !== mapping.negative,
    }
  })
}

function outcomeOf(status: string, { status: heading, paid, failed, pending }: StatementMapping) {
  if (heading === '') return 'paid'
  const isOneOf = (words: string[]) => words.some((word) => word.toLowerCase() === status.toLowerCase())
  if (isOneOf(paid)) return 'paid'
  if (isOneOf(failed)) return 'failed'
  return isOneOf(pending) ? 'pending' : 'unclear'
}
