import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { FOREIGN_PICTURE_PATH } from '#contract/images.ts'
import { AddressRefused, isPublicAddress } from '#server/http/public-request.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aWorker, taskBody } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { png, startSite } from '#tests/support/picture-site.ts'
import { fetchPicture, PictureRefused } from './fetch-picture.ts'
import { purgeForeignPictures } from './foreign-pictures.ts'

describe('addresses of other sites', () => {
  test('a private network, another port or protocol, a password and a redirect are refused', async () => {
    const site = await startSite((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: '/a.png' }).end()
      else response.end(png)
    })
    const strict = { anyOrigin: false, isAllowed: isPublicAddress }
    const anyPort = { anyOrigin: true, isAllowed: isPublicAddress }
    const open = { anyOrigin: true, isAllowed: () => true }
    try {
      for (const [url, rules, refusal] of [
        [`${site.url}/a.png`, anyPort, AddressRefused],
        [`http://localhost:${site.port}/a.png`, anyPort, AddressRefused],
        [`http://2130706433:${site.port}/a.png`, anyPort, AddressRefused],
        [`http://[::ffff:127.0.0.1]:${site.port}/a.png`, anyPort, AddressRefused],
        ['http://example.com/a.png', strict, PictureRefused],
        ['https://example.com:8443/a.png', strict, PictureRefused],
        [`http://user:password@127.0.0.1:${site.port}/a.png`, open, /A URL with a password/],
      ] as const)
        await assert.rejects(fetchPicture(url, rules), refusal, url)
      assert.deepEqual(site.requested, [])
      await assert.rejects(fetchPicture(`${site.url}/redirect`, open), PictureRefused)
      assert.deepEqual(await fetchPicture(`http://localhost:${site.port}/a.png`, open), png)
      assert.deepEqual(site.requested, ['/redirect', '/a.png'])
    } finally {
      site.close()
    }
  })

  test('a file above 10 MB is not read to its end', async () => {
    const site = await startSite((_request, response) => {
      const send = () => {
        while (response.write(Buffer.alloc(1024 * 1024)));
      }
      response.on('drain', send).on('error', () => {})
      send()
    })
    try {
      await assert.rejects(fetchPicture(site.url, { anyOrigin: true, isAllowed: () => true }), /Too large/)
    } finally {
      site.close()
    }
  })
})

