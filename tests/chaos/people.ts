import { randomUUID } from 'node:crypto'
import { PACKAGES } from '#contract/product.ts'
import { taskBody } from '#tests/support/factories.ts'
import { httpSignUp } from '#tests/support/http-client.ts'
import {
  type Actor,
  BUYER_OF,
  recordResponse,
  retryUntilFinal,
  type SharedState,
  type SpecialRole,
  sleepShort,
  type Work,
} from './actor.ts'
import { askForPayout, workOnPayouts } from './payouts.ts'

/** A new user with their starting coins. */
export async function anActor(
  url: string,
  role: 'Buyer' | 'Worker',
  index: number,
  specialRole: SpecialRole | null = null,
): Promise<Actor> {
  const email = `${specialRole ?? role.toLowerCase()}${index}@chaos.example`
  return { role, specialRole, user: await httpSignUp(url, role, email), journal: [] }
}

/** Does one thing this user might do now, and writes down what was acknowledged. */
export async function act(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  if (actor.specialRole === 'reviewer') return decide(shared, actor, random)
  if (actor.specialRole === 'payee') return askForPayout(shared, actor, random)
  if (actor.specialRole === 'admin') return workOnPayouts(shared, actor, random)
  if (actor.role === 'Worker') {
    const rejected = takeFirst(shared.rejected, (one) => one.worker === actor)
    if (rejected !== undefined) return appeal(shared, actor, rejected)
    return random() < 0.25 ? reserve(shared, actor, random) : work(shared, actor, random)
  }
  const appealed = takeFirst(shared.appealed, (one) => one.buyer === actor)
  if (appealed !== undefined) return respond(shared, actor, appealed, random)
  const bought = actor.journal.filter(({ call }) => call === 'buy').length
  if (bought === 0 || (bought < PURCHASES_MAX && random() < 0.1)) return buy(shared, actor, random)
  if (random() < 0.35) return post(shared, actor, random)
  return review(shared, actor, random)
}

/** The server refuses more purchases in an hour. */
const PURCHASES_MAX = 20

/**
 * Buys coins. Half of the browsers never confirm, and the provider delivers its webhook twice; the coins must still be credited
 * once.
 */
async function buy(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  const offer = PACKAGES[Math.floor(random() * PACKAGES.length)] ?? PACKAGES[0]
  const begun = await retryUntilFinal(shared, actor, 'POST', '/create-payment-intent', { price: offer.price })
  if (begun.status !== 200) return recordResponse(actor, 'buy refused', undefined, 0)
  const transactionId = shared.cards.pay(begun.body.clientSecret)
  recordResponse(actor, 'buy', transactionId, offer.coins)
  await Promise.all([
    shared.cards.deliverTwice(shared.url, transactionId),
    random() < 0.5 && retryUntilFinal(shared, actor, 'POST', '/payment-success', { transactionId }),
  ])
}

async function post(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  const slots = 1 + Math.floor(random() * 3)
  const body = taskBody({ slots, reward: 1, title: `Chaos ${randomUUID()}` })
  const response = await retryUntilFinal(shared, actor, 'POST', '/add-task', body)
  if (response.status !== 200) return recordResponse(actor, 'post refused', undefined, 0)
  const { insertedId } = response.body
  recordResponse(actor, 'post', insertedId, -slots)
  shared.tasks.push({ id: insertedId, reward: 1 })
}

async function work(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  const task = shared.tasks[Math.floor(random() * shared.tasks.length)]
  return task === undefined ? sleepShort() : submit(shared, actor, task)
}

async function submit(shared: SharedState, actor: Actor, task: SharedState['tasks'][number]): Promise<void> {
  const body = { taskId: task.id, submissoin_data: 'Done', payable_amount: task.reward }
  const response = await retryUntilFinal(shared, actor, 'POST', '/submiteted-task', body)
  if (response.status !== 200) return recordResponse(actor, 'submit refused', undefined, 0)
  recordResponse(actor, 'submit', response.body.insertedId, 0)
  const buyer = BUYER_OF.get(task.id)
  if (buyer !== undefined)
    shared.work.push({ id: response.body.insertedId, buyer, worker: actor, reward: task.reward })
}

