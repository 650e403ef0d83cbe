import { LARGE_PICTURE_PX } from '#contract/picture-sizes.ts'

/** Smaller files are uploaded unchanged. */
const RESIZE_ABOVE_BYTES = 200 * 1024
const QUALITY = 0.85

/**
 * Returns a large photo in the largest size that the server stores, to save upload time on slow networks. Returns the file
 * unchanged when the browser cannot decode it; the server then validates it.
 */
export async function resizeImage(file: File): Promise<File> {
  if (file.size <= RESIZE_ABOVE_BYTES || file.type === 'image/gif') return file
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, LARGE_PICTURE_PX / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    const encode = (type: string) =>
      new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY))
    // WebP keeps transparency. A browser that cannot encode it, such as Safari, returns PNG, which is large for a photo.
    let blob = await encode('image/webp')
    if (blob?.type !== 'image/webp' && file.type === 'image/jpeg') blob = await encode('image/jpeg')
    return blob !== null && blob.size < file.size ? new File([blob], file.name, { type: blob.type }) : file
  } catch {
    return file
  }
}
