import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupName, expiredBackups } from './expired-backups.ts'

const DAY_MS = 86_400_000

test('the newest backup of each of 7 days, 5 weeks and 12 months is kept', () => {
  const last = Date.parse('2026-11-22T02:30:00Z') // a Sunday
  const names = Array.from({ length: 800 }, (_, index) => backupName(new Date(last - index * (DAY_MS / 2))))
  const expired = new Set(expiredBackups([...names, 'notes.txt', '2026-11-01T023000Z.partial']))
  const kept = names.filter((name) => !expired.has(name))
  assert.deepEqual(kept.slice(0, 7), [
    '2026-11-22T023000Z',
    '2026-11-21T143000Z',
    '2026-11-20T143000Z',
    '2026-11-19T143000Z',
    '2026-11-18T143000Z',
    '2026-11-17T143000Z',
    '2026-11-16T143000Z',
  ])
  // The Sundays of four weeks before, and the last day of eleven months before; one is both.
  assert.deepEqual(kept.slice(7, 12), [
    '2026-11-15T143000Z',
    '2026-11-08T143000Z',
    '2026-11-01T143000Z',
    '2026-10-31T143000Z',
    '2026-10-25T143000Z',
  ])
  assert.equal(kept.length, 7 + 4 + 11)
  assert.ok(!expired.has('notes.txt') && !expired.has('2026-11-01T023000Z.partial'))
})

test('old backups are kept while there are no newer ones', () => {
  const names = ['2020-01-01T000000Z', '2021-01-01T000000Z', '2021-01-01T120000Z']
  assert.deepEqual(expiredBackups(names), ['2021-01-01T000000Z'])
})
