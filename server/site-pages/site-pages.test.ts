import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { fillIn, PAGE_TEXT_PLACEHOLDER, SITE_PAGES, type SitePageName } from '#contract/site-pages.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker, type TestUser } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { defaultText } from './render.ts'
import { readPageValues } from './values.ts'

const webDir = mkdtempSync(join(tmpdir(), 'tallywork-pages-'))
for (const page of SITE_PAGES) {
  for (const folder of [page, join('bn', page)]) {
    mkdirSync(join(webDir, folder), { recursive: true })
    writeFileSync(
      join(webDir, folder, 'index.html'),
      `<!doctype html><h1>${page}</h1><article>${PAGE_TEXT_PLACEHOLDER}</article>`,
    )
  }
}
writeFileSync(join(webDir, '__spa-fallback.html'), '<title>Tallywork</title>')

describe('the texts of public pages', () => {
  const api = useApi({ webDir, appealDays: 7 })
  after(() => rmSync(webDir, { recursive: true, force: true }))

  const source = async (admin: TestUser, page: SitePageName) =>
    (await api.as(admin).get(`/pages/${page}/source`)).body
  async function change(admin: TestUser, page: SitePageName, text: string) {
    const { version } = await source(admin, page)
    return api.as(admin).put(`/pages/${page}`, { text, version, reason: 'Clearer' })
  }
  const html = async (page: SitePageName) => (await api.anyone.get(`/pages/${page}`)).body.html
  const inBangla = async (page: SitePageName) =>
    (await api.anyone.get(`/pages/${page}`, { 'accept-language': 'bn' })).body.html

  test('each has a default text without values that are not filled in', async () => {
    for (const page of SITE_PAGES) {
      const text = await html(page)
      assert.match(text, /<h2>/, page)
      assert.doesNotMatch(text, /\{\{|\}\}|undefined/, page)
    }
    assert.match(await html('terms'), /appeal it within 7 days/)
  })

  test('say how long pictures are kept, and one day in the singular', async () => {
    assert.match(await html('privacy'), /nobody uses any more are deleted after 8 days\./)
    assert.match(await inBangla('privacy'), /ব্যবহার করেন না, তা ৮ দিন পরে/)
    const config = { ...api.instance.config, appealDays: 0, reviewDays: 1 }
    const values = await readPageValues(api.database, config, 'en')
    assert.match(fillIn(defaultText('terms', 'en'), values), /of the task, 1 day unless/)
    assert.match(fillIn(defaultText('privacy', 'en'), values), /deleted after 4 days\./)
  })

  test('periods of a part of a day are in hours', async () => {
    const config = { ...api.instance.config, reviewDays: 0.5, appealDays: 1.5, holdingDays: 0.5 }
    const [english, bangla] = [
      await readPageValues(api.database, config, 'en'),
      await readPageValues(api.database, config, 'bn'),
    ]
    assert.match(fillIn(defaultText('terms', 'en'), english), /of the task, 12 hours unless/)
    assert.match(fillIn(defaultText('terms', 'en'), english), /appeal it within 36 hours\./)
    assert.match(fillIn(defaultText('fees', 'en'), english), /earned coins \| 12 hours \|/)
    assert.match(fillIn(defaultText('terms', 'bn'), bangla), /আপিল করার সময় ৩৬ ঘণ্টা।/)
    assert.match(fillIn(defaultText('fees', 'bn'), bangla), /অপেক্ষার সময় \| ১২ ঘণ্টা \|/)
    assert.deepEqual([english.review_days, bangla.review_days], ['0.5', '০.৫'])
  })

  test('the privacy text names what the account stores, public coins and every cookie', async () => {
    const text = await html('privacy')
    assert.match(text, /drafts, templates and filters that you save are stored in your account/)
    assert.match(text, /The coins of the workers who hold the most are public too/)
    assert.match(text, /sign-in service, a further cookie lasts ten minutes/)
    const bangla = await inBangla('privacy')
    assert.match(bangla, /সংরক্ষণ করেন তা আপনার অ্যাকাউন্টে থাকে/)
    assert.match(bangla, /কর্মীদের কয়েনের সংখ্যাও সবাই দেখতে পান/)
    assert.match(bangla, /আরেকটি কুকি দশ মিনিট থাকে/)
  })

  test('the fees say that coins which were paid for by card can wait longer', async () => {
    assert.match(await html('fees'), /recently paid for by card may have to wait longer/)
    assert.match(await inBangla('fees'), /কার্ডে কিনেছেন এমন কয়েন তুলতে আরও অপেক্ষা/)
  })

  test('the default texts in Bangla have the same headings, lists and values', async () => {
    const shapeOf = (text: string) => ({
      lines: text.split('\n').map((line) => /^(#+|-|\||$)/.exec(line)?.[0] ?? 'text'),
      values: (text.match(/\{\{\w+\}\}/g) ?? []).filter((value) => value !== '{{name}}').toSorted(),
    })
    for (const page of SITE_PAGES) {
      assert.deepEqual(shapeOf(defaultText(page, 'bn')), shapeOf(defaultText(page, 'en')), page)
      const text = (await inBangla(page)).replace(/<[^>]*>|OpenStreetMap|Test(Result)?|Tallywork/g, '')
      assert.doesNotMatch(text, /[A-Za-z]{2,}|\{\{/, page)
    }
    assert.match(await inBangla('terms'), /আপিল করার সময় ৭ দিন/)
    assert.match(await inBangla('fees'), /<td[^>]*>১,০০০<\/td>\s*<td[^>]*>৩৫\.০০\$<\/td>/)
  })

  test('the fees say whether the prices include the tax or it is added', async () => {
    const tax = (taxPercent: number, taxAdded: boolean) =>
      changeSettings(api.database, 'seller', { taxName: 'VAT', taxPercent, taxAdded })
    assert.match(await html('fees'), /exactly these prices\./)
    await tax(15, false)
    assert.match(await html('fees'), /exactly these prices, which include 15% VAT\./)
    await tax(15, true)
    assert.match(await html('fees'), /15% VAT is added when you pay\./)
    assert.doesNotMatch(await html('fees'), /exactly these prices/)
    await tax(0, false)
  })

  test('each language has a text of its own; without one, a changed English text is shown as English', async () => {
    const admin = await anAdmin(api.database)
    const put = (locale: 'en' | 'bn', version: number, text: string) =>
      api.as(admin).put('/pages/privacy', { locale, text, version, reason: 'Clearer' })
    const sourceIn = async (locale: string) =>
      (await api.as(admin).get(`/pages/privacy/source?locale=${locale}`)).body
    const before = await sourceIn('en')
    assert.deepEqual([before.locale, (await sourceIn('bn')).behindEnglish], ['en', false])
    assert.match(await inBangla('privacy'), /কুকি/)

    assert.equal((await put('en', before.version, '## Ours')).status, 200)
    const shown = await inBangla('privacy')
    assert.match(shown, /^<div class="page-text" lang="en"><p class="page-date">Last changed on/)
    assert.match(shown, /<h2>Ours<\/h2>/)
    const waiting = await sourceIn('bn')
    assert.deepEqual([waiting.version, waiting.behindEnglish], [0, true])

    assert.equal((await put('bn', 0, '## আমাদের {{review_days}}')).body.behindEnglish, false)
    assert.match(await inBangla('privacy'), /সর্বশেষ পরিবর্তন.*<h2>আমাদের [০-৯]+<\/h2>/s)
    assert.match(await html('privacy'), /<h2>Ours<\/h2>/)
    assert.equal((await put('bn', 0, '## পুরোনো')).status, 409)
    assert.equal((await put('en', before.version + 1, '## Ours again')).status, 200)
    assert.equal((await sourceIn('bn')).behindEnglish, true)
    const { body } = await api
      .as(admin)
      .post('/pages/privacy/preview', { locale: 'bn', text: '{{packages}}' })
    assert.match(body.html, /<th[^>]*>কয়েন<\/th>/)
    assert.equal((await api.as(admin).get('/pages/privacy/source?locale=xx')).status, 422)
    const [entry] = (await api.as(admin).get('/admin-record?limit=1')).body
    assert.equal(entry.act, 'site_page_changed')
  })

  test('the fees are those in force', async () => {
    assert.match(await html('fees'), /<td[^>]*>1,000<\/td>\s*<td[^>]*>\$35\.00<\/td>/)
    assert.match(await html('fees'), /20 coins = \$1\.00/)
    await changeSettings(api.database, 'withdrawal_rate', { centsPerCoin: 3 })
    try {
      assert.match(await html('fees'), /100 coins = \$3\.00/)
    } finally {
      await changeSettings(api.database, 'withdrawal_rate', { centsPerCoin: 5 })
    }
  })

  test('a published text is in the served page at once, on every instance and in every encoding', async () => {
    const admin = await anAdmin(api.database)
    const other = await anInstance(api.database, { webDir })
    try {
      for (const text of ['## First\n\nOne', '## Second\n\nTwo']) {
        assert.equal((await change(admin, 'privacy', text)).status, 200)
        for (const { app } of [api.instance, other]) {
          const { body, headers } = await app.inject({ url: '/privacy' })
          const [, title] = /## (\w+)/.exec(text) ?? []
          assert.match(body, new RegExp(`<h1>privacy</h1><article>.*<h2>${title}</h2>`, 's'))
          assert.match(body, /Last changed on \d+ \w+ \d{4}/)
          assert.equal(headers['cache-control'], 'no-cache')
          assert.match(String(headers['content-security-policy']), /script-src 'self'/)
          const packed = await app.inject({ url: '/privacy', headers: { 'accept-encoding': 'gzip' } })
          assert.equal(gunzipSync(packed.rawPayload).toString(), body)
          const same = await app.inject({ url: '/privacy', headers: { 'if-none-match': headers.etag } })
          assert.equal(same.statusCode, 304)
        }
      }
    } finally {
      await other.close()
    }
  })

  test('links stay in the language of the page', async () => {
    const admin = await anAdmin(api.database)
    const text =
      '## Links\n\n[Fees](/fees) [Home](/#contact) [API](/api/docs) [Elsewhere](https://example.com/)'
    assert.equal((await change(admin, 'terms', text)).status, 200)
    const linksOf = (body: string) => [...body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
    const english = ['/fees', '/#contact', '/api/docs', 'https://example.com/']
    const bangla = ['/bn/fees', '/bn/#contact', '/api/docs', 'https://example.com/']
    assert.deepEqual(linksOf(await html('terms')), english)
    const { app } = api.instance
    assert.deepEqual(linksOf((await app.inject({ url: '/terms' })).body), english)
    assert.deepEqual(linksOf((await app.inject({ url: '/bn/terms' })).body), bangla)
    const headers = { 'accept-language': 'bn' }
    assert.deepEqual(linksOf((await app.inject({ url: '/api/pages/terms', headers })).json().html), bangla)
  })

  test('HTML and links that run scripts are shown as text', async () => {
    const admin = await anAdmin(api.database)
    const text =
      '<script>alert(1)</script> <img src=x onerror=alert(1)> [run](javascript:alert(1)) [out](//evil.example) ![x](https://evil.example/x.png) [terms](/terms "a\\" onclick=\\"x") `code`'
    await change(admin, 'terms', text)
    const shown = await html('terms')
    assert.deepEqual(
      [...shown.matchAll(/<(\w+)/g)].map(([, tag]) => tag).filter((tag) => tag !== 'p' && tag !== 'a'),
      [],
    )
    const targets = [...shown.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    assert.deepEqual(targets, ['https://evil.example/x.png', '/terms'])
    assert.doesNotMatch(shown, /<a[^>]*onclick="/)
    assert.match(shown, /&lt;script&gt;/)
    const { body } = await api.as(admin).post('/pages/terms/preview', { text })
    assert.ok(shown.endsWith(body.html))
  })

  test('keeps every version with its author and reason, and refuses a change of an older one', async () => {
    const admin = await anAdmin(api.database)
    const { version, defaultText } = await source(admin, 'fees')
    const body = { text: 'New fees', version, reason: 'Clearer' }
    const attempts = await Promise.all(
      Array.from({ length: 5 }, async () => api.as(admin).put('/pages/fees', body)),
    )
    assert.deepEqual(
      attempts.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409],
    )
    const { changes, text } = await source(admin, 'fees')
    assert.deepEqual([text, changes[0].version, changes[0].changedById], ['New fees', version + 1, admin.id])
    const [entry] = (await api.as(admin).get('/admin-record?limit=1')).body
    assert.equal(entry.act, 'site_page_changed')
    assert.equal((await change(admin, 'fees', defaultText)).status, 200)
    await assert.rejects(api.owner.query(`update site_page_versions set text = ''`), /append-only|change/i)
  })

  test('is changed and read as Markdown by Admins only, with a proof of identity, and refuses unknown values', async () => {
    const [admin, worker] = [await anAdmin(api.database), await aWorker(api.database)]
    const body = { text: 'Mine', version: 0, reason: 'Clearer' }
    for (const [client, status] of [
      [api.as(worker), 403],
      [api.anyone, 401],
    ] as const) {
      assert.equal((await client.put('/pages/terms', body)).status, status)
      assert.equal((await client.get('/pages/terms/source')).status, status)
      assert.equal((await client.post('/pages/terms/preview', { text: 'x' })).status, status)
    }
    const unknown = await change(admin, 'terms', 'Pays {{nothing}}')
    assert.deepEqual([unknown.status, Object.keys(unknown.body.error.fields ?? {})], [422, ['text']])
    assert.equal((await api.anyone.get('/pages/other')).status, 404)
  })
})
