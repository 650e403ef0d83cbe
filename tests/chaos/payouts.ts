import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PayoutFileProfile } from '#contract/payout-files.ts'
import type { StatementMapping } from '#contract/payout-statements.ts'
import type { Payout, PayoutBatchDetails } from '#contract/payouts.ts'
import type { Database } from '#server/database/database.ts'
import { readCsv } from '#server/payouts/files/csv.ts'
import { STATEMENT_MAPPING } from '#tests/support/payouts.ts'
import { type Actor, type Board, insist, note, sleepShort } from './actor.ts'

type Line = { withdrawal: string; reference: string; account: string; cents: number; isPaid: boolean }
type Batch = { id: string; isByHand: boolean; file?: string }

/** What the Admins share: requests for a batch, batches, the bank that pays them, and what must not happen. */
export type Desk = {
  waiting: Set<string>
  batches: Batch[]
  /** What the bank did with each reference. It pays a reference once. */
  bank: Map<string, Line>
  /** Requests that were paid by Payment Success. */
  single: string[]
  freezes: string[]
  violations: string[]
}
export const aDesk = (): Desk => ({
  waiting: new Set(),
  batches: [],
  bank: new Map(),
  single: [],
  freezes: [],
  violations: [],
})

const COINS = 200
/** More in an hour are refused. */
const REQUESTS_MAX = 50
const OPEN_BATCHES_MAX = 4
/** The bank rejects account numbers with this ending. */
const REJECTED = '13'
const MAPPING: StatementMapping = {
  ...STATEMENT_MAPPING,
  accountNumber: 'Receiver',
  status: 'Status',
  paid: ['Paid'],
  failed: ['Rejected'],
}

/** A worker asks for a payout. */
export async function askForPayout(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const asked = actor.journal.filter(({ call }) => call === 'withdraw').length
  if (asked >= REQUESTS_MAX || board.desk.waiting.size > 20) return sleepShort()
  const ending = roll() < 0.2 ? REJECTED : '10'
  const accountNumber = `017${String(randomInt(1e6)).padStart(6, '0')}${ending}`
  const body = { withdrawalCoin: COINS, payment_system: 'Bkash', accountNumber }
  const response = await insist(board, actor, 'POST', `/withdraw/${actor.user.email}`, body)
  if (response.status !== 200) return note(actor, 'withdraw refused', undefined, 0)
  note(actor, 'withdraw', response.body.insertedId, -COINS)
  board.desk.waiting.add(response.body.insertedId)
}

/** An Admin creates a batch, or takes the next step of one that another Admin may be working on, too. */
export async function workOnPayouts(board: Board, admin: Actor, roll: () => number): Promise<void> {
  const { desk } = board
  if (desk.freezes.length > 0 && roll() < 0.3) {
    const freeze = desk.freezes.shift()
    await send(board, admin, 'end freeze', `/freezes/${freeze}/end`, { reason: 'Explained' })
    return
  }
  if (desk.waiting.size > 0 && desk.batches.length < OPEN_BATCHES_MAX) return createBatch(board, admin, roll)
  const batch = desk.batches[Math.floor(roll() * desk.batches.length)]
  if (batch === undefined) return sleepShort()
  const { body } = await insist(board, admin, 'GET', `/payout-batches/${batch.id}`)
  const details = body as unknown as PayoutBatchDetails
  const path = `/payout-batches/${batch.id}`
  switch (details.state) {
    case 'draft': {
      if (roll() < 0.15) return remove(board, admin, details)
      if (roll() < 0.1) return cancel(board, admin, details)
      const step = roll() < 0.5 ? 'check' : 'release'
      await send(board, admin, step, `${path}/${step}`)
      return
    }
    case 'checked':
      if (roll() < 0.1) return cancel(board, admin, details)
      await send(board, admin, 'release', `${path}/release`)
      return
    case 'released':
    case 'exported':
    case 'settling':
      return batch.isByHand ? payByHand(board, admin, details) : payByFile(board, admin, batch, details, roll)
    case 'reconciled':
    case 'cancelled':
      return settle(board, admin, batch, details, roll)
  }
}

