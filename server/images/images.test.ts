import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, mock, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aWorker, type TestUser, taskBody, testConfig } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { startBucket } from '#tests/support/s3.ts'
import { openBucket } from './bucket.ts'
import { openImageStore } from './open-store.ts'
import { purgeUnusedImages } from './purge-unused.ts'

type Part = { name?: string; file?: string; type?: string; bytes: Buffer | string }

/** Builds a multipart body, which may be malformed. */
function form(...parts: Part[]) {
  const boundary = 'the-boundary'
  const chunks = parts.flatMap(({ name = 'image', file = 'photo.png', type = 'image/png', bytes }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${file}"\r\ncontent-type: ${type}\r\n\r\n`,
    bytes,
    '\r\n',
  ])
  const payload = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)))
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

const blankPicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3a7' } })

/** Returns a small PNG whose header claims this size in pixels. */
function pngClaiming(width: number, height: number): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const crc = (bytes: Buffer) => {
    let c = 0xffffffff
    for (const byte of bytes) c = (crcTable[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8)
    return (c ^ 0xffffffff) >>> 0
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(8 + body.length)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc(body), 4 + body.length)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('pictures', () => {
  const db = useDatabase()
  let instance: Instance
  let user: TestUser
  let authorization = ''

  before(async () => {
    instance = await anInstance(db.database)
    user = await aWorker(db.database)
    authorization = await instance.signIn(user)
  })
  after(() => instance.close())

  async function upload(body: { payload: Buffer | string; headers: Record<string, string> }, on = instance) {
    const headers = { authorization, ...body.headers }
    return on.app.inject({ method: 'POST', url: '/api/images', payload: body.payload, headers })
  }
  type UploadReply = Awaited<ReturnType<typeof upload>>
  const urlsIn = (response: UploadReply) => {
    assert.equal(response.statusCode, 200, response.body)
    return response.json<{
      data: { display_url: string; thumb: { url: string }; width: number; height: number }
    }>().data
  }
  const fetchFrom = (on: Instance, url: string) => on.app.inject({ url: new URL(url).pathname })

  async function assertInvalidImage(response: UploadReply) {
    assert.deepEqual(
      {
        status: response.statusCode,
        code: response.json().error.code,
        message: response.json().error.message,
      },
      { status: 422, code: 'invalid_image', message: 'Please upload a valid image.' },
    )
  }

  test('a photo is stored in three sizes, upright and without metadata, and served as immutable', async () => {
    const photo = await blankPicture(3000, 2000)
      .withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitude: '23/1 48/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { display_url, thumb, width, height } = urlsIn(await upload(form({ bytes: photo })))
    assert.match(display_url, /^http:\/\/localhost:4700\/images\/[0-9a-f]{40}-1280\.webp$/)
    assert.deepEqual([width, height], [853, 1280])

    for (const [url, longest] of [
      [display_url, 1280],
      [thumb.url, 400],
      [display_url.replace('-1280', '-96'), 96],
    ] as const) {
      const response = await fetchFrom(instance, url)
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['content-type'], 'image/webp')
      assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(response.headers['x-content-type-options'], 'nosniff')
      assert.match(String(response.headers['content-security-policy']), /default-src 'none'/)
      const metadata = await sharp(response.rawPayload).metadata()
      assert.deepEqual(
        [metadata.format, metadata.height, metadata.exif, metadata.orientation],
        ['webp', longest, undefined, undefined],
      )
    }
  })

  test('the same picture from two users has one URL', async () => {
    const bytes = await blankPicture(50, 40).png().toBuffer()
    const first = urlsIn(await upload(form({ bytes })))
    const other = await instance.signIn(await aBuyer(db.database))
    const second = await instance.app.inject({
      method: 'POST',
      url: '/api/images',
      payload: form({ bytes }).payload,
      headers: { authorization: other, ...form().headers },
    })
    assert.equal(urlsIn(second).display_url, first.display_url)
  })

  test('every accepted format is read, whatever its file name and declared type', async () => {
    const files = [
      await blankPicture(20, 20).jpeg().toBuffer(),
      await blankPicture(20, 20).png().toBuffer(),
      await blankPicture(20, 20).webp().toBuffer(),
      await blankPicture(20, 20).gif().toBuffer(),
      await blankPicture(20, 20).avif().toBuffer(),
    ]
    for (const bytes of files) {
      const body = form({ bytes, file: '../../etc/passwd.exe', type: 'application/x-msdownload' })
      assert.equal((await upload(body)).statusCode, 200)
    }
  })

  test('an animated picture keeps its first frame', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 10, height: 10, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [50, 50, 50] })
      .toBuffer()
    assert.equal((await sharp(bytes).metadata()).pages, 3)
    const { display_url } = urlsIn(await upload(form({ bytes })))
    const stored = (await fetchFrom(instance, display_url)).rawPayload
    const { pages = 1 } = await sharp(stored).metadata()
    const { data } = await sharp(stored).raw().toBuffer({ resolveWithObject: true })
    assert.equal(pages, 1)
    assert.ok((data[0] ?? 0) > 200 && (data[1] ?? 255) < 60)
  })

  test('a polyglot file is stored as a picture only', async () => {
    const script = '<script>alert(document.domain)</script>'
    const bytes = Buffer.concat([await blankPicture(20, 20).gif().toBuffer(), Buffer.from(script)])
    const { display_url } = urlsIn(await upload(form({ bytes, file: 'x.html', type: 'text/html' })))
    assert.ok(!(await fetchFrom(instance, display_url)).rawPayload.includes('<script'))
  })

  test('a text, an SVG with a script, a PDF, an empty file and a truncated picture are rejected', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
    const tiff = await blankPicture(20, 20).tiff().toBuffer()
    const photo = await sharp(
      Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, n) => (n * 7919) % 251)),
      {
        raw: { width: 300, height: 300, channels: 3 },
      },
    )
      .jpeg()
      .toBuffer()
    for (const bytes of [
      'hello',
      svg,
      `<?xml version="1.0"?>${svg}`,
      '%PDF-1.7',
      '',
      tiff,
      photo.subarray(0, photo.length / 2),
      photo.subarray(0, 20),
    ]) {
      await assertInvalidImage(await upload(form({ bytes })))
      await assertInvalidImage(await upload(form({ bytes, file: 'x.svg', type: 'image/svg+xml' })))
    }
  })

  test('a small file with more pixels than its format may cost is rejected before it is decoded', async () => {
    for (const bytes of [
      await blankPicture(3000, 3000).avif({ effort: 0 }).toBuffer(),
      await blankPicture(3500, 3500).webp({ effort: 0 }).toBuffer(),
      await blankPicture(3500, 3500).gif({ effort: 1 }).toBuffer(),
      await blankPicture(3600, 3600).jpeg({ progressive: true }).toBuffer(),
      await blankPicture(3500, 3500).png({ progressive: true }).toBuffer(),
    ]) {
      assert.ok(bytes.length < 200_000, String(bytes.length))
      await assertInvalidImage(await upload(form({ bytes })))
    }
    const photo = await blankPicture(4900, 5000).jpeg().toBuffer()
    assert.equal((await upload(form({ bytes: photo }))).statusCode, 200)
  })

  test('stalled uploads count, are closed, and free their slot', async () => {
    // 30 uploads per hour: every one is counted in the database at once.
    const listening = await anInstance(db.database, { writeLimitFactor: 0.5 })
    await listening.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = listening.app.server.address() as AddressInfo
    const uploader = await aWorker(db.database)
    const token = await listening.signIn(uploader)
    const { payload, headers } = form({ bytes: await blankPicture(20, 20).png().toBuffer() })
    const head = `POST /api/images HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${token}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: 9000\r\n\r\n`
    const stalled = Array.from({ length: 4 }, () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }))
    const send = () =>
      fetch(`http://127.0.0.1:${port}/api/images`, {
        method: 'POST',
        headers: { ...headers, authorization: token },
        body: new Uint8Array(payload),
      })
    // An interval ends stalled uploads.
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      for (const socket of stalled) {
        socket.on('error', () => {}).resume()
        socket.write(head)
        socket.write(payload.subarray(0, 100))
      }
      const hits = async () =>
        (
          await db.database.pool.query<{ hits: number }>('select hits from rate_limits where key = $1', [
            `POST /images ${uploader.id}`,
          ])
        ).rows[0]?.hits
      await eventually(async () => (await hits()) === 4)
      assert.equal((await send()).status, 429)
      await eventually(() => {
        mock.timers.tick(5_000)
        return stalled.every(({ readableEnded, destroyed }) => readableEnded || destroyed)
      })
      mock.timers.reset()
      await eventually(async () => (await send()).status === 200)
    } finally {
      mock.timers.reset()
      for (const socket of stalled) socket.destroy()
      await listening.close()
    }
  })

  test('a header that claims 50,000 × 50,000 pixels allocates no memory', async () => {
    const before = process.memoryUsage().rss
    await assertInvalidImage(await upload(form({ bytes: pngClaiming(50_000, 50_000) })))
    await assertInvalidImage(await upload(form({ bytes: pngClaiming(8000, 8000) })))
    assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024)
  })

  test('what is not a form, the wrong field, two files and a malformed form are rejected', async () => {
    const bytes = await blankPicture(20, 20).png().toBuffer()
    const type = (value: string) => ({ 'content-type': value })
    const noForms = [
      { payload: '{"image":"x"}', headers: type('application/json') },
      { payload: 'hello', headers: type('text/plain') },
      { payload: bytes, headers: type('image/png') },
      { payload: '', headers: {} },
    ]
    for (const body of noForms) {
      const response = await upload(body)
      assert.deepEqual(
        [response.statusCode, response.json().error],
        [
          415,
          {
            code: 'unsupported_media_type',
            message: 'Send the file in a form with the content type multipart/form-data.',
          },
        ],
      )
    }
    await assertInvalidImage(await upload(form({ bytes, name: 'file' })))
    await assertInvalidImage(await upload(form()))
    await assertInvalidImage(await upload(form({ bytes }, { bytes })))
    await assertInvalidImage(await upload({ payload: 'x', headers: type('multipart/form-data') }))
    const broken = form({ bytes })
    await assertInvalidImage(await upload({ ...broken, payload: broken.payload.subarray(0, 90) }))
  })

  test('a file of more than 10 MB and an upload without a token are rejected', async () => {
    const huge = await upload(form({ bytes: Buffer.alloc(10 * 1024 * 1024 + 1) }))
    assert.equal(huge.statusCode, 413)
    const { payload, headers } = form({ bytes: await blankPicture(20, 20).png().toBuffer() })
    const stranger = await instance.app.inject({ method: 'POST', url: '/api/images', payload, headers })
    assert.equal(stranger.statusCode, 401)
  })

  test('one user has at most four concurrent uploads, which do not delay other users', async () => {
    const bytes = await blankPicture(600, 600).png().toBuffer()
    const own = Array.from({ length: 20 }, () => upload(form({ bytes })))
    const other = await instance.signIn(await aWorker(db.database))
    const theirs = await instance.app.inject({
      method: 'POST',
      url: '/api/images',
      payload: form({ bytes }).payload,
      headers: { authorization: other, ...form().headers },
    })
    assert.equal(theirs.statusCode, 200)
    const statuses = (await Promise.all(own)).map(({ statusCode }) => statusCode)
    assert.deepEqual(new Set(statuses), new Set([200, 429]))
  })

  test('uploads per hour are limited, and failed ones count', async () => {
    const limited = await anInstance(db.database, { writeLimitFactor: 0.05 })
    try {
      const headers = {
        authorization: await limited.signIn(await aWorker(db.database)),
        ...form().headers,
      }
      const send = (bytes: Buffer | string) =>
        limited.app.inject({ method: 'POST', url: '/api/images', payload: form({ bytes }).payload, headers })
      for (let attempt = 0; attempt < 3; attempt++) await assertInvalidImage(await send('no picture'))
      assert.equal((await send(await blankPicture(20, 20).png().toBuffer())).statusCode, 429)
    } finally {
      await limited.close()
    }
  })

  test('an unknown or malformed file name returns 404', async () => {
    for (const name of [
      'x',
      '..%2fauth-secret',
      `${'0'.repeat(40)}-1280.webp`,
      `${'0'.repeat(40)}-1280.webp.`,
    ]) {
      assert.equal((await instance.app.inject({ url: `/images/${name}` })).statusCode, 404)
    }
  })

  test('unused pictures are deleted when no form can need them; used and recent ones are kept', async () => {
    const color = (background: string) =>
      sharp({ create: { width: 30, height: 30, channels: 3, background } })
        .png()
        .toBuffer()
    const send = async (background: string) =>
      urlsIn(await upload(form({ bytes: await color(background) }))).display_url
    const colors = ['#111', '#222', '#333', '#444']
    const [profile, ofTask, unused, inForm] = await Promise.all(colors.map(send))
    assert.ok(profile && ofTask && unused && inForm)
    const { pool } = db.database
    await pool.query('update users set image = $1 where id = $2', [profile, user.id])
    const buyer = await aBuyer(db.database, { coins: 100 })
    const posted = await instance.app.inject({
      method: 'POST',
      url: '/api/add-task',
      payload: { ...taskBody(), task_image_url: ofTask },
      headers: { authorization: await instance.signIn(buyer) },
    })
    assert.equal(posted.statusCode, 200, posted.body)
    // The last moment of an appeal whose form has had its picture from the beginning.
    await pool.query(
      `update images set uploaded_at = uploaded_at - make_interval(days => case url when $1 then $2 else $2 + 2 end)`,
      [inForm, testConfig.appealDays],
    )

    const store = openImageStore(instance.config.images, instance.config.publicUrl)
    const removed = await Promise.all([
      purgeUnusedImages(db.database, store, testConfig.appealDays),
      purgeUnusedImages(db.database, store, testConfig.appealDays),
    ])
    assert.ok(removed[0] + removed[1] >= 1)
    const status = async (url: string) => (await fetchFrom(instance, url)).statusCode
    assert.deepEqual(await Promise.all([profile, ofTask, unused, inForm].map(status)), [200, 200, 404, 200])
  })

  test('pictures in an S3-compatible bucket are stored, served and deleted', async () => {
    const bucket = await startBucket()
    const other = await anInstance(db.database, { images: bucket.settings })
    try {
      const body = form({ bytes: await blankPicture(77, 33).png().toBuffer() })
      const { display_url } = urlsIn(await upload(body, other))
      const response = await fetchFrom(other, display_url)
      assert.equal(response.statusCode, 200)
      assert.equal((await sharp(response.rawPayload).metadata()).width, 77)
      assert.equal((await bucket.files()).length, 3)

      const hash = /([0-9a-f]{40})-/.exec(display_url)?.[1] ?? ''
      await openImageStore(bucket.settings, other.config.publicUrl).remove(hash)
      assert.deepEqual(await bucket.files(), [])
      assert.equal((await fetchFrom(other, display_url)).statusCode, 404)

      const wrongKey = { ...bucket.settings, accessKeyId: 'SOMEBODY' }
      const misconfigured = await anInstance(db.database, { images: wrongKey })
      assert.equal((await upload(body, misconfigured)).statusCode, 503)
      await misconfigured.close()
    } finally {
      await other.close()
      await bucket.close()
    }
    const unreachable = await anInstance(db.database, { images: bucket.settings })
    assert.equal(
      (await upload(form({ bytes: await blankPicture(9, 9).png().toBuffer() }), unreachable)).statusCode,
      503,
    )
    await unreachable.close()
  })

  test('a picture whose connection to the bucket breaks is unavailable', async () => {
    const broken = createServer((_request, reply) => {
      reply.writeHead(200, { 'content-length': 100 }).write('RIFF', () => reply.destroy())
    }).listen(0, '127.0.0.1')
    await once(broken, 'listening')
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/pictures`
    const keys = { accessKeyId: 'A', secretAccessKey: 'B' }
    const bucket = openBucket({ kind: 'bucket', url, region: 'auto', publicUrl: undefined, ...keys })
    await assert.rejects(bucket.read('a.webp'), { code: 'unavailable' })
    broken.close()
  })

  test('an imgbb-compatible host receives the re-encoded picture and returns its URL', async () => {
    let response = {
      status: 200,
      body: '{"data":{"display_url":"https://i.example.com/x.webp"},"success":true}',
      isCut: false,
    }
    const seen: { key: string | null; type: string; webp: boolean }[] = []
    const receive = async (request: IncomingMessage, reply: ServerResponse) => {
      const chunks = await Array.fromAsync(request)
      const body = await new Response(Buffer.concat(chunks), {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }).formData()
      const file = body.get('image') as File
      const key = new URL(request.url ?? '', 'http://host').searchParams.get('key')
      const { format } = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
      seen.push({ key, type: file.type, webp: format === 'webp' })
      reply.writeHead(response.status, { 'content-type': 'application/json' })
      if (response.isCut) reply.write(response.body, () => reply.destroy())
      else reply.end(response.body)
    }
    const host = createServer((request, reply) => void receive(request, reply)).listen(0, '127.0.0.1')
    await new Promise((resolve) => host.once('listening', resolve))
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/1/upload`
    const other = await anInstance(db.database, { images: { kind: 'host', url, key: 'the-key' } })
    try {
      const body = form({ bytes: await blankPicture(88, 44).png().toBuffer() })
      assert.equal(urlsIn(await upload(body, other)).display_url, 'https://i.example.com/x.webp')
      assert.deepEqual(seen, [{ key: 'the-key', type: 'image/webp', webp: true }])
      response = { status: 200, body: '{"data":{}}', isCut: false }
      await assertInvalidImage(await upload(body, other))
      for (const failure of [
        { status: 500, body: 'oops', isCut: false },
        { status: 200, body: '{"data":', isCut: true },
      ]) {
        response = failure
        assert.equal((await upload(body, other)).statusCode, 503)
      }
    } finally {
      await other.close()
      host.close()
    }
  })
})
