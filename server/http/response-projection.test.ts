import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod/mini'
import { ENDPOINTS } from '#contract/api.ts'
import { taskListWorker } from '#contract/tasks.ts'
import { projectionOf } from './response-projection.ts'

describe('response projection', () => {
  const Sample = z.object({
    name: z.string(),
    at: z.nullable(z.iso.datetime()),
    inner: z.nullable(z.object({ ok: z.boolean() })),
    list: z.array(z.object({ coins: z.int() })),
    note: z.optional(z.string()),
  })
  const project = projectionOf(Sample) as (response: unknown) => unknown
  const sample = { name: 'A', at: '2026-01-31T08:00:00.000Z', inner: { ok: true }, list: [{ coins: 5 }] }

  test('declared fields are kept unchanged', () => {
    assert.deepEqual(project(sample), sample)
    const other = { ...sample, at: null, inner: null, list: [], note: '"' }
    assert.deepEqual(project(other), other)
  })

  test('undeclared fields are removed, at any depth', () => {
    const secret = 's3cret'
    const more = { ...sample, secret, inner: { ok: true, secret }, list: [{ coins: 5, secret }] }
    assert.deepEqual(project(more), sample)
  })

  test('a declared field that is missing is an error, at any depth', () => {
    const { name: _, ...nameless } = sample
    assert.throws(() => project(nameless), /lacks name/)
    assert.throws(() => project({ ...sample, list: [{}] }), /lacks coins/)
  })

  test('the public lists have a projection; unions, records and unknown values have none', () => {
    assert.ok(projectionOf(taskListWorker.reply) !== undefined)
    assert.equal(projectionOf(z.union([z.string(), z.object({ a: z.string() })])), undefined)
    assert.equal(projectionOf(z.object({ any: z.record(z.string(), z.string()) })), undefined)
    assert.equal(projectionOf(z.unknown()), undefined)
    assert.ok(ENDPOINTS.filter(({ endpoint }) => projectionOf(endpoint.reply) !== undefined).length > 40)
  })
})
