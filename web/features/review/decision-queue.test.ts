import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '#web/lib/api.ts'
import { APPROVE, phaseOf, REJECT, rafi, World } from '#web/testing/decision-queue.ts'
import { UNDO_MS } from './decision-queue.ts'

const mitu = { id: 'b', worker: 'Mitu', coins: 30 }
const many = Array.from({ length: 10 }, (_, n) => ({ id: `m${n}`, worker: `Worker ${n}`, coins: 5 }))

test('a decision is sent once, when the time to undo it is over', async () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  world.advance(UNDO_MS - 1)
  assert.deepEqual(world.sentIds, [])
  world.advance(1)
  assert.deepEqual(world.sentIds, ['a'])
  assert.equal(phaseOf(queue, 'a'), 'sending')
  await world.end('succeed')
  world.advance(UNDO_MS)
  assert.deepEqual(world.sentIds, [])
  assert.equal(phaseOf(queue, 'a'), 'sent')
  assert.equal(world.stored.size, 0)
})

test('each decision has a time of its own', () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  world.advance(2000)
  queue.decide([mitu], APPROVE)
  world.advance(UNDO_MS - 2000)
  assert.deepEqual(world.sentIds, ['a'])
  world.advance(2000)
  assert.deepEqual(world.sentIds, ['a', 'b'])
})

test('a submission that has a decision keeps it', () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  assert.deepEqual(queue.decide([rafi], REJECT), [])
  world.advance(UNDO_MS)
  assert.deepEqual(queue.decide([rafi, mitu], APPROVE), [mitu])
  assert.deepEqual(
    world.requests.flatMap(({ entries }) => entries.map(({ decision }) => decision.kind)),
    ['approve'],
  )
})

test('undo takes back the latest decision, and all that were made together with it', () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  queue.decide(many, APPROVE)
  assert.equal(queue.undoLatest().length, many.length)
  assert.deepEqual([...queue.entries().keys()], ['a'])
  assert.deepEqual([...world.stored.keys()], ['a'])
  queue.undo('a')
  world.advance(UNDO_MS)
  assert.deepEqual(world.sentIds, [])
  assert.deepEqual(queue.undoLatest(), [])
})

test('a decision that is in flight can no longer be undone', () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  queue.commit()
  assert.deepEqual(queue.undo('a'), [])
  assert.equal(phaseOf(queue, 'a'), 'sending')
})

test('approvals are sent together, and one that is refused stops none of the others', async () => {
  const world = new World()
  const queue = world.open()
  queue.decide(many, APPROVE)
  queue.decide([rafi], REJECT)
  queue.decide([mitu], APPROVE)
  queue.commit()
  assert.deepEqual(
    world.requests.map(({ entries }) => entries.map(({ work }) => work.id)),
    [[...many.map(({ id }) => id), 'b'], ['a']],
  )
  world.requests[0]?.succeed(new Map([['m3', 'This work is decided already.']]))
  await new Promise(setImmediate)
  assert.equal(phaseOf(queue, 'm2'), 'sent')
  assert.equal(phaseOf(queue, 'b'), 'sent')
  assert.equal(phaseOf(queue, 'm3'), 'refused')
  assert.equal(queue.entries().get('m3')?.error, 'This work is decided already.')
  assert.equal(phaseOf(queue, 'a'), 'sending')
})

test('many rejections are sent a few at a time, and all at once when the page is left', async () => {
  const world = new World()
  const queue = world.open()
  queue.decide(many, REJECT)
  queue.commit()
  assert.equal(world.requests.length, 4)
  await world.end('succeed', 2)
  assert.equal(world.requests.length, 4)
  queue.commitBeforeLeaving()
  assert.equal(world.requests.length, 8)
  await world.end('succeed')
  assert.deepEqual(
    world.settled.map(({ work }) => work.id).sort(),
    many.map(({ id }) => id),
  )
})

test('work whose decision was refused is undecided again, with the reason', async () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  queue.commit()
  await world.end(new ApiError(409, 'already_decided', 'This work is decided already.'))
  assert.equal(phaseOf(queue, 'a'), 'refused')
  assert.equal(queue.entries().get('a')?.error, 'This work is decided already.')
  assert.equal(world.stored.size, 0)
  assert.deepEqual(queue.decide([rafi], REJECT), [rafi])
  assert.equal(phaseOf(queue, 'a'), 'waiting')
})

test('a decision without a response is sent again with its idempotency key', async () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  queue.commit()
  const first = world.requests[0]?.entries[0]?.idempotencyKey
  await world.end(new ApiError(0, 'offline', 'No connection.'))
  assert.equal(phaseOf(queue, 'a'), 'unsent')
  assert.equal(world.stored.size, 1)
  queue.retry()
  assert.equal(world.requests[0]?.entries[0]?.idempotencyKey, first)
  await world.end('succeed')
  assert.equal(phaseOf(queue, 'a'), 'sent')
})

test('a decision without a response cannot be undone, also in another tab or after the clock was set back', async () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  const other = world.open()
  other.resume()
  queue.commit()
  await world.end(new ApiError(0, 'offline', 'No connection.'))
  world.time -= 60_000
  const reloaded = world.open()
  reloaded.resume()
  for (const desk of [queue, other, reloaded]) {
    assert.deepEqual(desk.undo('a'), [])
    assert.deepEqual(desk.undoLatest(), [])
  }
  assert.equal(world.stored.size, 1)
  world.advance(0)
  assert.deepEqual(world.sentIds, ['a'])
})

test('what a closed page left is sent by the next one, with the same idempotency key', async () => {
  const world = new World()
  const closed = world.open()
  closed.decide([rafi, mitu], REJECT)
  closed.commitBeforeLeaving()
  const keys = world.requests.map(({ entries }) => entries[0]?.idempotencyKey)
  await world.end('succeed', 1)
  world.requests = []
  world.time += 60_000
  const queue = world.open()
  queue.resume()
  world.advance(0)
  assert.deepEqual(world.sentIds, ['b'])
  assert.equal(world.requests[0]?.entries[0]?.idempotencyKey, keys[1])
})

test('after a reload within its time, a decision that was sent cannot be undone', () => {
  const world = new World()
  const left = world.open()
  left.decide([rafi], APPROVE)
  world.advance(1000)
  left.commitBeforeLeaving()
  world.requests = []
  const queue = world.open()
  queue.resume()
  assert.deepEqual(queue.undo('a'), [])
  assert.deepEqual(queue.undoLatest(), [])
  world.advance(0)
  assert.deepEqual(world.sentIds, ['a'])
})

test('after the clock was set back, a stored decision waits no longer than a new one', () => {
  const world = new World()
  world.open().decide([rafi], APPROVE)
  world.time -= 3_600_000
  const queue = world.open()
  queue.resume()
  world.advance(UNDO_MS)
  assert.deepEqual(world.sentIds, ['a'])
})
