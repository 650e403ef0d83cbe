import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '#web/lib/api.ts'
import { APPROVE, phaseOf, REJECT, rafi, World } from '#web/testing/decision-queue.ts'
import { UNDO_MS } from './decision-queue.ts'

test('a decision that another tab has undone or sent is dropped', () => {
  const world = new World()
  const first = world.open()
  first.decide([rafi], APPROVE)
  const second = world.open()
  second.resume()
  assert.equal(phaseOf(second, 'a'), 'waiting')
  first.undo('a')
  world.advance(UNDO_MS)
  assert.deepEqual(world.sentIds, [])
  assert.equal(second.entries().size, 0)
})

test('a decision that was replaced in another tab is not sent, and the one that replaced it is', async () => {
  const world = new World()
  const first = world.open()
  first.decide([rafi], APPROVE)
  const second = world.open()
  second.resume()
  world.advance(1000)
  first.undo('a')
  first.decide([rafi], REJECT)
  assert.deepEqual(second.undo('a'), [])
  world.advance(UNDO_MS - 1000)
  assert.deepEqual(world.sentIds, [])
  assert.equal(second.entries().size, 0)
  world.advance(1000)
  assert.deepEqual(
    world.requests.map(({ entries }) => entries[0]?.decision),
    [REJECT],
  )
  await world.end('succeed')
  assert.equal(world.stored.size, 0)
})

test('of two desks that decide differently, the one that decided last sends its decision', () => {
  const world = new World()
  const desks = [world.open(), world.open()]
  desks[0]?.decide([rafi], APPROVE)
  world.advance(1000)
  desks[1]?.decide([rafi], REJECT)
  world.advance(UNDO_MS)
  assert.deepEqual(
    world.requests.map(({ entries }) => entries[0]?.decision),
    [REJECT],
  )
})

test('a decision of another tab stays stored while an earlier one is sent, refused or not sent', async () => {
  const offline = new ApiError(0, 'offline', 'No connection.')
  const refused = new ApiError(409, 'already_decided', 'This work is decided already.')
  for (const result of ['succeed', refused, offline] as const) {
    const world = new World()
    const first = world.open()
    first.decide([rafi], APPROVE)
    first.commit()
    world.open().decide([rafi], REJECT)
    await world.end(result)
    assert.deepEqual(world.stored.get('a')?.decision, REJECT)
  }
})

test('a decision that could not be sent is dropped when another tab has replaced it', async () => {
  const world = new World()
  const first = world.open()
  first.decide([rafi], APPROVE)
  first.commit()
  await world.end(new ApiError(0, 'offline', 'No connection.'))
  world.open().decide([rafi], REJECT)
  first.retry()
  assert.deepEqual(world.sentIds, [])
  assert.equal(first.entries().size, 0)
})

test('what a closed page left is taken over in place of a decision that it replaced', async () => {
  const world = new World()
  const queue = world.open()
  queue.decide([rafi], APPROVE)
  queue.commit()
  const closed = world.open()
  closed.decide([rafi], REJECT)
  queue.resume()
  assert.equal(phaseOf(queue, 'a'), 'sending')
  await world.end(new ApiError(409, 'state_conflict', 'The task was changed meanwhile.'))
  queue.resume()
  assert.deepEqual(queue.entries().get('a')?.decision, REJECT)
  assert.equal(phaseOf(queue, 'a'), 'waiting')
})
