import { FOREIGN_PICTURE_PATH } from '#contract/images.ts'

/**
 * Returns where the browser loads a picture from. Browsers load pictures from this site only; it fetches those of other
 * sites (docs/decisions/0028-foreign-pictures.md).
 */
export function pictureSource(url: string): string {
  const parsed = URL.parse(url, location.origin)
  if (parsed === null || parsed.origin === location.origin || !/^https?:$/.test(parsed.protocol)) return url
  return `${FOREIGN_PICTURE_PATH}?url=${encodeURIComponent(url)}`
}
