import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { buildApp } from '#server/app.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aTask } from '#tests/support/factories.ts'
import { atHand } from './at-hand.ts'

type Headers = Record<string, string | string[] | undefined>
type Got = { status: number; headers: Headers; body: Buffer }

describe('answers that lie at hand', () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallywork-pages-'))
  const html = '<!doctype html><title>Home</title><script>1</script>'
  writeFileSync(join(webDir, 'index.html'), html)
  writeFileSync(join(webDir, 'index.html.br'), brotliCompressSync(html))
  writeFileSync(join(webDir, 'index.html.gz'), gzipSync(html))
  const api = useApi({ webDir })
  const LIST = '/api/task-list-worker?limit=5'
  let port = 0

  before(async () => {
    const { app } = api.instance
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => rmSync(webDir, { recursive: true, force: true }))

  /** Asks over the network, as only there anything lies at hand. */
  function get(path: string, headers: Record<string, string> = {}): Promise<Got> {
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: withoutLine(answer.headers),
            body: Buffer.concat(chunks),
          }),
        )
      })
      sent.on('error', reject).end()
    })
  }
  async function injected(url: string, headers: Record<string, string> = {}): Promise<Got> {
    const answer = await api.instance.app.inject({ url, headers })
    return {
      status: answer.statusCode,
      headers: withoutLine(answer.headers as Headers),
      body: answer.rawPayload,
    }
  }
  /** Headers but those of the connection. */
  function withoutLine({ date: _, connection: __, 'keep-alive': ___, ...rest }: Headers): Headers {
    return rest
  }
  /** Many ask at once, again if that took so long that what lay at hand is too old already. */
  async function bringToHand(headers = {}): Promise<void> {
    for (let times = 0; times < 20; times++) {
      await crowd(headers)
      if (isAtHand(LIST, headers)) return
    }
    assert.fail('Nothing lies at hand')
  }
  const crowd = (headers = {}) => Promise.all(Array.from({ length: 12 }, () => get(LIST, headers)))
  const isAtHand = (url: string, headers = {}) =>
    atHand(api.instance.app).get(url.split('?')[0] ?? '')?.({ url, headers } as IncomingMessage) !== undefined

  test('a page is the same to the last header as the one that Fastify gives', async () => {
    for (const accept of ['', 'br', 'gzip, deflate', 'gzip, br;q=0']) {
      const headers = { 'accept-encoding': accept }
      assert.ok(isAtHand('/', headers))
      const [quick, slow] = [await get('/', headers), await injected('/', headers)]
      assert.deepEqual(quick, slow)
      const again = { ...headers, 'if-none-match': String(quick.headers.etag) }
      assert.equal((await get('/', again)).status, 304)
      assert.deepEqual((await get('/', again)).headers, (await injected('/', again)).headers)
    }
    assert.ok(String((await get('/')).headers['content-security-policy']).includes('sha256-'))
    assert.equal(isAtHand('/?from=mail'), false)
  })

  test('a list that many ask for is the same to the last header, and no older than a second', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    await aTask(api.database, buyer, { title: 'The first' })
    for (const accept of ['', 'br']) {
      const headers = { 'accept-encoding': accept }
      await bringToHand(headers)
      const [quick, slow] = [await get(LIST, headers), await injected(LIST, headers)]
      assert.deepEqual(quick, slow)
      const text = String(accept === 'br' ? brotliDecompressSync(quick.body) : quick.body)
      assert.equal(JSON.parse(text)[0].task_title, 'The first')
      const again = { ...headers, 'if-none-match': String(quick.headers.etag) }
      const unchanged = await get(LIST, again)
      assert.deepEqual(unchanged, await injected(LIST, again))
      assert.equal(unchanged.status, 304)
    }
    await aTask(api.database, buyer, { title: 'The second' })
    await sleep(1050)
    assert.equal(isAtHand(LIST), false)
    assert.equal(JSON.parse(String((await get(LIST)).body))[0].task_title, 'The second')
  })

  test('what few ask for does not lie at hand', async () => {
    const url = '/api/all-task?limit=3'
    await get(url)
    assert.equal(isAtHand(url), false)
  })

  test('each is counted, whoever answered it', async () => {
    const counted = async () => {
      const text = String((await get('/metrics')).body)
      const lines = text.matchAll(/^http_request_seconds_count\{method="GET",route="([^"]+)",.*\} (\d+)$/gm)
      const counts = [...lines].map(([, route, count]) => [route, Number(count)] as const)
      const of = (name: string) => counts.reduce((sum, [route, n]) => sum + (route === name ? n : 0), 0)
      return { home: of('/'), list: of('/api/task-list-worker') }
    }
    const from = await counted()
    await crowd()
    await Promise.all([get('/'), get('/'), injected('/')])
    const to = await counted()
    assert.deepEqual({ home: to.home - from.home, list: to.list - from.list }, { home: 3, list: 12 })
  })

  test('where requests are logged, each is', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const app = await buildApp(api.instance.context, { level: 'info', stream })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const own = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`
    assert.equal(await (await fetch(own)).text(), html)
    await app.close()
    assert.equal(lines.filter((line) => line.includes('request completed')).length, 1)
  })
})
