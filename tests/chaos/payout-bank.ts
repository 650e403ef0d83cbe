import { setTimeout as sleep } from 'node:timers/promises'
import type { PayoutFileProfile } from '#contract/payout-files.ts'
import type { StatementMapping } from '#contract/payout-statements.ts'
import type { Payout, PayoutBatchDetails } from '#contract/payouts.ts'
import { readCsv } from '#server/payouts/files/csv.ts'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { STATEMENT_MAPPING } from '#tests/support/payouts.ts'
import { type Actor, recordResponse, retryUntilFinal, type SharedState } from './actor.ts'
import { type OpenBatch, type SharedPayouts, send } from './shared-payouts.ts'

/** What the bank did with a reference. */
export type BankTransfer = {
  withdrawal: string
  reference: string
  account: string
  cents: number
  isPaid: boolean
}
/** The bank rejects account numbers with this ending. */
export const REJECTED = '13'
const MAPPING: StatementMapping = {
  ...STATEMENT_MAPPING,
  accountNumber: 'Receiver',
  status: 'Status',
  paid: ['Paid'],
  failed: ['Rejected'],
}

/** The bank pays a reference once, however often it is asked to, or rejects it. */
export function pay(
  { bank }: SharedPayouts,
  { withdrawalId, reference, accountNumber, cents }: Payout,
): BankTransfer {
  const known = bank.get(reference)
  if (known !== undefined) return known
  const isPaid = !accountNumber.endsWith(REJECTED)
  const line = { withdrawal: withdrawalId, reference, account: accountNumber, cents, isPaid }
  bank.set(reference, line)
  return line
}

/** Makes the file of a batch, the same one each time, and uploads it to the bank. */
export async function upload(
  shared: SharedState,
  admin: Actor,
  batch: OpenBatch,
  details: PayoutBatchDetails,
): Promise<void> {
  const { payouts } = shared
  const listed = await retryUntilFinal(shared, admin, 'GET', '/payout-file-profiles')
  const [profile] = listed.body as unknown as PayoutFileProfile[]
  const made = await retryUntilFinal(shared, admin, 'POST', `/payout-batches/${batch.id}/files`, {
    profileId: profile?._id,
  })
  recordResponse(admin, made.status === 201 ? 'export' : 'export refused', undefined, 0)
  if (made.status !== 201) return
  const content = await downloadFile(shared, admin, made.body.insertedId)
  batch.file ??= content
  if (batch.file !== content) payouts.violations.push(`the file of batch ${batch.id} has changed`)
  const [heading = [], ...rows] = readCsv(Buffer.from(content))
  const column = heading.findIndex((name) => /reference/i.test(name))
  for (const row of rows) {
    const payout = details.payouts.find(({ reference }) => reference === row[column])
    if (payout === undefined) payouts.violations.push(`${row[column]} is in a file and not in its batch`)
    else pay(payouts, payout)
  }
}

async function downloadFile(shared: SharedState, admin: Actor, file: string): Promise<string> {
  for (const deadline = Date.now() + CEILING_MS; ; ) {
    try {
      const headers = { authorization: await admin.user.authorization() }
      const response = await fetch(`${shared.url}/api/payout-files/${file}/csv`, { headers })
      if (response.status === 200) return await response.text()
      await admin.user.renew()
    } catch {
      // The connection broke: reading again is harmless.
    }
    shared.retries++
    if (Date.now() > deadline) throw new Error(`File ${file} was not downloaded within ${CEILING_MS} ms`)
    await sleep(100)
  }
}

/** Imports what the bank did, in any order and again and again. */
export async function importStatement(
  shared: SharedState,
  admin: Actor,
  random: () => number,
): Promise<void> {
  const lines = [...shared.payouts.bank.values()].filter(() => random() < 0.8).toSorted(() => random() - 0.5)
  const rows = lines.map(({ reference, account, cents, isPaid }) =>
    [`TX${reference}`, reference, account, (cents / 100).toFixed(2), isPaid ? 'Paid' : 'Rejected'].join(','),
  )
  const content = ['TrxID,Reference,Receiver,Amount,Status', ...rows].join('\r\n')
  await send(shared, admin, 'import statement', '/payout-statements', {
    account: 'Bank',
    fileName: 'statement.csv',
    content: Buffer.from(content).toString('base64'),
    mapping: MAPPING,
  })
}