describe('pictures of other sites', () => {
  const db = useDatabase()
  let instance: Instance
  let site: Awaited<ReturnType<typeof startSite>>

  before(async () => {
    instance = await anInstance(db.database)
    site = await startSite((request, response) => response.end(request.url === '/text' ? 'text' : png))
  })
  after(async () => {
    await instance.close()
    site.close()
  })
  const show = (url: string, on = instance, size = '') =>
    on.app.inject({ url: `${FOREIGN_PICTURE_PATH}?url=${encodeURIComponent(url)}${size && `&size=${size}`}` })
  const widthOf = async ({ rawPayload }: { rawPayload: Buffer }) => (await sharp(rawPayload).metadata()).width
  const requests = (path: string) => site.requested.filter((requested) => requested === path).length
  async function aUserWith(image: string) {
    const { id } = await aWorker(db.database)
    await db.database.pool.query('update users set image = $1 where id = $2', [image, id])
  }

  test('the picture of a user is fetched once, re-encoded, and served to everybody', async () => {
    const url = `${site.url}/face.png`
    await aUserWith(url)
    const responses = await Promise.all([show(url), show(url), show(url)])
    const other = await anInstance(db.database)
    responses.push(await show(url, other))
    await other.close()
    for (const { statusCode, headers, rawPayload } of responses) {
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'image/webp')
      assert.match(String(headers['content-security-policy']), /sandbox/)
      assert.equal(await widthOf({ rawPayload }), 400)
    }
    assert.equal(requests('/face.png'), 1)
  })

  async function aTaskWith(url: string) {
    const authorization = await instance.signIn(await aBuyer(db.database, { coins: 100 }))
    const payload = { ...taskBody(), task_image_url: url }
    const posted = await instance.app.inject({
      method: 'POST',
      url: '/api/add-task',
      payload,
      headers: { authorization },
    })
    assert.equal(posted.statusCode, 200, posted.body)
  }

  test('the picture of a task keeps the URL that was sent', async () => {
    const url = `${site.url}/task.png`
    await aTaskWith(url)
    assert.equal((await show(url)).statusCode, 200)
  })

  test('the picture of a task is large when it is opened, fetched again then, and small in lists', async () => {
    const url = `${site.url}/opened.png`
    await aTaskWith(url)
    const other = await anInstance(db.database)
    assert.equal(await widthOf(await show(url)), 400)
    assert.equal(requests('/opened.png'), 1)
    const opened = await Promise.all([show(url, instance, '1280'), show(url, instance, '1280')])
    opened.push(await show(url, other, '1280'))
    for (const shown of opened) assert.equal(await widthOf(shown), 900)
    assert.equal(requests('/opened.png'), 2)
    for (const on of [instance, other]) assert.equal(await widthOf(await show(url, on)), 400)
    await other.close()
  })

  test('the picture of a user is small, whatever size is wanted', async () => {
    const url = `${site.url}/small-face.png`
    await aUserWith(url)
    assert.equal(await widthOf(await show(url, instance, '1280')), 400)
  })

  test('a URL that nobody uses is not fetched, and a file that is no picture only once a day', async () => {
    assert.equal((await show(`${site.url}/unused.png`)).statusCode, 404)
    assert.equal((await show('')).statusCode, 404)
    assert.equal(requests('/unused.png'), 0)
    await aUserWith(`${site.url}/text`)
    for (let count = 0; count < 3; count++) assert.equal((await show(`${site.url}/text`)).statusCode, 404)
    assert.equal(requests('/text'), 1)
  })

  test('a URL that is too long for the index of the stored pictures is not fetched', async () => {
    const letters = Array.from({ length: 1200 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join(
      '',
    )
    const url = `${site.url}/${letters}`
    await aUserWith(url)
    assert.equal((await show(url)).statusCode, 404)
    assert.equal(requests(`/${encodeURI(letters)}`), 0)
  })

  test('a URL of this site that names none of its pictures is not found', async () => {
    const { publicUrl } = instance.context.config
    const own = `/images/${'0'.repeat(40)}-160.webp`
    const { statusCode, headers } = await show(`${publicUrl}${own}`)
    assert.deepEqual([statusCode, headers.location], [302, own])
    for (const path of ['/images/\u0995', '/images/a\r\nb', '/images/../api/live'])
      assert.equal((await show(`${publicUrl}${path}`)).statusCode, 404, path)
  })

  test('a picture in the bucket of this site is shown from there, in the wanted size', async () => {
    const settings = { kind: 'bucket', url: 'https://s3.example.com/pictures', region: 'auto' } as const
    const keys = { accessKeyId: 'key', secretAccessKey: 'secret' }
    const images = { ...settings, ...keys, publicUrl: 'https://cdn.example.com/pictures' }
    const other = await anInstance(db.database, { images })
    const picture = `${images.publicUrl}/${'a1'.repeat(20)}`
    const url = `${FOREIGN_PICTURE_PATH}?url=${encodeURIComponent(`${picture}-1280.webp`)}`
    for (const [query, file] of [
      ['', '1280'],
      ['&size=400', '400'],
      ['&size=96', '96'],
      ['&size=5000', '1280'],
    ]) {
      const { statusCode, headers } = await other.app.inject({ url: url + query })
      assert.deepEqual([statusCode, headers.location], [302, `${picture}-${file}.webp`])
    }
    await other.close()
  })

  test('where other machines can connect, a picture of a private network is not fetched', async () => {
    const url = `${site.url}/inside.png`
    await aUserWith(url)
    const other = await anInstance(db.database, { isDevelopment: false })
    assert.equal((await show(url, other)).statusCode, 404)
    await other.close()
    assert.equal(requests('/inside.png'), 0)
  })

  test('pictures that are no longer used are deleted, and refusals after a day', async () => {
    const { pool } = db.database
    const url = `${site.url}/kept.png`
    await aUserWith(url)
    await show(url)
    await pool.query(
      `insert into foreign_pictures (url, bytes) values ('https://x.example/old', 'x'), ('https://x.example/new', 'x')`,
    )
    await pool.query(`insert into foreign_pictures (url) values ($1) on conflict do nothing`, [
      `${site.url}/text`,
    ])
    await pool.query(
      `update foreign_pictures set fetched_at = fetched_at - interval '2 days' where url not like '%/new'`,
    )
    await purgeForeignPictures(db.database)
    const { rows } = await pool.query<{ url: string }>('select url from foreign_pictures')
    const kept = rows.map((row) => row.url)
    assert.ok(kept.includes(url) && kept.includes('https://x.example/new'))
    assert.ok(!kept.includes('https://x.example/old') && !kept.includes(`${site.url}/text`))
  })
})
