import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPolling } from './polling.ts'

const HOUR = 3_600_000

test('runs at once, then when it is woken', async () => {
  const runs = queueOf<void>()
  const polling = startPolling(async () => runs.add(), { idleMs: () => HOUR, gapMs: 0 })
  await runs.next()
  polling.wake()
  await runs.next()
  await polling.stop()
})

test('runs again after the pause without being woken', async () => {
  const runs = queueOf<void>()
  const polling = startPolling(async () => runs.add(), { idleMs: () => 1, gapMs: 0 })
  for (let run = 0; run < 3; run++) await runs.next()
  await polling.stop()
})

test('wake-ups during a run make one more run', async () => {
  const { run, begun } = createManualRuns()
  const polling = startPolling(run, { idleMs: () => HOUR, gapMs: 0 })
  const finishFirst = await begun.next()
  for (let wake = 0; wake < 5; wake++) polling.wake()
  assert.equal(begun.count, 1)
  finishFirst()
  const finishSecond = await begun.next()
  finishSecond()
  await polling.stop()
  assert.equal(begun.count, 2)
})

test('stop waits for the run, after which none begins', async () => {
  const { run, begun } = createManualRuns()
  const polling = startPolling(run, { idleMs: () => 0, gapMs: 0 })
  const finish = await begun.next()
  let isStopped = false
  const stopping = polling.stop().then(() => {
    isStopped = true
  })
  polling.wake()
  await new Promise(setImmediate)
  assert.equal(isStopped, false)
  finish()
  await stopping
  polling.wake()
  await new Promise(setImmediate)
  assert.equal(begun.count, 1)
})

/** Each run ends when the test calls the function that `begun` yields. */
function createManualRuns() {
  const begun = queueOf<() => void>()
  return { run: () => new Promise<void>((resolve) => begun.add(resolve)), begun }
}

/** Items that are waited for one after another. */
function queueOf<Item>() {
  const items: Item[] = []
  const waiting: ((item: Item) => void)[] = []
  let count = 0
  return {
    /** How many were added. */
    get count() {
      return count
    },
    add(item: Item) {
      count++
      const first = waiting.shift()
      if (first === undefined) items.push(item)
      else first(item)
    },
    next: () =>
      new Promise<Item>((resolve) => {
        if (items.length > 0) resolve(items.shift() as Item)
        else waiting.push(resolve)
      }),
  }
}
