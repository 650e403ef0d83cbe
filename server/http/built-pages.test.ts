import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { BUILD_NAME, BUILD_ORIGIN } from '#contract/site.ts'
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
  writeFileSync(join(webDir, '__spa-fallback.html'), '<title>Tallywork</title>')

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
})
