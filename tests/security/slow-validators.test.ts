import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { accountNumberOf } from '#contract/withdrawals.ts'
import { searchWords } from '#server/database/search-words.ts'
import { emailKey } from '#server/email-key.ts'
import { deviceOf } from '#server/http/client-device.ts'
import { BODIES } from '#tests/api/samples.ts'

const LENGTH = 50_000
// What grows with the square of the length takes seconds.
const MAX_MS = 250

const PIECES = [
  'a',
  'A',
  ' ',
  '\t',
  '\n',
  '@',
  'a@',
  '.',
  'a.',
  '-',
  'a-',
  '0',
  '9.',
  '১',
  '+88',
  '()',
  '/',
  '\\',
  ':',
  '://',
  '%',
  '<',
  '[',
  '{"a":',
  '💥',
  'é',
  '\u200b',
  '\u0301',
  'ﷺ',
]
const HOSTILE = PIECES.flatMap((piece) => {
  const long = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
  return [long, `${long}!`, `a@${long}`, `${long}@a`, `http://${long}`, `a${long}\u0000`, `x ${long} x`]
})

/** Processor time of this thread, which other processes do not add to. The least of three. */
function took(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && best >= MAX_MS / 2; attempt++) {
    const before = process.threadCpuUsage()
    work()
    best = Math.min(best, process.threadCpuUsage(before).user / 1000)
  }
  return best
}

describe('validators stay fast on hostile text', () => {
  for (const { name, endpoint } of ENDPOINTS) {
    const { method, path } = endpoint
    test(`${method} ${path}`, () => {
      const sample = BODIES[name]?.({ email: 'a@example.com' }) ?? {}
      for (const text of HOSTILE) {
        const all = (schema: unknown) =>
          Object.fromEntries(Object.keys(shapeOf(schema)).map((field) => [field, text]))
        for (const [schema, value] of [
          [endpoint.params, all(endpoint.params)],
          [endpoint.query, all(endpoint.query)],
          [endpoint.body, { ...sample, ...all(endpoint.body) }],
        ] as const) {
          if (schema === undefined) continue
          const ms = took(() => schema.safeParse(value))
          assert.ok(ms < MAX_MS, `${ms.toFixed(0)} ms for ${JSON.stringify(text.slice(0, 20))}`)
        }
      }
    })
  }

  test('emails, searches, account numbers and devices', () => {
    for (const text of HOSTILE) {
      for (const [what, work] of Object.entries({
        emailKey: () => emailKey(text),
        searchWords: () => searchWords(text.slice(0, 200)),
        mobile: () => accountNumberOf('Rocket', text),
        bank: () => accountNumberOf('Bank', text),
        device: () => deviceOf(text),
      })) {
        const ms = took(work)
        assert.ok(ms < MAX_MS, `${what}: ${ms.toFixed(0)} ms for ${JSON.stringify(text.slice(0, 20))}`)
      }
    }
  })
})

function shapeOf(schema: unknown): Record<string, unknown> {
  const { _zod } = (schema ?? {}) as { _zod?: { def: { shape?: Record<string, unknown> } } }
  return _zod?.def.shape ?? {}
}
