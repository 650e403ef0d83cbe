import { randomInt } from 'node:crypto'
import type { Payout, PayoutBatchDetails } from '#contract/payouts.ts'
import { type Actor, recordResponse, retryUntilFinal, type SharedState, sleepShort } from './actor.ts'
import { importStatement, pay, REJECTED, upload } from './payout-bank.ts'
import { confirmForProvider, providerEnding } from './payout-provider.ts'
import { type OpenBatch, type SharedPayouts, send } from './shared-payouts.ts'

/** The coins of each request. */
export const PAYOUT_COINS = 200
/** More in an hour are refused. */
const REQUESTS_MAX = 50
const OPEN_BATCHES_MAX = 4
const WAITING_MAX = 20
const LOOKS_MAX = 15

/** A worker asks for a payout, every other time of the provider. */
export async function askForPayout(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  const asked = actor.journal.filter(({ call }) => call === 'withdraw').length
  const { payouts } = shared
  const index = payouts.asked
  const waiting = index % 2 === 0 ? payouts.forProvider : payouts.waiting
  if (asked >= REQUESTS_MAX || waiting.size >= WAITING_MAX) return sleepShort()
  payouts.asked++
  const byHand = random() < 0.2 ? REJECTED : '10'
  const ending = waiting === payouts.forProvider ? providerEnding(index / 2) : byHand
  const accountNumber = `017${String(randomInt(1e6)).padStart(6, '0')}${ending}`
  const body = { withdrawalCoin: PAYOUT_COINS, payment_system: 'Bkash', accountNumber }
  const response = await retryUntilFinal(shared, actor, 'POST', `/withdraw/${actor.user.email}`, body)
  if (response.status !== 200) return recordResponse(actor, 'withdraw refused', undefined, 0)
  recordResponse(actor, 'withdraw', response.body.insertedId, -PAYOUT_COINS)
  waiting.add(response.body.insertedId)
}

/** An Admin creates a batch, or takes the next step of one that another Admin may be working on, too. */
export async function workOnPayouts(shared: SharedState, admin: Actor, random: () => number): Promise<void> {
  const { payouts } = shared
  if (payouts.freezes.length > 0 && random() < 0.3) {
    const freeze = payouts.freezes.shift()
    await send(shared, admin, 'end freeze', `/freezes/${freeze}/end`, { reason: 'Explained' })
    return
  }
  const open = payouts.batches.filter(({ paidBy }) => paidBy !== 'provider').length
  if (payouts.forProvider.size > 0 && open === payouts.batches.length)
    return createPayoutBatch(shared, admin, 'provider', random)
  if (payouts.waiting.size > 0 && open < OPEN_BATCHES_MAX)
    return createPayoutBatch(shared, admin, random() < 0.3 ? 'hand' : 'file', random)
  // What a run waits for the longest is what the provider pays.
  const byProvider = payouts.batches.filter(({ paidBy }) => paidBy === 'provider')
  const batches = byProvider.length > 0 && random() < 0.5 ? byProvider : payouts.batches
  const batch = batches[Math.floor(random() * batches.length)]
  if (batch === undefined) return sleepShort()
  const { body } = await retryUntilFinal(shared, admin, 'GET', `/payout-batches/${batch.id}`)
  const details = body as unknown as PayoutBatchDetails
  const path = `/payout-batches/${batch.id}`
  switch (details.state) {
    case 'draft': {
      if (random() < 0.15) return remove(shared, admin, batch, details)
      if (random() < 0.1) return cancel(shared, admin, batch, details)
      const step = random() < 0.5 ? 'check' : 'release'
      await send(shared, admin, step, `${path}/${step}`)
      return
    }
    case 'checked':
      if (random() < 0.1) return cancel(shared, admin, batch, details)
      await send(shared, admin, 'release', `${path}/release`)
      return
    case 'released':
    case 'exported':
    case 'settling':
      return PAY[batch.paidBy](shared, admin, batch, details, random)
    case 'reconciled':
    case 'cancelled':
      return settle(shared, admin, batch, details, random)
  }
}

