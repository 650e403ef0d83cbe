import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod/mini'
import { ENDPOINTS } from '#contract/api.ts'
import { taskListWorker } from '#contract/tasks.ts'
import { writerOf } from './write-reply.ts'

describe('answers written by a compiled writer', () => {
  const Sample = z.object({
    name: z.string(),
    coins: z.int(),
    at: z.nullable(z.iso.datetime()),
    inner: z.nullable(z.object({ ok: z.boolean() })),
    note: z.optional(z.string()),
  })
  const write = writerOf(Sample) as (answer: unknown) => string
  const sample = { name: 'A', coins: 5, at: '2026-01-31T08:00:00.000Z', inner: { ok: true } }

  test('declared fields are written as they are, nothing as null', () => {
    assert.deepEqual(JSON.parse(write(sample)), sample)
    const empty = { ...sample, at: null, inner: null, note: 'here' }
    assert.deepEqual(JSON.parse(write(empty)), empty)
  })

  test('text of any kind comes back as it was', () => {
    for (const text of [
      '"',
      '\\',
      '\u2028\n\t\u0001',
      '</script>',
      'বাংলা 😀',
      `"}],"coins":9`,
      'x'.repeat(5000),
    ])
      for (const field of ['name', 'note', 'at'])
        assert.equal(JSON.parse(write({ ...sample, [field]: text }))[field], text)
  })

  test('a field that the contract does not declare stays here, at any depth', () => {
    const written = write({ ...sample, secret: 's3cret', inner: { ok: true, secret: 's3cret' } })
    assert.deepEqual(JSON.parse(written), sample)
  })

  test('a declared field that is missing, and a number that is none, are errors', () => {
    const { name: _, ...nameless } = sample
    assert.throws(() => write(nameless), /name/)
    assert.throws(() => write({ ...sample, coins: Number.NaN }))
  })

  test('the public lists have one; what is of several or of open shapes is left to the check', () => {
    assert.ok(writerOf(taskListWorker.reply) !== undefined)
    assert.equal(writerOf(z.union([z.string(), z.object({ a: z.string() })])), undefined)
    assert.equal(writerOf(z.object({ any: z.record(z.string(), z.string()) })), undefined)
    assert.ok(ENDPOINTS.filter(({ endpoint }) => writerOf(endpoint.reply) !== undefined).length > 40)
  })
})
