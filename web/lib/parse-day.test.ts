import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDay } from './parse-day.ts'

test('a day is typed with the name of its month in either language, or with numbers', () => {
  for (const typed of [
    '2026-12-18',
    '18 Dec 2026',
    '18 December 2026',
    'Fri Dec 18 2026',
    'december 18, 2026',
    '18/12/2026',
    '18.12.2026',
    '১৮ ডিসে, ২০২৬',
    '১৮ ডিসেম্বর ২০২৬',
    '১৮/১২/২০২৬',
    '18 ডিসেম্বর 2026',
  ])
    assert.equal(parseDay(typed), '2026-12-18', typed)
  assert.equal(parseDay('৩ মে ২০২৭'), '2027-05-03')
  assert.equal(parseDay('০৩/০৫/২০২৭'), '2027-05-03')
})

test('each month is known as it is written, long and short', () => {
  for (const locale of ['en-GB', 'en', 'bn']) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, {
        day: 'numeric',
        month,
        year: 'numeric',
        timeZone: 'UTC',
      })
      for (let index = 0; index < 12; index++) {
        const day = new Date(Date.UTC(2026, index, 9))
        assert.equal(parseDay(format.format(day)), day.toISOString().slice(0, 10), format.format(day))
      }
    }
  }
})

test('what is no whole day is none', () => {
  for (const typed of [
    '',
    'tomorrow',
    '18',
    '18 Dec',
    '18 Dec 20',
    '31 Feb 2026',
    '2026-13-01',
    '1 2 3 2026',
    '0/12/2026',
  ])
    assert.equal(parseDay(typed), null, typed)
})