/** Returns where the requests of a batch wait when it does not pay them. */
const waitingFor = (payouts: SharedPayouts, paidBy: OpenBatch['paidBy']) =>
  paidBy === 'provider' ? payouts.forProvider : payouts.waiting

async function createPayoutBatch(
  shared: SharedState,
  admin: Actor,
  paidBy: OpenBatch['paidBy'],
  random: () => number,
): Promise<void> {
  const { payouts } = shared
  const waiting = waitingFor(payouts, paidBy)
  const chosen = [...waiting].slice(0, 1 + Math.floor(random() * 5))
  for (const id of chosen) waiting.delete(id)
  const provider = paidBy === 'provider' ? { provider: 'sandbox' } : {}
  const created = { withdrawalIds: chosen, ...provider }
  const { status, body } = await retryUntilFinal(shared, admin, 'POST', '/payout-batches', created)
  if (status === 201) {
    recordResponse(admin, 'create batch', body.insertedId, 0)
    payouts.batches.push({ id: body.insertedId, paidBy, looks: 0 })
  } else if (chosen.length > 1) for (const id of chosen) waiting.add(id)
}

async function cancel(
  shared: SharedState,
  admin: Actor,
  { paidBy }: OpenBatch,
  batch: PayoutBatchDetails,
): Promise<void> {
  if (!(await send(shared, admin, 'cancel', `/payout-batches/${batch._id}/cancel`))) return
  for (const { withdrawalId, state } of batch.payouts)
    if (state === 'queued') waitingFor(shared.payouts, paidBy).add(withdrawalId)
}

async function remove(
  shared: SharedState,
  admin: Actor,
  { paidBy }: OpenBatch,
  { payouts }: PayoutBatchDetails,
): Promise<void> {
  const queued = payouts.find(({ state }) => state === 'queued')
  if (queued === undefined) return
  const { status } = await retryUntilFinal(shared, admin, 'DELETE', `/payouts/${queued._id}`)
  if (status === 200) waitingFor(shared.payouts, paidBy).add(queued.withdrawalId)
}

/** What an Admin does with a released batch, by how it is paid. */
const PAY: Record<
  OpenBatch['paidBy'],
  (
    shared: SharedState,
    admin: Actor,
    batch: OpenBatch,
    details: PayoutBatchDetails,
    random: () => number,
  ) => Promise<void>
> = { hand: payByHand, file: payByFile, provider: followProvider }

/**
 * The provider pays. An Admin may freeze a request meanwhile, and leaves a batch after a while: a payout that was submitted
 * when its sender was killed stays in flight for an hour.
 */
async function followProvider(
  shared: SharedState,
  admin: Actor,
  batch: OpenBatch,
  details: PayoutBatchDetails,
  random: () => number,
): Promise<void> {
  const payout = details.payouts.find(({ state }) => state === 'sent')
  if (payout === undefined || ++batch.looks > LOOKS_MAX) return settle(shared, admin, batch, details, random)
  if (random() < 0.05) return freeze(shared, admin, payout)
  if (random() < 0.2) return confirmForProvider(shared, admin, payout)
  return sleepShort()
}

async function payByHand(
  shared: SharedState,
  admin: Actor,
  _: OpenBatch,
  { _id: batch, payouts }: PayoutBatchDetails,
): Promise<void> {
  for (const payout of payouts.filter(({ state }) => state === 'sent'))
    if (!pay(shared.payouts, payout).isPaid) await report(shared, admin, payout, false)
  await send(shared, admin, 'confirm batch', `/payout-batches/${batch}/confirm`)
}

async function report(
  shared: SharedState,
  admin: Actor,
  { _id: id }: Payout,
  isPaid: boolean,
): Promise<void> {
  if (isPaid) await send(shared, admin, 'confirm payout', `/payouts/${id}/confirm`)
  else
    await send(shared, admin, 'fail payout', `/payouts/${id}/fail`, {
      reason: 'Rejected',
      returnCoins: false,
    })
}

