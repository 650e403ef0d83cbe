import { randomInt } from 'node:crypto'
import type { Payout, PayoutBatchDetails } from '#contract/payouts.ts'
import { type Actor, type Board, insist, note, sleepShort } from './actor.ts'
import { importStatement, pay, REJECTED, upload } from './payout-bank.ts'
import { type Desk, type OpenBatch, send } from './payout-desk.ts'
import { confirmForProvider, providerEnding } from './payout-provider.ts'

/** The coins of each request. */
export const PAYOUT_COINS = 200
/** More in an hour are refused. */
const REQUESTS_MAX = 50
const OPEN_BATCHES_MAX = 4
const WAITING_MAX = 20
const LOOKS_MAX = 50

/** A worker asks for a payout, every other time of the provider. */
export async function askForPayout(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const asked = actor.journal.filter(({ call }) => call === 'withdraw').length
  const { desk } = board
  const index = desk.asked
  const waiting = index % 2 === 0 ? desk.forProvider : desk.waiting
  if (asked >= REQUESTS_MAX || waiting.size >= WAITING_MAX) return sleepShort()
  desk.asked++
  const byHand = roll() < 0.2 ? REJECTED : '10'
  const ending = waiting === desk.forProvider ? providerEnding(index / 2) : byHand
  const accountNumber = `017${String(randomInt(1e6)).padStart(6, '0')}${ending}`
  const body = { withdrawalCoin: PAYOUT_COINS, payment_system: 'Bkash', accountNumber }
  const response = await insist(board, actor, 'POST', `/withdraw/${actor.user.email}`, body)
  if (response.status !== 200) return note(actor, 'withdraw refused', undefined, 0)
  note(actor, 'withdraw', response.body.insertedId, -PAYOUT_COINS)
  waiting.add(response.body.insertedId)
}

/** An Admin creates a batch, or takes the next step of one that another Admin may be working on, too. */
export async function workOnPayouts(board: Board, admin: Actor, roll: () => number): Promise<void> {
  const { desk } = board
  if (desk.freezes.length > 0 && roll() < 0.3) {
    const freeze = desk.freezes.shift()
    await send(board, admin, 'end freeze', `/freezes/${freeze}/end`, { reason: 'Explained' })
    return
  }
  const open = desk.batches.filter(({ paidBy }) => paidBy !== 'provider').length
  if (desk.forProvider.size > 0 && open === desk.batches.length)
    return createBatch(board, admin, 'provider', roll)
  if (desk.waiting.size > 0 && open < OPEN_BATCHES_MAX)
    return createBatch(board, admin, roll() < 0.3 ? 'hand' : 'file', roll)
  const batch = desk.batches[Math.floor(roll() * desk.batches.length)]
  if (batch === undefined) return sleepShort()
  const { body } = await insist(board, admin, 'GET', `/payout-batches/${batch.id}`)
  const details = body as unknown as PayoutBatchDetails
  const path = `/payout-batches/${batch.id}`
  switch (details.state) {
    case 'draft': {
      if (roll() < 0.15) return remove(board, admin, batch, details)
      if (roll() < 0.1) return cancel(board, admin, batch, details)
      const step = roll() < 0.5 ? 'check' : 'release'
      await send(board, admin, step, `${path}/${step}`)
      return
    }
    case 'checked':
      if (roll() < 0.1) return cancel(board, admin, batch, details)
      await send(board, admin, 'release', `${path}/release`)
      return
    case 'released':
    case 'exported':
    case 'settling':
      return PAY[batch.paidBy](board, admin, batch, details, roll)
    case 'reconciled':
    case 'cancelled':
      return settle(board, admin, batch, details, roll)
  }
}

/** Returns where the requests of a batch wait when it does not pay them. */
const waitingFor = (desk: Desk, paidBy: OpenBatch['paidBy']) =>
  paidBy === 'provider' ? desk.forProvider : desk.waiting

async function createBatch(
  board: Board,
  admin: Actor,
  paidBy: OpenBatch['paidBy'],
  roll: () => number,
): Promise<void> {
  const { desk } = board
  const waiting = waitingFor(desk, paidBy)
  const chosen = [...waiting].slice(0, 1 + Math.floor(roll() * 5))
  for (const id of chosen) waiting.delete(id)
  const provider = paidBy === 'provider' ? { provider: 'sandbox' } : {}
  const created = { withdrawalIds: chosen, ...provider }
  const { status, body } = await insist(board, admin, 'POST', '/payout-batches', created)
  if (status === 201) {
    note(admin, 'create batch', body.insertedId, 0)
    desk.batches.push({ id: body.insertedId, paidBy, looks: 0 })
  } else if (chosen.length > 1) for (const id of chosen) waiting.add(id)
}

async function cancel(
  board: Board,
  admin: Actor,
  { paidBy }: OpenBatch,
  batch: PayoutBatchDetails,
): Promise<void> {
  if (!(await send(board, admin, 'cancel', `/payout-batches/${batch._id}/cancel`))) return
  for (const { withdrawalId, state } of batch.payouts)
    if (state === 'queued') waitingFor(board.desk, paidBy).add(withdrawalId)
}

async function remove(
  board: Board,
  admin: Actor,
  { paidBy }: OpenBatch,
  { payouts }: PayoutBatchDetails,
): Promise<void> {
  const queued = payouts.find(({ state }) => state === 'queued')
  if (queued === undefined) return
  const { status } = await insist(board, admin, 'DELETE', `/payouts/${queued._id}`)
  if (status === 200) waitingFor(board.desk, paidBy).add(queued.withdrawalId)
}

/** What an Admin does with a released batch, by how it is paid. */
const PAY: Record<
  OpenBatch['paidBy'],
  (
    board: Board,
    admin: Actor,
    batch: OpenBatch,
    details: PayoutBatchDetails,
    roll: () => number,
  ) => Promise<void>
> = { hand: payByHand, file: payByFile, provider: followProvider }

/**
 * The provider pays. An Admin may freeze a request meanwhile, and leaves a batch after a while: a payout that was submitted
 * when its sender was killed stays in flight for an hour.
 */
async function followProvider(
  board: Board,
  admin: Actor,
  batch: OpenBatch,
  details: PayoutBatchDetails,
  roll: () => number,
): Promise<void> {
  const payout = details.payouts.find(({ state }) => state === 'sent')
  if (payout === undefined || ++batch.looks > LOOKS_MAX) return settle(board, admin, batch, details, roll)
  if (roll() < 0.05) return freeze(board, admin, payout)
  if (roll() < 0.2) return confirmForProvider(board, admin, payout)
  return sleepShort()
}

async function payByHand(
  board: Board,
  admin: Actor,
  _: OpenBatch,
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
  batch: OpenBatch,
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

/** Leaves a batch that is over. Requests whose payout failed are declined, paid to a corrected number, or wait again. */
async function settle(
  board: Board,
  admin: Actor,
  batch: OpenBatch,
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
