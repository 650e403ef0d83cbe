import assert from 'node:assert/strict'
import { test } from 'node:test'
import { combined, type Measured } from './load/measured.ts'
import { factorTable } from './load/table.ts'

const round = (p99: number, perSecond: number, errors = 0): Measured => ({
  name: 'task details',
  perSecond,
  p50: 1,
  p95: 2,
  p99,
  p99s: [p99],
  errors,
  requests: 100,
  seconds: 5,
  serverCpu: 50,
  databaseCpu: 60,
  othersCpu: 0,
  serverMb: 400,
  limit: 'pgbench',
  limitPerSecond: 2000,
  tpcBPerSecond: 3000,
  emails: 1,
})

test('rounds of an operation become medians, and sums of what is counted', () => {
  const one = combined([round(20, 900), round(80, 1100, 2), round(30, 1000)])
  assert.deepEqual(
    [one.p99, one.perSecond, one.errors, one.requests, one.seconds, one.emails],
    [30, 1000, 2, 300, 15, 3],
  )
  assert.deepEqual(one.p99s, [20, 80, 30])
})

test('sizes are compared by the medians of their rounds', () => {
  const small = combined([round(20, 900), round(80, 1100), round(30, 1000)])
  const large = combined([round(45, 800), round(40, 500), round(400, 300)])
  const [, , line] = factorTable([
    { tasks: 10_000, measured: [small] },
    { tasks: 1_000_000, measured: [large] },
  ]).split('\n')
  assert.deepEqual(
    line?.split('|').map((cell) => cell.trim()),
    ['', 'task details', '1,000 / 500', '2.0 / 2.0', '30 (20–80) / 45 (40–400)', '1.5', '600 / 1,200', ''],
  )
})