async function payByFile(
  shared: SharedState,
  admin: Actor,
  batch: OpenBatch,
  details: PayoutBatchDetails,
  random: () => number,
): Promise<void> {
  const { payouts } = shared
  const sent = details.payouts.filter(({ state }) => state === 'sent')
  const [payout] = sent
  if (payout !== undefined && random() < 0.15) return freeze(shared, admin, payout)
  if (sent.some(({ reference }) => !payouts.bank.has(reference))) return upload(shared, admin, batch, details)
  const lines = sent.map((one) => ({ one, isPaid: payouts.bank.get(one.reference)?.isPaid ?? false }))
  if (payout === undefined || random() < 0.4) return importStatement(shared, admin, random)
  if (random() < 0.3) return loseTrack(shared, admin, payout)
  if (lines.every(({ isPaid }) => isPaid) && random() < 0.3) {
    await send(shared, admin, 'confirm batch', `/payout-batches/${batch.id}/confirm`)
    return
  }
  for (const { one, isPaid } of lines.slice(0, 1)) await report(shared, admin, one, isPaid)
}

async function freeze(shared: SharedState, admin: Actor, { withdrawalId }: Payout): Promise<void> {
  const path = `/withdrawals/${withdrawalId}/freezes`
  const { status, body } = await retryUntilFinal(shared, admin, 'POST', path, { reason: 'A ring' })
  recordResponse(admin, status === 200 ? 'freeze' : 'freeze refused', undefined, 0)
  const { freezeId } = body as unknown as { freezeId?: string }
  if (freezeId !== undefined && !shared.payouts.freezes.includes(freezeId))
    shared.payouts.freezes.push(freezeId)
}

/** Marks a payout as unknown, and tries to pay its request again: that must be refused while it is unknown. */
async function loseTrack(
  shared: SharedState,
  admin: Actor,
  { _id: id, batchId, withdrawalId }: Payout,
): Promise<void> {
  const reason = 'The portal timed out'
  if (!(await send(shared, admin, 'mark unknown', `/payouts/${id}/unknown`, { reason }))) return
  const { body } = await retryUntilFinal(shared, admin, 'GET', `/payout-batches/${batchId}`)
  const { payouts } = body as unknown as PayoutBatchDetails
  if (payouts.find(({ _id }) => _id === id)?.state !== 'unknown') return
  const again = { status: 'approved' }
  const { status } = await retryUntilFinal(shared, admin, 'PATCH', `/withdraw-status/${withdrawalId}`, again)
  // A statement may have settled it as failed meanwhile: then this is a payment like any other.
  if (status === 200) shared.payouts.single.push(withdrawalId)
}

/** Leaves a batch that is over. Requests whose payout failed are declined, paid to a corrected number, or wait again. */
async function settle(
  shared: SharedState,
  admin: Actor,
  batch: OpenBatch,
  details: PayoutBatchDetails,
  random: () => number,
): Promise<void> {
  const { payouts } = shared
  const index = payouts.batches.indexOf(batch)
  if (index < 0) return
  payouts.batches.splice(index, 1)
  if (details.payouts.some(({ state }) => state === 'confirmed'))
    recordResponse(admin, 'reconcile', undefined, 0)
  for (const { _id, withdrawalId, retryable, accountNumber } of details.payouts.filter(
    ({ state }) => state === 'failed',
  )) {
    const decide = (body: object) =>
      retryUntilFinal(shared, admin, 'PATCH', `/withdraw-status/${withdrawalId}`, body)
    if (!retryable) continue
    if (random() < 0.3) {
      await decide({ status: 'declined', reason: 'This number is not in use' })
    } else if (random() < 0.5) {
      const corrected = accountNumber.replace(/..$/, '10')
      if (!(await send(shared, admin, 'correct', `/payouts/${_id}/retry`, { accountNumber: corrected })))
        continue
      const { status } = await decide({ status: 'approved' })
      if (status === 200) payouts.single.push(withdrawalId)
    } else payouts.waiting.add(withdrawalId)
  }
}