/** Sends a step and returns whether it was accepted. A refusal is final: another Admin was first, or a rule holds it. */
async function send(
  board: Board,
  admin: Actor,
  call: string,
  path: string,
  body: object = {},
): Promise<boolean> {
  const { status } = await insist(board, admin, 'POST', path, body)
  if (status >= 500) board.desk.violations.push(`${call} returned ${status}`)
  note(admin, status < 300 ? call : `${call} refused`, undefined, 0)
  return status < 300
}

async function createBatch(board: Board, admin: Actor, roll: () => number): Promise<void> {
  const { desk } = board
  const chosen = [...desk.waiting].slice(0, 1 + Math.floor(roll() * 5))
  for (const id of chosen) desk.waiting.delete(id)
  const { status, body } = await insist(board, admin, 'POST', '/payout-batches', { withdrawalIds: chosen })
  if (status === 201) {
    note(admin, 'create batch', body.insertedId, 0)
    desk.batches.push({ id: body.insertedId, isByHand: roll() < 0.3 })
  } else if (chosen.length > 1) for (const id of chosen) desk.waiting.add(id)
}

async function cancel(board: Board, admin: Actor, batch: PayoutBatchDetails): Promise<void> {
  if (!(await send(board, admin, 'cancel', `/payout-batches/${batch._id}/cancel`))) return
  for (const { withdrawalId, state } of batch.payouts)
    if (state === 'queued') board.desk.waiting.add(withdrawalId)
}

async function remove(board: Board, admin: Actor, { payouts }: PayoutBatchDetails): Promise<void> {
  const queued = payouts.find(({ state }) => state === 'queued')
  if (queued === undefined) return
  const { status } = await insist(board, admin, 'DELETE', `/payouts/${queued._id}`)
  if (status === 200) board.desk.waiting.add(queued.withdrawalId)
}

/** The bank pays a reference once, however often it is asked to, or rejects it. */
function pay({ bank }: Desk, { withdrawalId, reference, accountNumber, cents }: Payout): Line {
  const known = bank.get(reference)
  if (known !== undefined) return known
  const isPaid = !accountNumber.endsWith(REJECTED)
  const line = { withdrawal: withdrawalId, reference, account: accountNumber, cents, isPaid }
  bank.set(reference, line)
  return line
}

async function payByHand(
  board: Board,
  admin: Actor,
  { _id: batch, payouts }: PayoutBatchDetails,
): Promise<void> {
  for (const payout of payouts.filter(({ state }) => state === 'sent'))
    if (!pay(board.desk, payout).isPaid) await report(board, admin, payout, false)
  await send(board, admin, 'confirm batch', `/payout-batches/${batch}/confirm`)
}

async function report(board: Board, admin: Actor, { _id: id }: Payout, isPaid: boolean): Promise<void> {
  if (isPaid) await send(board, admin, 'confirm payout', `/payouts/${id}/confirm`)
  else
    await send(board, admin, 'fail payout', `/payouts/${id}/fail`, { reason: 'Rejected', returnCoins: false })
}

async function payByFile(
  board: Board,
  admin: Actor,
  batch: Batch,
  details: PayoutBatchDetails,
  roll: () => number,
): Promise<void> {
  const { desk } = board
  const sent = details.payouts.filter(({ state }) => state === 'sent')
  const [payout] = sent
  if (payout !== undefined && roll() < 0.15) return freeze(board, admin, payout)
  if (sent.some(({ reference }) => !desk.bank.has(reference))) return upload(board, admin, batch, details)
  const lines = sent.map((one) => ({ one, isPaid: desk.bank.get(one.reference)?.isPaid ?? false }))
  if (payout === undefined || roll() < 0.4) return importStatement(board, admin, roll)
  if (roll() < 0.3) return loseTrack(board, admin, payout)
  if (lines.every(({ isPaid }) => isPaid) && roll() < 0.3) {
    await send(board, admin, 'confirm batch', `/payout-batches/${batch.id}/confirm`)
    return
  }
  for (const { one, isPaid } of lines.slice(0, 1)) await report(board, admin, one, isPaid)
}

