import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { resizeImage } from './resize-image.ts'

const MEGABYTE = 1024 * 1024

/** The browser's decoder and encoder, which a DOM without a browser lacks. */
let photo: { width: number; height: number } | null
let encoded: Blob | null
/** Whether the encoder encodes JPEG and PNG only, as in Safari. */
let hasNoWebp: boolean
let drawn: { width: number; height: number; type: string | undefined } | null
let decodings: number
const canvas = HTMLCanvasElement.prototype

describe('resizing photos before an upload', () => {
  beforeEach(() => {
    photo = { width: 4000, height: 3000 }
    encoded = new Blob(['small'], { type: 'image/webp' })
    hasNoWebp = false
    drawn = null
    decodings = 0
    globalThis.createImageBitmap = async () => {
      decodings++
      if (photo === null) throw new DOMException('The source image could not be decoded.')
      return { ...photo, close() {} }
    }
    canvas.toBlob = function toBlob(resolve, type) {
      drawn = { width: this.width, height: this.height, type }
      if (!hasNoWebp) return resolve(encoded)
      const used = type === 'image/jpeg' ? type : 'image/png'
      resolve(new Blob([used], { type: used }))
    }
  })
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'createImageBitmap')
    Reflect.deleteProperty(canvas, 'toBlob')
  })

  function aFile(bytes: number, type = 'image/jpeg'): File {
    return new File([new Uint8Array(bytes)], 'photo.jpg', { type })
  }

  test('a large photo is sent as WebP of at most 1280 pixels, under its name', async () => {
    const sent = await resizeImage(aFile(3 * MEGABYTE))
    assert.deepEqual(drawn, { width: 1280, height: 960, type: 'image/webp' })
    assert.deepEqual([sent.name, sent.type, await sent.text()], ['photo.jpg', 'image/webp', 'small'])
  })

  test('where the browser encodes no WebP, a JPEG stays one, and a PNG keeps its transparency', async () => {
    hasNoWebp = true
    const sent = await resizeImage(aFile(3 * MEGABYTE))
    assert.deepEqual([sent.type, await sent.text()], ['image/jpeg', 'image/jpeg'])
    const transparent = await resizeImage(aFile(3 * MEGABYTE, 'image/png'))
    assert.deepEqual([transparent.type, await transparent.text()], ['image/png', 'image/png'])
  })

  test('the longer side counts, and no side vanishes', async () => {
    photo = { width: 3000, height: 4000 }
    await resizeImage(aFile(3 * MEGABYTE))
    assert.deepEqual([drawn?.width, drawn?.height], [960, 1280])
    photo = { width: 20_000, height: 2 }
    await resizeImage(aFile(3 * MEGABYTE))
    assert.deepEqual([drawn?.width, drawn?.height], [1280, 1])
  })

  test('a picture of few pixels is not enlarged', async () => {
    photo = { width: 800, height: 600 }
    await resizeImage(aFile(3 * MEGABYTE))
    assert.deepEqual([drawn?.width, drawn?.height], [800, 600])
  })

  test('small files and GIFs, which may move, are not decoded', async () => {
    for (const file of [aFile(MEGABYTE / 8), aFile(3 * MEGABYTE, 'image/gif')]) {
      assert.equal(await resizeImage(file), file)
    }
    assert.equal(decodings, 0)
  })

  test('a file that cannot be decoded, cannot be encoded or does not shrink is sent as it is', async () => {
    const file = aFile(2 * MEGABYTE)
    encoded = null
    assert.equal(await resizeImage(file), file)
    encoded = new Blob([new Uint8Array(2 * MEGABYTE)], { type: 'image/png' })
    assert.equal(await resizeImage(file), file)
    photo = null
    assert.equal(await resizeImage(file), file)
    assert.equal(decodings, 3)
  })
})
