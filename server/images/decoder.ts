import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { PICTURE_SIZES } from '#contract/picture-sizes.ts'
import type { Picture } from './picture.ts'

/**
 * The decoder process: receives files, returns them re-encoded in the stored sizes, and undefined for a file that is no
 * accepted picture. Started by `createPictureDecoders` with an empty environment.
 */

const QUALITY = 80
/** Pictures that need more CPU time are refused; waiting for a CPU does not count. */
const PROCESSOR_MS_MAX = 10_000
const WATCH_MS = 250

/**
 * Megapixels that are decoded at most, by format. Header and file can be tiny, so the pixels bound the cost: each maximum
 * takes a few hundred milliseconds of processor time in the worst case measured (noise; docs/security.md).
 */
const MEGAPIXELS_MAX: Record<string, number> = { jpeg: 25, png: 24, webp: 12, gif: 12, heif: 8 }
/** Progressive JPEG and interlaced PNG cost about twice as much. */
const PROGRESSIVE_FACTOR = 0.5

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

const INPUT = { limitInputPixels: 25_000_000, failOn: 'error', animated: false } as const

// libvips throws an Error for broken and for rejected files; both mean an invalid picture.
process.on('message', (file: Buffer) => {
  const begun = process.cpuUsage()
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(begun)
    if (user + system > PROCESSOR_MS_MAX * 1000) process.exit(1)
  }, WATCH_MS)
  decode(file)
    .then(
      (decoded) => process.send?.({ decoded }),
      () => process.send?.({}),
    )
    .finally(() => clearInterval(watch))
})
process.on('disconnect', () => process.exit())
// Ctrl-C and some supervisors signal all processes of the server, which serves on and ends its decoders itself.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
process.send?.({})

async function decode(file: Buffer): Promise<Picture | undefined> {
  const { format, compression, width, height, isProgressive } = await sharp(file, INPUT).metadata()
  const megapixels = (MEGAPIXELS_MAX[format] ?? 0) * (isProgressive ? PROGRESSIVE_FACTOR : 1)
  if (width * height > megapixels * 1_000_000) return undefined
  if (format === 'heif' && compression !== 'av1') return undefined

  const [largest] = PICTURE_SIZES
  const { data, info } = await toWebp(sharp(file, INPUT).autoOrient(), largest)
  const sizes = [{ size: largest as number, bytes: data }]
  for (const size of PICTURE_SIZES.slice(1))
    sizes.push({ size, bytes: (await toWebp(sharp(data), size)).data })
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 40)
  return { hash, width: info.width, height: info.height, sizes }
}

function toWebp(picture: Sharp, size: number) {
  return picture
    .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true })
}
