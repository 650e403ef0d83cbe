import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BATCH_BYTES_MAX } from '#contract/batches.ts'
import { formatBytes, formatCompactDollars, formatCompactNumber } from './dashboard-format.ts'
import {
  formatCents,
  formatCoins,
  formatCoinValue,
  formatDollars,
  formatMilliseconds,
  formatNumber,
  formatRate,
} from './format.ts'
import {
  formatDateTime,
  formatDay,
  formatDayHeading,
  formatPeriod,
  formatTimeAgo,
  localDay,
} from './format-time.ts'

test('numbers are grouped in lakhs', () => {
  assert.equal(formatNumber(500_000), '5,00,000')
  assert.equal(formatNumber(999), '999')
})

test('one coin is a coin and any other number of them are coins', () => {
  assert.deepEqual([formatCoins(0), formatCoins(1), formatCoins(1500)], ['0 coins', '1 coin', '1,500 coins'])
})

test('every amount of money has two digits of cents', () => {
  assert.deepEqual(
    [formatDollars(20), formatDollars(12.5), formatCents(1_500)],
    ['$20.00', '$12.50', '$15.00'],
  )
})

test('the size of a file has the unit of the limits of files', () => {
  assert.deepEqual(
    [0, 900, 1024, 350_000, BATCH_BYTES_MAX].map((bytes) => formatBytes(bytes)),
    ['0 bytes', '900 bytes', '1 kB', '342 kB', '64 MB'],
  )
  assert.equal(formatBytes(1_572_864, 'exceptZero'), '+1.5 MB')
})

test('numbers and prices of an axis are short', () => {
  assert.deepEqual([1_500, 500_000, 12_345_678].map(formatCompactNumber), ['1.5K', '5L', '1.2Cr'])
  assert.deepEqual([15, 12_500, 2_000_000].map(formatCompactDollars), ['$15', '$13K', '$2M'])
})

test('a duration is in its largest whole unit', () => {
  const durations = [1_000, 30_000, 60_000, 90_000, 900_000, 7_200_000, 172_800_000]
  assert.deepEqual(durations.map(formatMilliseconds), [
    '1 second',
    '30 seconds',
    '1 minute',
    '90 seconds',
    '15 minutes',
    '2 hours',
    '2 days',
  ])
})

test('coins are worth a twentieth of a dollar at withdrawal', () => {
  assert.deepEqual([formatCoinValue(4820, 5), formatCoinValue(1, 3)], ['$241.00', '$0.03'])
  const rates = [5, 3, 4, 6, 100, 150].map(formatRate)
  assert.deepEqual(rates, [
    '20 coins = 1 dollar',
    '100 coins = 3 dollars',
    '25 coins = 1 dollar',
    '50 coins = 3 dollars',
    '1 coin = 1 dollar',
    '2 coins = 3 dollars',
  ])
})

test('a calendar day is the same day in every time zone', () => {
  assert.equal(formatDay('2026-12-18'), '18 Dec 2026')
})

test('September has three letters as every month', () => {
  assert.equal(formatDay('2026-09-01'), '1 Sep 2026')
  assert.match(formatDateTime('2026-09-01T10:00:00Z'), /^1 Sep 2026/)
})

test('a text that is no day is shown as it is', () => {
  assert.equal(formatDay('soon'), 'soon')
})

test('a time is shown with its day and in 24 hours', () => {
  assert.equal(formatDateTime('2026-12-18T14:05:00Z'), '18 Dec 2026, 14:05')
})

test('a time in the past is shown in its largest whole unit', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  assert.equal(formatTimeAgo('2026-06-15T11:59:40Z', now), 'just now')
  assert.equal(formatTimeAgo('2026-06-15T11:58:00Z', now), '2 minutes ago')
  assert.equal(formatTimeAgo('2026-06-15T09:01:00Z', now), '2 hours ago')
  assert.equal(formatTimeAgo('2026-06-14T11:00:00Z', now), '1 day ago')
  assert.equal(formatTimeAgo('2025-01-01T00:00:00Z', now), '1 year ago')
})

test('up to 48 hours are one day, not yesterday or tomorrow, which they may not be', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  assert.equal(formatTimeAgo('2026-06-13T13:00:00Z', now), '1 day ago')
  assert.equal(formatTimeAgo('2026-06-17T11:00:00Z', now), 'in 1 day')
  assert.equal(formatTimeAgo('2026-04-20T12:00:00Z', now), '1 month ago')
})

test('a time in the future is shown in its largest whole unit', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  assert.equal(formatTimeAgo('2026-06-18T13:00:00Z', now), 'in 3 days')
})

test('a period is shown in its largest whole unit', () => {
  assert.equal(formatPeriod(24), '1 day')
  assert.equal(formatPeriod(504), '21 days')
  assert.equal(formatPeriod(36), '36 hours')
  assert.equal(formatPeriod(0.25), '15 minutes')
})

test('the heading of a day says today and yesterday', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  const day = 86_400_000
  const heading = (ago: number) => formatDayHeading(localDay(now - ago * day), now)
  assert.deepEqual([heading(0), heading(1), heading(4)], ['Today', 'Yesterday', '18 Nov 2026'])
})
