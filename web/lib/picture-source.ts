import { FOREIGN_PICTURE_PATH } from '#contract/images.ts'
import { LARGE_PICTURE_PX, PICTURE_SIZES } from '#contract/picture-sizes.ts'

const LARGE_FILE = new RegExp(`(/[0-9a-f]{40})-${LARGE_PICTURE_PX}\\.webp$`)

/**
 * Returns where the browser loads a picture from that is shown as a square of `size` CSS pixels: of a picture of this
 * site, the smallest stored size that is sharp at two pixels per CSS pixel.
 */
export function thumbnailSource(url: string, size: number): string {
  const stored = PICTURE_SIZES.findLast((pixels) => pixels >= 2 * size)
  if (stored === undefined || !LARGE_FILE.test(url)) return pictureSource(url)
  // The server knows whether it is in the bucket of this site, where it has the same sizes.
  if (isForeign(url)) return pictureSource(url, stored)
  return url.replace(LARGE_FILE, `$1-${stored}.webp`)
}

/**
 * Returns where the browser loads a picture from. Browsers load pictures from this site only; it fetches those of other
 * sites (docs/decisions/0028-foreign-pictures.md). `size` is the stored size that is wanted where there is a choice.
 */
export function pictureSource(url: string, size?: number): string {
  if (!isForeign(url)) return url
  return `${FOREIGN_PICTURE_PATH}?url=${encodeURIComponent(url)}${size === undefined ? '' : `&size=${size}`}`
}

function isForeign(url: string): boolean {
  const parsed = URL.parse(url, location.origin)
  return parsed !== null && parsed.origin !== location.origin && /^https?:$/.test(parsed.protocol)
}