/** Makes the file of a batch, the same one each time, and uploads it to the bank. */
async function upload(
  board: Board,
  admin: Actor,
  batch: Batch,
  { payouts }: PayoutBatchDetails,
): Promise<void> {
  const { desk } = board
  const listed = await insist(board, admin, 'GET', '/payout-file-profiles')
  const [profile] = listed.body as unknown as PayoutFileProfile[]
  const made = await insist(board, admin, 'POST', `/payout-batches/${batch.id}/files`, {
    profileId: profile?._id,
  })
  note(admin, made.status === 201 ? 'export' : 'export refused', undefined, 0)
  if (made.status !== 201) return
  const content = await downloadFile(board, admin, made.body.insertedId)
  batch.file ??= content
  if (batch.file !== content) desk.violations.push(`the file of batch ${batch.id} has changed`)
  const [heading = [], ...rows] = readCsv(Buffer.from(content))
  const column = heading.findIndex((name) => /reference/i.test(name))
  for (const row of rows) {
    const payout = payouts.find(({ reference }) => reference === row[column])
    if (payout === undefined) desk.violations.push(`${row[column]} is in a file and not in its batch`)
    else pay(desk, payout)
  }
}

async function downloadFile(board: Board, admin: Actor, file: string): Promise<string> {
  for (;;) {
    try {
      const headers = { authorization: await admin.user.authorization() }
      const response = await fetch(`${board.url}/api/payout-files/${file}/csv`, { headers })
      if (response.status === 200) return await response.text()
      await admin.user.renew()
    } catch {
      // The connection broke: reading again is harmless.
    }
    board.retries++
    await sleep(100)
  }
}

async function freeze(board: Board, admin: Actor, { withdrawalId }: Payout): Promise<void> {
  const path = `/withdrawals/${withdrawalId}/freezes`
  const { status, body } = await insist(board, admin, 'POST', path, { reason: 'A ring' })
  note(admin, status === 200 ? 'freeze' : 'freeze refused', undefined, 0)
  const { freezeId } = body as unknown as { freezeId?: string }
  if (freezeId !== undefined && !board.desk.freezes.includes(freezeId)) board.desk.freezes.push(freezeId)
}

/** Marks a payout as unknown, and tries to pay its request again: that must be refused while it is unknown. */
async function loseTrack(
  board: Board,
  admin: Actor,
  { _id: id, batchId, withdrawalId }: Payout,
): Promise<void> {
  const reason = 'The portal timed out'
  if (!(await send(board, admin, 'mark unknown', `/payouts/${id}/unknown`, { reason }))) return
  const { body } = await insist(board, admin, 'GET', `/payout-batches/${batchId}`)
  const { payouts } = body as unknown as PayoutBatchDetails
  if (payouts.find(({ _id }) => _id === id)?.state !== 'unknown') return
  const again = { status: 'approved' }
  const { status } = await insist(board, admin, 'PATCH', `/withdraw-status/${withdrawalId}`, again)
  // A statement may have settled it as failed meanwhile: then this is a payment like any other.
  if (status === 200) board.desk.single.push(withdrawalId)
}

/** Imports what the bank did, in any order and again and again. */
async function importStatement(board: Board, admin: Actor, roll: () => number): Promise<void> {
  const lines = [...board.desk.bank.values()].filter(() => roll() < 0.8).toSorted(() => roll() - 0.5)
  const rows = lines.map(({ reference, account, cents, isPaid }) =>
    [`TX${reference}`, reference, account, (cents / 100).toFixed(2), isPaid ? 'Paid' : 'Rejected'].join(','),
  )
  const content = ['TrxID,Reference,Receiver,Amount,Status', ...rows].join('\r\n')
  await send(board, admin, 'import statement', '/payout-statements', {
    account: 'Bank',
    fileName: 'statement.csv',
    content: Buffer.from(content).toString('base64'),
    mapping: MAPPING,
  })
}

