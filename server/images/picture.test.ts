import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { eventually } from '#tests/support/eventually.ts'
import { createPictureDecoders } from './picture.ts'

const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length

describe('picture decoders', () => {
  test('a picture that is not decoded in time may be sent again, and its process is killed', async () => {
    const decoders = createPictureDecoders({ decodeMs: 1 })
    const raw = { width: 2000, height: 2000, channels: 3 } as const
    const bytes = await sharp(randomBytes(12_000_000), { raw }).png({ compressionLevel: 1 }).toBuffer()
    await assert.rejects(decoders.read(bytes), { code: 'unavailable' })
    await eventually(() => processes() === 0)
    decoders.close()
  })

  test('without a process for it, a picture is unavailable', async () => {
    const decoders = createPictureDecoders()
    const { execPath } = process
    process.execPath = '/no-such-file'
    try {
      await assert.rejects(decoders.read(Buffer.alloc(1)), { code: 'unavailable' })
    } finally {
      process.execPath = execPath
    }
    decoders.close()
  })

  test('pictures share few processes, which end with the server', async () => {
    const decoders = createPictureDecoders()
    const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#3a7' } })
      .png()
      .toBuffer()
    const pictures = await Promise.all(Array.from({ length: 8 }, () => decoders.read(bytes)))
    assert.equal(new Set(pictures.map(({ hash }) => hash)).size, 1)
    assert.ok(processes() <= 2)
    decoders.close()
    await eventually(() => processes() === 0)
  })
})
