import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoTime } from './database.ts'

test('a timestamp converts to the same instant in ISO 8601, whatever its fraction and zone', () => {
  const texts = [
    '2026-01-31 08:00:00+00',
    '2026-01-31 08:00:00.2+00',
    '2026-01-31 08:00:00.25+00',
    '2026-01-31 08:00:00.123456+00',
    '2026-01-31 23:59:59.999999+00',
    '2026-01-31 08:00:00.25+05:30',
    '2026-01-31 08:00:00-03',
    '1999-12-31 23:59:59.001+00',
  ]
  for (const text of texts) assert.equal(isoTime(text), new Date(text).toISOString(), text)
})
