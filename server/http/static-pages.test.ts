import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'

describe('static pages', () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallywork-pages-'))
  const html = '<!doctype html><title>Home</title><script>1</script>'
  writeFileSync(join(webDir, 'index.html'), html)
  writeFileSync(join(webDir, 'index.html.br'), brotliCompressSync(html))
  writeFileSync(join(webDir, 'index.html.gz'), gzipSync(html))
  writeFileSync(join(webDir, '__spa-fallback.html'), html)
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'assets', 'app.js'), '1')
  for (const folder of ['login', 'dashboard']) mkdirSync(join(webDir, 'bn', folder), { recursive: true })
  for (const [path, script] of [
    ['index', 2],
    ['login/index', 3],
    ['__spa-fallback', 4],
    ['offline', 5],
    ['dashboard/index', 6],
  ])
    writeFileSync(join(webDir, 'bn', `${path}.html`), `<html lang="bn"><script>${script}</script>`)
  const longPage = Array.from({ length: 2000 }, (_, index) => `<p>${(index * 7919) % 1000}</p>`).join('')
  mkdirSync(join(webDir, 'long'))
  writeFileSync(join(webDir, 'long', 'index.html'), longPage)
  const api = useApi({ webDir })
  after(() => rmSync(webDir, { recursive: true, force: true }))
  const get = (url: string, headers = {}) => api.instance.app.inject({ url, headers })

  test('are sent in the best encoding that the browser accepts', async () => {
    const plain = (bytes: Buffer) => bytes
    for (const [accept, encoding, decompress] of [
      ['', undefined, plain],
      ['br', 'br', brotliDecompressSync],
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
      ['br;q=0', undefined, plain],
    ] as const) {
      const { headers, rawPayload } = await get('/', { 'accept-encoding': accept })
      assert.equal(headers['content-encoding'], encoding, accept)
      assert.equal(decompress(rawPayload).toString(), html)
      assert.equal(headers['content-length'], String(rawPayload.length))
      assert.equal(headers.vary, 'accept-encoding')
      assert.equal(headers['cache-control'], 'no-cache')
      const same = await get('/', { 'accept-encoding': accept, 'if-none-match': headers.etag })
      assert.deepEqual([same.statusCode, same.body, same.headers.etag], [304, '', headers.etag])
    }
  })

  test('a page is compressed better once it has been requested', async () => {
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const load = async () => (await get('/long', { 'accept-encoding': encoding })).rawPayload
      const { length } = await load()
      await eventually(async () => (await load()).length < length)
      assert.equal(decompress(await load()).toString(), longPage)
    }
  })

  test('assets may be cached for a year and have no content policy', async () => {
    const { headers } = await get('/assets/app.js')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['content-security-policy'], undefined)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  test('a path that leaves the folder of assets serves no file', async () => {
    for (const url of [
      '/assets/..%2Findex.html',
      '/assets/..%2F..%2Fetc%2Fpasswd',
      '/assets//app.js',
      '/assets%2Fapp.js',
    ]) {
      const { statusCode, body } = await get(url)
      assert.ok(statusCode === 400 || statusCode === 404, `${url}: ${statusCode}`)
      assert.ok(body !== html && body !== '1', url)
    }
    const missing = await get('/assets/missing.js')
    assert.deepEqual([missing.statusCode, missing.body], [404, 'Not found'])
    assert.equal((await api.instance.app.inject({ method: 'HEAD', url: '/assets/app.js' })).statusCode, 200)
  })

  test('pages of another language are below its path, with the hashes of their own scripts', async () => {
    for (const [url, status, script] of [
      ['/bn', 200, 2],
      ['/bn/', 200, 2],
      ['/bn/login', 200, 3],
      ['/bn/dashboard', 200, 6],
      ['/bn/dashboard/my-task?page=2', 200, 4],
      ['/bn/no-such-page', 404, 4],
      ['/bn/offline.html', 200, 5],
    ] as const) {
      const { statusCode, headers, body } = await get(url)
      assert.deepEqual([statusCode, body], [status, `<html lang="bn"><script>${script}</script>`], url)
      const hash = createHash('sha256').update(String(script)).digest('base64')
      assert.deepEqual(String(headers['content-security-policy']).match(/'sha256-[^']+'/g), [
        `'sha256-${hash}'`,
      ])
      assert.equal(headers['cache-control'], 'no-cache')
    }
    assert.equal((await get('/bnx')).statusCode, 404)
    assert.doesNotMatch((await get('/bnx')).body, /lang="bn"/)
    assert.equal((await get('/bn/no-such.js')).statusCode, 404)
  })

  test('search engines find every page in all languages, and which belong together', async () => {
    const robots = (await get('/robots.txt')).body.split('\n')
    assert.ok(robots.includes('Disallow: /setup') && robots.includes('Disallow: /bn/setup'))
    assert.ok(!robots.includes('Disallow: /bn'))
    const { publicUrl } = api.instance.config
    const sitemap = (await get('/sitemap.xml')).body
    const linkTo = (language: string, path: string) =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="${publicUrl}${path}"/>`
    const links = linkTo('en', '/login') + linkTo('bn', '/bn/login') + linkTo('x-default', '/login')
    assert.ok(sitemap.includes(`<url><loc>${publicUrl}/bn/login</loc>${links}</url>`), sitemap)
    assert.ok(sitemap.includes(`<loc>${publicUrl}/</loc>${linkTo('en', '/')}${linkTo('bn', '/bn')}`), sitemap)
    assert.doesNotMatch(sitemap, /dashboard/)
  })

  test('the home page redirects to the one in the language that the visitor has chosen, and no other page does', async () => {
    const home = await get('/?from=mail', { cookie: 'a=b; locale=bn' })
    assert.deepEqual([home.statusCode, home.headers.location], [302, '/bn?from=mail'])
    assert.equal(home.headers['cache-control'], 'no-store')
    for (const [url, cookie] of [
      ['/', 'locale=en'],
      ['/', 'locale=xx'],
      ['/', 'locale=%2F%2Fevil.example'],
      ['/', 'mylocale=bn'],
      ['/bn', 'locale=en'],
      ['/bn/login', 'locale=en'],
      ['/dashboard', 'locale=bn'],
    ] as const)
      assert.equal((await get(url, { cookie })).statusCode, 200, `${url} ${cookie}`)
  })

  test('a link to the home page on our own pages is not redirected, whatever the cookie still is', async () => {
    const statusFrom = async (referer: string) =>
      (await get('/', { cookie: 'locale=bn', host: 'tallywork.test', referer })).statusCode
    assert.equal(await statusFrom('https://tallywork.test/bn/all-task?q=photo'), 200)
    for (const referer of ['https://mail.example/', 'https://other.tallywork.test/bn', 'tallywork.test', ''])
      assert.equal(await statusFrom(referer), 302, referer)
  })

  test('unknown paths: the app for a screen, 404 for others, JSON below /api', async () => {
    assert.equal((await get('/dashboard/anything')).statusCode, 200)
    assert.equal((await get('/no-such-page')).statusCode, 404)
    assert.match(String((await get('/no-such.js')).headers['content-type']), /^text\/plain/)
    for (const url of ['/api', '/api/', '/api/nothing', '/%61pi/nothing']) {
      const { statusCode, headers, body } = await get(url)
      assert.equal(statusCode, 404, url)
      assert.equal(JSON.parse(body).error.code, 'not_found')
      assert.equal(headers['cache-control'], 'no-store')
    }
  })
})
