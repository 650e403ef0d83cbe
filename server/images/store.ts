import { LARGE_PICTURE_PX, SMALL_PICTURE_PX } from '#contract/picture-sizes.ts'

/** The URLs of a stored picture. */
export type ImageUrls = { url: string; thumbUrl: string }

/** Stores pictures as files named `<hash>-<size>.webp`. */
export type ImageStore = {
  /** Stores the files of a picture and returns the public URLs of the large and the small one. */
  put(hash: string, sizes: { size: number; bytes: Buffer }[]): Promise<ImageUrls>
  /** Returns a file that this server serves itself, or undefined if there is none or it has a public URL elsewhere. */
  get(name: string): Promise<Buffer | undefined>
  /** Deletes the files of a picture. Missing files are not an error. */
  remove(hash: string): Promise<void>
}

/** Returns the URLs of a picture's files below a base URL. */
export function imageUrls(base: string, hash: string): ImageUrls {
  return {
    url: `${base}/${fileName(hash, LARGE_PICTURE_PX)}`,
    thumbUrl: `${base}/${fileName(hash, SMALL_PICTURE_PX)}`,
  }
}

/** The name of a file of a picture. */
export const PICTURE_FILE = /^[0-9a-f]{40}-\d{2,4}\.webp$/

export function fileName(hash: string, size: number): string {
  return `${hash}-${size}.webp`
}
