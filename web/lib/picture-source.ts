import { FOREIGN_PICTURE_PATH } from '#contract/images.ts'
import { LARGE_PICTURE_PX, PICTURE_SIZES } from '#contract/picture-sizes.ts'

const LARGE_FILE = new RegExp(`(/images/[0-9a-f]{40})-${LARGE_PICTURE_PX}\\.webp$`)

/**
 * Returns where the browser loads a picture from that is shown as a square of `size` CSS pixels: of a picture of this
 * site, the smallest stored size that is sharp at two pixels per CSS pixel.
 */
export function thumbnailSource(url: string, size: number): string {
  const source = pictureSource(url)
  const stored = PICTURE_SIZES.findLast((pixels) => pixels >= 2 * size)
  if (stored === undefined || URL.parse(source, location.origin)?.origin !== location.origin) return source
  return source.replace(LARGE_FILE, `$1-${stored}.webp`)
}

/**
 * Returns where the browser loads a picture from. Browsers load pictures from this site only; it fetches those of other
 * sites (docs/decisions/0028-foreign-pictures.md).
 */
export function pictureSource(url: string): string {
  const parsed = URL.parse(url, location.origin)
  if (parsed === null || parsed.origin === location.origin || !/^https?:$/.test(parsed.protocol)) return url
  return `${FOREIGN_PICTURE_PATH}?url=${encodeURIComponent(url)}`
}