/** Leaves a batch that is over. Requests whose payout failed are declined, paid to a corrected number, or wait again. */
async function settle(
  board: Board,
  admin: Actor,
  batch: Batch,
  { payouts }: PayoutBatchDetails,
  roll: () => number,
): Promise<void> {
  const { desk } = board
  const index = desk.batches.indexOf(batch)
  if (index < 0) return
  desk.batches.splice(index, 1)
  if (payouts.some(({ state }) => state === 'confirmed')) note(admin, 'reconcile', undefined, 0)
  for (const { _id, withdrawalId, retryable, accountNumber } of payouts.filter(
    ({ state }) => state === 'failed',
  )) {
    const decide = (body: object) => insist(board, admin, 'PATCH', `/withdraw-status/${withdrawalId}`, body)
    if (!retryable) continue
    if (roll() < 0.3) {
      await decide({ status: 'declined', reason: 'This number is not in use' })
    } else if (roll() < 0.5) {
      const corrected = accountNumber.replace(/..$/, '10')
      if (!(await send(board, admin, 'correct', `/payouts/${_id}/retry`, { accountNumber: corrected })))
        continue
      const { status } = await decide({ status: 'approved' })
      if (status === 200) desk.single.push(withdrawalId)
    } else desk.waiting.add(withdrawalId)
  }
}

type PaidRow = { id: string; status: string; resent: boolean }

/** Compares what the bank paid with the requests: paid once and approved, or not paid. Returns how many were approved. */
export async function comparePayouts({ pool }: Database, desk: Desk, actors: readonly Actor[]) {
  const paid = new Map<string, number>()
  const count = (id: string) => paid.set(id, (paid.get(id) ?? 0) + 1)
  for (const { withdrawal, isPaid } of desk.bank.values()) if (isPaid) count(withdrawal)
  for (const id of desk.single) count(id)
  const { rows } = await pool.query<PaidRow>(
    `select id, status, exists (
              select from payouts join payouts as later using (withdrawal_id)
               where withdrawal_id = withdrawals.id and later.attempt > payouts.attempt and payouts.state = 'unknown') as resent
       from withdrawals`,
  )
  const lost: string[] = []
  const doubled = [...desk.violations]
  for (const { id, status, resent } of rows) {
    const times = paid.get(id) ?? 0
    if (times > 1) doubled.push(`withdrawal ${id} was paid ${times} times`)
    if (resent) doubled.push(`withdrawal ${id} was sent again while its outcome was unknown`)
    if (status === 'approved' && times === 0) lost.push(`withdrawal ${id} is approved and was not paid`)
    if (status !== 'approved' && status !== 'pending' && times > 0)
      doubled.push(`withdrawal ${id} was paid and returned`)
  }
  const created = actors.flatMap(({ journal }) => journal.filter(({ call }) => call === 'create batch'))
  const { rows: batches } = await pool.query<{ id: string }>('select id from payout_batches where not single')
  const ids = new Set(batches.map(({ id }) => id))
  lost.push(...created.filter(({ made }) => !ids.has(made ?? '')).map(({ made }) => `batch ${made}`))
  if (ids.size > created.length) doubled.push(`${ids.size - created.length} more batches than were created`)
  return { approved: rows.filter(({ status }) => status === 'approved').length, lost, doubled }
}

/** Writes down the coins of declined requests, which the balances must show once. */
export async function noteReturned({ pool }: Database, actors: readonly Actor[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from withdrawals where status in ('declined', 'cancelled')`,
  )
  for (const { id } of rows) {
    const worker = actors.find(({ journal }) =>
      journal.some(({ call, made }) => call === 'withdraw' && made === id),
    )
    if (worker !== undefined) note(worker, 'returned', id, COINS)
  }
}
