import assert from 'node:assert/strict'
import { ChildProcess } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, mock, test } from 'node:test'
import sharp from 'sharp'
import { UPLOAD_PART_BYTES, UPLOADS_MAX } from '#contract/uploads.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aWorker } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { purgeUploads } from './uploads.ts'

/** Returns a PNG of noise, which no compression makes small. */
async function aPhoto(): Promise<Buffer> {
  const size = { width: 240, height: 200, channels: 3 as const }
  return sharp(randomBytes(240 * 200 * 3), { raw: size })
    .png()
    .toBuffer()
}

describe('uploads in parts', () => {
  const db = useDatabase()
  let instance: Instance
  let authorization = ''
  let another = ''

  before(async () => {
    instance = await anInstance(db.database)
    authorization = await instance.signIn(await aWorker(db.database))
    another = await instance.signIn(await aWorker(db.database))
  })
  after(() => instance.close())

  async function begin(file: Buffer, as = authorization) {
    const sha256 = createHash('sha256').update(file).digest('hex')
    const response = await instance.app.inject({
      method: 'POST',
      url: '/api/uploads',
      payload: { size: file.length, sha256 },
      headers: { authorization: as },
    })
    return { status: response.statusCode, ...response.json() }
  }
  async function append(id: string, offset: number | string, bytes: Buffer, as = authorization) {
    const response = await instance.app.inject({
      method: 'PATCH',
      url: `/api/uploads/${id}?offset=${offset}`,
      payload: bytes,
      headers: { authorization: as, 'content-type': 'application/octet-stream' },
    })
    return { status: response.statusCode, ...response.json() }
  }
  async function finish(id: string, as = authorization, { app } = instance) {
    const response = await app.inject({
      method: 'POST',
      url: `/api/uploads/${id}/image`,
      headers: { authorization: as },
    })
    return { status: response.statusCode, ...response.json() }
  }
  const partAt = (file: Buffer, offset: number) => file.subarray(offset, offset + UPLOAD_PART_BYTES)

  async function appendAll(id: string, file: Buffer, from = 0): Promise<void> {
    for (let offset = from; offset < file.length; offset += UPLOAD_PART_BYTES)
      assert.equal((await append(id, offset, partAt(file, offset))).status, 200)
  }

  test('an upload that was interrupted continues from where it stopped', async () => {
    const file = await aPhoto()
    assert.ok(file.length > 2 * UPLOAD_PART_BYTES)
    const first = await begin(file)
    assert.equal(first.received, 0)
    await append(first.id, 0, partAt(file, 0))

    const again = await begin(file)
    assert.deepEqual([again.id, again.received], [first.id, UPLOAD_PART_BYTES])
    await appendAll(again.id, file, again.received)
    const { status, data } = await finish(again.id)
    assert.equal(status, 200)
    assert.deepEqual([data.width, data.height], [240, 200])
    const stored = await instance.app.inject(new URL(data.display_url, 'http://x').pathname)
    assert.equal(stored.statusCode, 200)
  })

  test('a part is counted before it is read, and ended when it stalls', async () => {
    const listening = await anInstance(db.database, { writeLimitFactor: 1 / 6_000 })
    await listening.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = listening.app.server.address() as AddressInfo
    const uploader = await aWorker(db.database)
    const token = await listening.signIn(uploader)
    const { id } = await begin(await aPhoto(), token)
    const sockets: Socket[] = []
    /** Sends a part without its end. */
    function stall(authorization: string) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
      sockets.push(socket)
      let response = ''
      socket.on('data', (bytes) => (response += String(bytes)))
      socket.write(
        `PATCH /api/uploads/${id}?offset=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/octet-stream\r\nContent-Length: 9000\r\n\r\nhalf`,
      )
      return { socket, status: () => response.split(' ')[1] }
    }
    // An interval ends stalled uploads.
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      const stranger = stall('Bearer nothing')
      await eventually(() => stranger.status() === '401')

      const { socket } = stall(token)
      await eventually(async () => {
        const key = `PATCH /uploads/:id ${uploader.id}`
        return (await db.database.pool.query('select from rate_limits where key = $1', [key])).rowCount === 1
      })
      const refused = stall(token)
      await eventually(() => refused.status() === '429')
      await eventually(() => {
        mock.timers.tick(5_000)
        return socket.readableEnded || socket.destroyed
      })
    } finally {
      mock.timers.reset()
      for (const socket of sockets) socket.destroy()
      await listening.close()
    }
  })

  test('finishing again returns the same response, and the parts are deleted', async () => {
    const file = await aPhoto()
    const { id } = await begin(file)
    await appendAll(id, file)
    const [one, two] = await Promise.all([finish(id), finish(id)])
    assert.deepEqual(two, one)
    assert.deepEqual(await finish(id), one)
    const begun = await begin(file)
    assert.deepEqual([begun.id, begun.received], [id, file.length])
    const parts = await db.database.pool.query('select from upload_parts where upload_id = $1', [id])
    assert.equal(parts.rowCount, 0)
  })

  test('a decoder ignores the signals that stop the server, and a picture whose decoder is killed is kept', async () => {
    // The next picture starts a decoder of this instance.
    const own = await anInstance(db.database)
    // The types do not have it.
    const prototype = ChildProcess.prototype as ChildProcess & { spawn(options: object): number }
    const spawn = mock.method(prototype, 'spawn')
    async function uploaded() {
      const file = await aPhoto()
      const { id } = await begin(file)
      await appendAll(id, file)
      return async () => (await finish(id, authorization, own)).status
    }
    try {
      const [first, second, third] = [await uploaded(), await uploaded(), await uploaded()]
      assert.equal(await first(), 200)
      const decoder = spawn.mock.calls[0]?.this as ChildProcess
      const send = decoder.send.bind(decoder)
      let signal: NodeJS.Signals = 'SIGTERM'
      decoder.send = (file: Buffer) => send(file) && process.kill(Number(decoder.pid), signal)
      assert.equal(await second(), 200)
      signal = 'SIGKILL'
      assert.equal(await third(), 503)
      assert.equal(await third(), 200)
    } finally {
      spawn.mock.restore()
      await own.close()
    }
  })

  test('the same part at the same time is stored once', async () => {
    const file = await aPhoto()
    const { id } = await begin(file)
    const sent = await Promise.all(Array.from({ length: 5 }, () => append(id, 0, partAt(file, 0))))
    assert.deepEqual(
      sent.filter(({ status }) => status !== 409).map(({ status }) => status),
      [200],
    )
    assert.equal((await begin(file)).received, UPLOAD_PART_BYTES)
  })

  test('hostile offsets and parts are refused', async () => {
    const file = await aPhoto()
    const { id } = await begin(file)
    assert.equal((await append(id, UPLOAD_PART_BYTES, partAt(file, 0))).status, 409)
    for (const offset of ['-1', '1e9', '0x10', '', '123456789', 'NaN'])
      assert.equal((await append(id, offset, partAt(file, 0))).status, 422, offset)
    assert.equal((await append(id, 0, Buffer.alloc(0))).status, 400)
    assert.equal((await append(id, 0, Buffer.alloc(UPLOAD_PART_BYTES + 1))).status, 413)
    assert.equal((await append(randomUUID(), 0, partAt(file, 0))).status, 404)
    assert.equal((await append('nothing', 0, partAt(file, 0))).status, 404)
    assert.equal((await finish(id)).status, 409)
    await appendAll(id, file)
    assert.equal((await append(id, file.length, Buffer.from('more'))).status, 409)
    const form = await instance.app.inject({
      method: 'PATCH',
      url: `/api/uploads/${id}?offset=0`,
      payload: { part: 1 },
      headers: { authorization },
    })
    assert.equal(form.statusCode, 415)
  })

  test('sizes beyond the limits are refused', async () => {
    const sha256 = 'a'.repeat(64)
    for (const size of [0, -1, 1.5, 10 * 1024 * 1024 + 1]) {
      const { statusCode } = await instance.app.inject({
        method: 'POST',
        url: '/api/uploads',
        payload: { size, sha256 },
        headers: { authorization },
      })
      assert.equal(statusCode, 422, String(size))
    }
  })

  test("another user's upload does not exist", async () => {
    const file = await aPhoto()
    const { id } = await begin(file)
    await appendAll(id, file)
    assert.equal((await append(id, 0, partAt(file, 0), another)).status, 404)
    assert.equal((await finish(id, another)).status, 404)
    const theirs = await begin(file, another)
    assert.notEqual(theirs.id, id)
    assert.equal(theirs.received, 0)
    assert.equal((await begin(file, '')).status, 401)
  })

  test('a file that is no picture, or not the one announced, is refused and deleted', async () => {
    const file = Buffer.from('not a picture')
    const { id } = await begin(file)
    await appendAll(id, file)
    assert.equal((await finish(id)).status, 422)
    assert.equal((await finish(id)).status, 404)

    const announced = await begin(await aPhoto())
    const other = randomBytes(announced.size)
    await appendAll(announced.id, other)
    assert.equal((await finish(announced.id)).status, 422)
    assert.equal((await finish(announced.id)).status, 404)
  })

  test('one unfinished upload too many replaces the oldest', async () => {
    const as = await instance.signIn(await aWorker(db.database))
    const files = Array.from({ length: UPLOADS_MAX + 1 }, () => randomBytes(100))
    const ids: string[] = []
    for (const file of files) ids.push((await begin(file, as)).id)
    assert.equal((await finish(ids[0] ?? '', as)).status, 404)
    assert.equal((await finish(ids[1] ?? '', as)).status, 409)
  })

  test('beginning a complete upload again does not extend its life', async () => {
    const file = await aPhoto()
    const { id } = await begin(file)
    await appendAll(id, file)
    assert.equal((await finish(id)).status, 200)
    await db.owner.query("update uploads set created_at = created_at - interval '25 hours' where id = $1", [
      id,
    ])
    assert.equal((await begin(file)).id, id)
    await purgeUploads(db.database)
    assert.equal((await finish(id)).status, 404)
  })

  test('uploads expire after a day', async () => {
    const file = await aPhoto()
    const { id } = await begin(file)
    await append(id, 0, partAt(file, 0))
    assert.equal(await purgeUploads(db.database), 0)
    await db.database.pool.query(
      "update uploads set created_at = created_at - interval '25 hours' where id = $1",
      [id],
    )
    assert.equal(await purgeUploads(db.database), 1)
    assert.equal((await begin(file)).received, 0)
  })
})