async function review(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  const work = takeFirst(shared.work, (one) => one.buyer === actor)
  if (work === undefined) return post(shared, actor, random)
  if (random() < 0.7) {
    const response = await retryUntilFinal(shared, actor, 'PATCH', `/update-submission-status/${work.id}`, {
      status: 'approved',
    })
    if (response.status === 200 && response.body.modifiedCount === 1) {
      paid(actor, 'approve', work)
    }
  } else {
    const response = await retryUntilFinal(shared, actor, 'DELETE', `/submission-reject/${work.id}`, {
      reason: 'Not this time',
    })
    if (response.status !== 200) return
    recordResponse(actor, 'reject', work.id, 0)
    // A rejection that a reviewer confirms first is in their queue at once.
    shared.defended.set(work.id, work)
    shared.rejected.push(work)
  }
}

/** Takes a slot, and either gives it back or uses it. */
async function reserve(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  const task = shared.tasks[Math.floor(random() * shared.tasks.length)]
  if (task === undefined) return sleepShort()
  const path = `/tasks/${task.id}/reservation`
  const reserved = await retryUntilFinal(shared, actor, 'POST', path)
  if (reserved.status !== 200) return recordResponse(actor, 'reserve refused', undefined, 0)
  recordResponse(actor, 'reserve', task.id, 0)
  if (random() < 0.5) return submit(shared, actor, task)
  const returned = await retryUntilFinal(shared, actor, 'DELETE', path)
  if (returned.status === 200) recordResponse(actor, 'return', task.id, 0)
}

async function appeal(shared: SharedState, actor: Actor, work: Work): Promise<void> {
  const response = await retryUntilFinal(shared, actor, 'POST', `/submissions/${work.id}/appeal`, {
    text: 'It is done.',
  })
  if (response.status !== 200) return recordResponse(actor, 'appeal refused', undefined, 0)
  recordResponse(actor, 'appeal', work.id, 0)
  shared.appealed.push(work)
}

/** Stands by a rejection or takes it back. */
async function respond(shared: SharedState, actor: Actor, work: Work, random: () => number): Promise<void> {
  if (random() < 0.5) {
    const conceded = await retryUntilFinal(shared, actor, 'POST', `/submissions/${work.id}/concession`)
    if (conceded.status === 200) paid(actor, 'concede', work)
    return
  }
  const defended = await retryUntilFinal(shared, actor, 'POST', `/submissions/${work.id}/defence`, {
    text: 'It is not.',
  })
  if (defended.status === 200) recordResponse(actor, 'defend', work.id, 0)
}

async function decide(shared: SharedState, actor: Actor, random: () => number): Promise<void> {
  const { body } = await retryUntilFinal(shared, actor, 'GET', '/reviews')
  const [review] = body as unknown as { _id: string }[]
  const work = review && shared.defended.get(review._id)
  if (work === undefined) return sleepShort()
  const decision = random() < 0.5 ? 'upheld' : 'overturned'
  const reason = 'I compared both.'
  const response = await retryUntilFinal(shared, actor, 'POST', '/reviews/decisions', {
    ids: [work.id],
    decision,
    reason,
  })
  if (response.status !== 200) return recordResponse(actor, 'decide refused', undefined, 0)
  if (decision === 'overturned') paid(actor, 'overturn', work)
  else recordResponse(actor, 'uphold', work.id, 0)
}

function paid(actor: Actor, call: string, work: Work): void {
  recordResponse(actor, call, work.id, 0)
  recordResponse(work.worker, 'paid', work.id, work.reward)
}

function takeFirst(list: Work[], matches: (work: Work) => boolean): Work | undefined {
  const index = list.findIndex(matches)
  return index < 0 ? undefined : list.splice(index, 1)[0]
}
