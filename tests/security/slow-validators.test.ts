import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { accountNumberOf } from '#contract/withdrawals.ts'
import { searchWords } from '#server/database/search-words.ts'
import { emailKey } from '#server/email-key.ts'
import { deviceOf } from '#server/http/client-device.ts'
import { BODIES } from '#tests/api/samples.ts'

/** Time that grows with the square of this length is well above COMPARED_MS. */
const LENGTH = 25_000
/** What grows with the length takes four times as long for a text that is four times as long, with its square 16 times. */
const [LONGER, MAX_RATIO] = [4, 8]
/** Shorter times are not compared. */
const COMPARED_MS = 40
const ATTEMPTS = 5

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
const hostileTexts = (length: number) =>
  PIECES.flatMap((piece) => {
    const long = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    return [long, `${long}!`, `a@${long}`, `${long}@a`, `http://${long}`, `a${long}\u0000`, `x ${long} x`]
  })
const SHORT = hostileTexts(LENGTH / LONGER)
/** Texts of LENGTH, each with the same one of a quarter of it. */
const HOSTILE = hostileTexts(LENGTH).map((text, index) => ({ text, short: SHORT[index] ?? '' }))

/** Fails when the time for a hostile text grows faster than its length. */
function expectLinear(
  { text, short }: (typeof HOSTILE)[number],
  what: string,
  work: (text: string) => unknown,
) {
  if (processorMs(() => work(text)) < COMPARED_MS) return
  const least = (one: string) =>
    Math.min(...Array.from({ length: ATTEMPTS }, () => processorMs(() => work(one))))
  const [long, quarter] = [least(text), least(short)]
  assert.ok(
    long < COMPARED_MS || long < MAX_RATIO * quarter,
    `${what}: ${quarter.toFixed(1)} ms, and ${long.toFixed(1)} ms for ${LONGER} times ${JSON.stringify(text.slice(0, 20))}`,
  )
}

/** Returns the processor time of this thread, which other processes do not add to. */
function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

describe('validators stay fast on hostile text', () => {
  /** Half of the schemas are those of another endpoint too. */
  const found = new Set<unknown>()
  for (const { name, endpoint } of ENDPOINTS) {
    const { method, path } = endpoint
    const parts = (['params', 'query', 'body'] as const).filter((part) => !found.has(endpoint[part]))
    for (const part of parts) found.add(endpoint[part])
    if (parts.every((part) => endpoint[part] === undefined)) continue

    test(`${method} ${path}`, () => {
      const sample = BODIES[name]?.({ email: 'a@example.com' }) ?? {}
      const all = (schema: unknown, text: string) =>
        Object.fromEntries(Object.keys(shapeOf(schema)).map((field) => [field, text]))
      for (const hostile of HOSTILE) {
        for (const part of parts) {
          const schema = endpoint[part]
          if (schema === undefined) continue
          const rest = part === 'body' ? sample : {}
          expectLinear(hostile, part, (text) => schema.safeParse({ ...rest, ...all(schema, text) }))
        }
      }
    })
  }

  test('emails, searches, account numbers and devices', () => {
    for (const hostile of HOSTILE) {
      for (const [what, work] of Object.entries({
        emailKey,
        searchWords: (text: string) => searchWords(text.slice(0, 200)),
        mobile: (text: string) => accountNumberOf('Rocket', text),
        bank: (text: string) => accountNumberOf('Bank', text),
        device: deviceOf,
      }))
        expectLinear(hostile, what, work)
    }
  })
})

function shapeOf(schema: unknown): Record<string, unknown> {
  const { _zod } = (schema ?? {}) as { _zod?: { def: { shape?: Record<string, unknown> } } }
  return _zod?.def.shape ?? {}
}
