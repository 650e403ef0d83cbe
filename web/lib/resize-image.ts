/** Smaller files are uploaded unchanged. The server scales images to the same side. */
const RESIZE_ABOVE_BYTES = 200 * 1024
const SIDE_MAX_PX = 1280

/**
 * Returns a smaller version of a large photo, to save upload time on slow networks. Returns the file unchanged when the
 * browser cannot decode it; the server then validates it.
 */
export async function resizeImage(file: File): Promise<File> {
  if (file.size <= RESIZE_ABOVE_BYTES || file.type === 'image/gif') return file
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, SIDE_MAX_PX / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    // WebP keeps transparency; a browser that cannot encode it falls back to PNG.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.85))
    return blob !== null && blob.size < file.size ? new File([blob], file.name, { type: blob.type }) : file
  } catch {
    return file
  }
}
