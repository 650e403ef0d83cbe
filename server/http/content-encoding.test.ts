import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { compressReplies } from './content-encoding.ts'

const LONG = { text: 'a long text '.repeat(200) }
const FETCHED = { 'sec-fetch-dest': 'empty', 'accept-encoding': 'br' }

describe('replies to scripts of pages', () => {
  const app = Fastify()
  compressReplies(app)
  app.get('/long', () => LONG)
  app.get('/short', () => ({ text: 'short' }))
  const get = (url: string, headers: Record<string, string>) => app.inject({ url, headers })

  test('are compressed where they are long and the browser accepts it', async () => {
    const { headers, rawPayload } = await get('/long', FETCHED)
    assert.equal(headers['content-encoding'], 'br')
    assert.equal(headers['content-length'], String(rawPayload.length))
    assert.deepEqual(JSON.parse(brotliDecompressSync(rawPayload).toString()), LONG)
    assert.equal((await get('/short', FETCHED)).headers['content-encoding'], undefined)
    const plain = await get('/long', { ...FETCHED, 'accept-encoding': 'identity' })
    assert.deepEqual(plain.json(), LONG)
  })

  test('are sent uncompressed to other clients, and to some requests of a burst', async () => {
    const other = await get('/long', { 'accept-encoding': 'br' })
    assert.deepEqual(other.json(), LONG)
    const crowd = await Promise.all(Array.from({ length: 50 }, () => get('/long', FETCHED)))
    assert.ok(crowd.some(({ headers }) => headers['content-encoding'] === undefined))
    assert.ok(crowd.every(({ statusCode }) => statusCode === 200))
  })
})
