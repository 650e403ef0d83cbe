import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { BUILD_NAME, BUILD_ORIGIN, BUILD_REVISION } from '#contract/site.ts'
import { useDatabase } from '#tests/support/database.ts'
import { anInstance } from '#tests/support/instance.ts'

describe('built pages', () => {
  const db = useDatabase()
  const webDir = mkdtempSync(join(tmpdir(), 'tallywork-pages-'))
  after(() => rmSync(webDir, { recursive: true, force: true }))
  const page = (path: string) =>
    `<link rel="canonical" href="${BUILD_ORIGIN}${path}"/><meta property="og:image" content="${BUILD_ORIGIN}/social.png"/><title>Login · ${BUILD_NAME}</title>`
  mkdirSync(join(webDir, 'all-task'))
  writeFileSync(join(webDir, 'index.html'), page('/'))
  writeFileSync(join(webDir, 'all-task', 'index.html'), page('/all-task'))
  mkdirSync(join(webDir, 'bn'))
  for (const folder of ['.', 'bn']) {
    writeFileSync(join(webDir, folder, '__spa-fallback.html'), page('/'))
    const precache = [{ url: '/__spa-fallback.html', revision: BUILD_REVISION }]
    writeFileSync(join(webDir, folder, 'service-worker.js'), `precache(${JSON.stringify(precache)})`)
  }
  writeFileSync(join(webDir, 'manifest.webmanifest'), '{"name":"Tallywork","id":"/"}')

  test('two servers with different URLs and names serve one build, each with its own', async () => {
    const urls = ['https://one.example.com', 'https://two.example.com']
    const [names, titles] = [
      ['Kaj & <Co>', 'Two $& more'],
      ['Kaj &amp; &lt;Co&gt;', 'Two $&amp; more'],
    ]
    const servers = await Promise.all(
      urls.map((publicUrl, index) =>
        anInstance(db.database, { webDir, publicUrl, name: names[index] as string }),
      ),
    )
    try {
      for (const [index, { app }] of servers.entries()) {
        const url = urls[index]
        const { body } = await app.inject({ url: '/all-task' })
        assert.match(body, new RegExp(`rel="canonical" href="${url}/all-task"`))
        assert.match(body, new RegExp(`property="og:image" content="${url}/social.png"`))
        assert.ok(body.includes(`<title>Login · ${titles[index]}</title>`), body)
        assert.ok(!body.includes(BUILD_ORIGIN))
        const manifest = await app.inject({ url: '/manifest.webmanifest' })
        assert.deepEqual(manifest.json(), { name: names[index], short_name: names[index], id: '/' })
        assert.match(String(manifest.headers['content-type']), /^application\/manifest\+json/)
        const packed = await app.inject({ url: '/all-task', headers: { 'accept-encoding': 'gzip' } })
        assert.equal(gunzipSync(packed.rawPayload).toString(), body)
        const robots = await app.inject({ url: '/robots.txt' })
        assert.match(robots.body, new RegExp(`^Sitemap: ${url}/sitemap.xml$`, 'm'))
        const sitemap = await app.inject({ url: '/sitemap.xml' })
        assert.match(String(sitemap.headers['content-type']), /^application\/xml/)
        const listed = [...sitemap.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc)
        assert.deepEqual(listed, [`${url}/`, `${url}/all-task`])
      }
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  })

  test('the pages that service workers keep have the URL and name of the server, by the paths of their files too', async () => {
    const [publicUrl, name] = ['https://one.example.com', 'Kaj']
    const server = await anInstance(db.database, { webDir, publicUrl, name })
    try {
      for (const url of [
        '/__spa-fallback.html',
        '/__spa-fallback.html?__WB_REVISION__=a1c57128bfb0',
        '/bn/__spa-fallback.html',
        '/index.html',
        '/all-task/index.html',
        '/all-task/index%2Ehtml',
      ]) {
        const { statusCode, body, headers } = await server.app.inject({ url })
        assert.equal(statusCode, 200, url)
        assert.ok(body.includes(`<title>Login · ${name}</title>`), `${url}: ${body}`)
        assert.ok(body.includes(`content="${publicUrl}/social.png"`), `${url}: ${body}`)
        assert.match(String(headers['content-security-policy']), /^default-src 'self'/)
        assert.equal(headers['cache-control'], 'no-cache')
      }
      for (const url of ['//all-task/index.html', '/./index.html', '/bn/..%2Findex.html'])
        assert.doesNotMatch((await server.app.inject({ url })).body, new RegExp(BUILD_NAME), url)
    } finally {
      await server.close()
    }
  })

  test('a setting that changes a page or its headers is a new revision of the pages that service workers keep', async () => {
    const scripts: string[] = []
    const bucket = { kind: 'bucket', url: '', region: '', accessKeyId: '', secretAccessKey: '' } as const
    for (const settings of [
      { publicUrl: 'https://one.example.com', name: 'Kaj' },
      { publicUrl: 'https://one.example.com', name: 'Kaj' },
      { publicUrl: 'https://one.example.com', name: 'Kaj `\\u{`' },
      { publicUrl: 'https://two.example.com', name: 'Kaj' },
      {
        publicUrl: 'https://two.example.com',
        name: 'Kaj',
        images: { ...bucket, publicUrl: 'https://img.one' },
      },
      {
        publicUrl: 'https://two.example.com',
        name: 'Kaj',
        images: { ...bucket, publicUrl: 'https://img.two' },
      },
    ]) {
      const server = await anInstance(db.database, { webDir, ...settings })
      try {
        const { body, headers } = await server.app.inject({ url: '/service-worker.js' })
        assert.match(body, /^precache\(\[\{"url":"\/__spa-fallback.html","revision":"\w{40}"\}\]\)$/)
        assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
        assert.equal(headers['cache-control'], 'no-cache')
        assert.equal((await server.app.inject({ url: '/bn/service-worker.js' })).body, body)
        for (const url of ['/__spa-fallback.html', '/bn/__spa-fallback.html']) {
          const shell = await server.app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
          assert.ok(body.includes(`"revision":"${shell.headers['page-revision']}"`), url)
        }
        const packed = await server.app.inject({
          url: '/service-worker.js',
          headers: { 'accept-encoding': 'gzip' },
        })
        assert.equal(gunzipSync(packed.rawPayload).toString(), body)
        scripts.push(body)
      } finally {
        await server.close()
      }
    }
    assert.equal(new Set(scripts).size, 5)
    assert.equal(scripts[0], scripts[1])
  })
})
