import { randomUUID } from 'node:crypto'
import { PACKAGES } from '#contract/product.ts'
import { taskBody } from '#tests/support/factories.ts'
import { httpPerson } from '#tests/support/http-client.ts'
import { type Actor, type Board, BUYER_OF, type Duty, insist, note, sleepShort, type Work } from './actor.ts'
import { askForPayout, workOnPayouts } from './payouts.ts'

/** A new user with their starting coins. */
export async function anActor(
  url: string,
  role: 'Buyer' | 'Worker',
  index: number,
  duty: Duty | null = null,
): Promise<Actor> {
  const email = `${duty ?? role.toLowerCase()}${index}@chaos.example`
  return { role, duty, user: await httpPerson(url, role, email), journal: [] }
}

/** Does one thing this person might do now, and writes down what was answered. */
export async function act(board: Board, actor: Actor, roll: () => number): Promise<void> {
  if (actor.duty === 'reviewer') return decide(board, actor, roll)
  if (actor.duty === 'payee') return askForPayout(board, actor, roll)
  if (actor.duty === 'admin') return workOnPayouts(board, actor, roll)
  if (actor.role === 'Worker') {
    const rejected = takeFirst(board.rejected, (one) => one.worker === actor)
    if (rejected !== undefined) return appeal(board, actor, rejected)
    return roll() < 0.25 ? reserve(board, actor, roll) : work(board, actor, roll)
  }
  const appealed = takeFirst(board.appealed, (one) => one.buyer === actor)
  if (appealed !== undefined) return respond(board, actor, appealed, roll)
  const bought = actor.journal.filter(({ call }) => call === 'buy').length
  if (bought === 0 || (bought < PURCHASES_MAX && roll() < 0.1)) return buy(board, actor, roll)
  if (roll() < 0.35) return post(board, actor, roll)
  return review(board, actor, roll)
}

/** The server refuses more purchases in an hour. */
const PURCHASES_MAX = 20

/**
 * Buys coins. Half of the browsers never confirm, and the provider delivers its webhook twice; the coins must still be credited
 * once.
 */
async function buy(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const offer = PACKAGES[Math.floor(roll() * PACKAGES.length)] ?? PACKAGES[0]
  const begun = await insist(board, actor, 'POST', '/create-payment-intent', { price: offer.price })
  if (begun.status !== 200) return note(actor, 'buy refused', undefined, 0)
  const transactionId = board.bank.pay(begun.body.clientSecret)
  note(actor, 'buy', transactionId, offer.coins)
  await Promise.all([
    board.bank.tellTwice(board.url, transactionId),
    roll() < 0.5 && insist(board, actor, 'POST', '/payment-success', { transactionId }),
  ])
}

async function post(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const slots = 1 + Math.floor(roll() * 3)
  const body = taskBody({ slots, reward: 1, title: `Chaos ${randomUUID()}` })
  const response = await insist(board, actor, 'POST', '/add-task', body)
  if (response.status !== 200) return note(actor, 'post refused', undefined, 0)
  const { insertedId } = response.body
  note(actor, 'post', insertedId, -slots)
  board.tasks.push({ id: insertedId, reward: 1 })
}

async function work(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const task = board.tasks[Math.floor(roll() * board.tasks.length)]
  return task === undefined ? sleepShort() : submit(board, actor, task)
}

async function submit(board: Board, actor: Actor, task: Board['tasks'][number]): Promise<void> {
  const body = { taskId: task.id, submissoin_data: 'Done', payable_amount: task.reward }
  const response = await insist(board, actor, 'POST', '/submiteted-task', body)
  if (response.status !== 200) return note(actor, 'submit refused', undefined, 0)
  note(actor, 'submit', response.body.insertedId, 0)
  const buyer = BUYER_OF.get(task.id)
  if (buyer !== undefined)
    board.work.push({ id: response.body.insertedId, buyer, worker: actor, reward: task.reward })
}

async function review(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const work = takeFirst(board.work, (one) => one.buyer === actor)
  if (work === undefined) return post(board, actor, roll)
  if (roll() < 0.7) {
    const response = await insist(board, actor, 'PATCH', `/update-submission-status/${work.id}`, {
      status: 'approved',
    })
    if (response.status === 200 && response.body.modifiedCount === 1) {
      paid(actor, 'approve', work)
    }
  } else {
    const response = await insist(board, actor, 'DELETE', `/submission-reject/${work.id}`, {
      reason: 'Not this time',
    })
    if (response.status !== 200) return
    note(actor, 'reject', work.id, 0)
    // A rejection that a reviewer confirms first is in their queue at once.
    board.defended.set(work.id, work)
    board.rejected.push(work)
  }
}

/** Takes a slot, and either gives it back or uses it. */
async function reserve(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const task = board.tasks[Math.floor(roll() * board.tasks.length)]
  if (task === undefined) return sleepShort()
  const path = `/tasks/${task.id}/reservation`
  const reserved = await insist(board, actor, 'POST', path)
  if (reserved.status !== 200) return note(actor, 'reserve refused', undefined, 0)
  note(actor, 'reserve', task.id, 0)
  if (roll() < 0.5) return submit(board, actor, task)
  const returned = await insist(board, actor, 'DELETE', path)
  if (returned.status === 200) note(actor, 'return', task.id, 0)
}

async function appeal(board: Board, actor: Actor, work: Work): Promise<void> {
  const response = await insist(board, actor, 'POST', `/submissions/${work.id}/appeal`, {
    text: 'It is done.',
  })
  if (response.status !== 200) return note(actor, 'appeal refused', undefined, 0)
  note(actor, 'appeal', work.id, 0)
  board.appealed.push(work)
}

/** Stands by a rejection or takes it back. */
async function respond(board: Board, actor: Actor, work: Work, roll: () => number): Promise<void> {
  if (roll() < 0.5) {
    const conceded = await insist(board, actor, 'POST', `/submissions/${work.id}/concession`)
    if (conceded.status === 200) paid(actor, 'concede', work)
    return
  }
  const defended = await insist(board, actor, 'POST', `/submissions/${work.id}/defence`, {
    text: 'It is not.',
  })
  if (defended.status === 200) note(actor, 'defend', work.id, 0)
}

async function decide(board: Board, actor: Actor, roll: () => number): Promise<void> {
  const { body } = await insist(board, actor, 'GET', '/reviews')
  const [review] = body as unknown as { _id: string }[]
  const work = review && board.defended.get(review._id)
  if (work === undefined) return sleepShort()
  const decision = roll() < 0.5 ? 'upheld' : 'overturned'
  const reason = 'I compared both.'
  const response = await insist(board, actor, 'POST', '/reviews/decisions', {
    ids: [work.id],
    decision,
    reason,
  })
  if (response.status !== 200) return note(actor, 'decide refused', undefined, 0)
  if (decision === 'overturned') paid(actor, 'overturn', work)
  else note(actor, 'uphold', work.id, 0)
}

function paid(actor: Actor, call: string, work: Work): void {
  note(actor, call, work.id, 0)
  note(work.worker, 'paid', work.id, work.reward)
}

function takeFirst(list: Work[], matches: (work: Work) => boolean): Work | undefined {
  const index = list.findIndex(matches)
  return index < 0 ? undefined : list.splice(index, 1)[0]
}
