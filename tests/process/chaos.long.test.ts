import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chaos } from '#tests/chaos/chaos.ts'

test('six seconds of chaos lose nothing and double nothing', async () => {
  const {
    lost,
    doubled,
    wrongBalances,
    balanced,
    acknowledged,
    faults,
    paid,
    delivered,
    paidOut,
    byProvider,
  } = await chaos({
    seconds: 6,
    buyers: 3,
    workers: 5,
    seed: 20_261_120,
    pauseMs: 200,
    log: () => {},
  })
  assert.deepEqual(
    { lost, doubled, wrongBalances, balanced },
    { lost: [], doubled: [], wrongBalances: [], balanced: true },
  )
  assert.ok(acknowledged > 20, `${acknowledged} acknowledged`)
  assert.ok(Object.keys(faults).length >= 3)
  for (const [state, count] of Object.entries(byProvider)) assert.ok(count >= 1, state)
  assert.ok(paidOut >= 1, `${paidOut} paid out`)
  assert.ok(paid >= 3 && delivered >= 2 * paid, `${paid} paid, ${delivered} messages`)
})
