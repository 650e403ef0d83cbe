import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { createConcurrencyLimit } from '#server/http/concurrency-limit.ts'
import { Refusal } from '#server/http/refusal.ts'

/** The longest side of each stored size, in pixels, largest first. */
export const SIZES = [1280, 400, 96] as const
const QUALITY = 80
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'heif'])

/** Bounds the memory of decoding: a picture whose header claims more pixels is not decoded. */
const PIXELS_MAX = 64_000_000
const SECONDS_MAX = 15

// Only the decoders of accepted formats are enabled, whatever type a file claims.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
})
sharp.concurrency(1)
sharp.cache(false)

const limitDecoding = createConcurrencyLimit({ running: 2, waiting: 16, refusal: 'unavailable.uploads' })

/** A picture as it is stored: WebP files without metadata, named by the hash of the largest. */
export type Picture = {
  hash: string
  width: number
  height: number
  sizes: { size: number; bytes: Buffer }[]
}

/**
 * Decodes an uploaded file and re-encodes it in the stored sizes: upright, first frame only, without metadata. The type
 * is detected from the content, not from the name.
 * @throws Refusal `invalid_image` for a file that is not an accepted picture; `unavailable` when too many requests wait.
 */
export function readPicture(file: Buffer): Promise<Picture> {
  return limitDecoding(async () => {
    try {
      const { format, compression } = await sharp(file, INPUT).metadata()
      if (!FORMATS.has(format) || (format === 'heif' && compression !== 'av1')) throw invalidImage()
      return await encode(file)
    } catch (error) {
      // libvips throws an Error for broken and for rejected files; both mean an invalid picture.
      throw error instanceof Refusal ? error : invalidImage()
    }
  })
}

const INPUT = { limitInputPixels: PIXELS_MAX, failOn: 'error', animated: false } as const

async function encode(file: Buffer): Promise<Picture> {
  const [largest] = SIZES
  const decoded = sharp(file, INPUT).timeout({ seconds: SECONDS_MAX }).autoOrient()
  const { data, info } = await toWebp(decoded, largest)
  const sizes = [{ size: largest as number, bytes: data }]
  for (const size of SIZES.slice(1)) sizes.push({ size, bytes: (await toWebp(sharp(data), size)).data })
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 40)
  return { hash, width: info.width, height: info.height, sizes }
}

function toWebp(picture: Sharp, size: number) {
  return picture
    .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true })
}

export function invalidImage(): Refusal {
  return new Refusal('invalid_image', { field: 'image' })
}
