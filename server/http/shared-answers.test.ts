import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { sharedAnswers } from './shared-answers.ts'

/** A server whose one list says how often it was read; `fails` makes the next reading fail. */
function aList() {
  const state = { reads: 0, fails: false }
  const app = Fastify()
  const { share } = sharedAnswers()
  app.get('/list', (request, reply) =>
    share(request, reply, async () => {
      if (state.fails) throw new Error('The database is away')
      return { body: { reads: ++state.reads }, cursor: undefined }
    }),
  )
  const ask = (headers = {}) => app.inject({ url: '/list', headers })
  return { state, ask }
}

describe('answers that are shared', () => {
  test('what a few ask for is read afresh for each of them', async () => {
    const { ask } = aList()
    assert.equal((await ask()).json().reads, 1)
    assert.equal((await ask()).json().reads, 2)
  })

  test('what a hundred ask for at once is read a handful of times', async () => {
    const { state, ask } = aList()
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask()))
    assert.ok(answers.every(({ statusCode }) => statusCode === 200))
    assert.ok(state.reads <= 6, `read ${state.reads} times`)
  })

  test('no shared answer is older than a second', async () => {
    const { state, ask } = aList()
    await Promise.all(Array.from({ length: 100 }, () => ask()))
    const before = state.reads
    await sleep(1050)
    assert.equal((await ask()).json().reads, before + 1)
  })

  test('a caller who has the answer gets 304 and no body', async () => {
    const { ask } = aList()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()))
    const { etag } = answers.at(-1)?.headers ?? {}
    const again = await ask({ 'if-none-match': etag })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
    assert.equal((await ask({ 'if-none-match': '"another"' })).statusCode, 200)
  })

  test('what many ask for is sent compressed to those who take it', async () => {
    const { ask } = aList()
    await Promise.all(Array.from({ length: 10 }, () => ask()))
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await ask({ 'accept-encoding': `deflate, ${encoding};q=0.9` })
      assert.equal(packed.headers['content-encoding'], encoding)
      assert.equal(packed.headers.vary, 'accept-encoding')
      assert.ok(JSON.parse(unpack(packed.rawPayload).toString()).reads > 0)
    }
    assert.equal((await ask({ 'accept-encoding': 'br;q=0' })).headers['content-encoding'], undefined)
  })

  test('a reading that failed is tried again by the next caller', async () => {
    const { state, ask } = aList()
    state.fails = true
    const failed = await Promise.all(Array.from({ length: 10 }, () => ask()))
    assert.ok(failed.every(({ statusCode }) => statusCode === 500))
    state.fails = false
    assert.equal((await ask()).statusCode, 200)
  })
})
