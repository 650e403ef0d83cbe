/** A picture is sent in full up to this size; the server keeps no more than 1280 pixels of it anyway. */
const SMALL_BYTES = 1024 * 1024
const SIDE_MAX = 2000

/**
 * A large photo made smaller before it is sent, so that a phone on a slow network sends little; anything that the
 * browser cannot read goes as it is, and the server decides.
 */
export async function resizeImage(file: File): Promise<File> {
  if (file.size <= SMALL_BYTES || file.type === 'image/gif') return file
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    // WebP keeps what is transparent; a browser that cannot write it writes PNG.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.85))
    return blob !== null && blob.size < file.size ? new File([blob], file.name, { type: blob.type }) : file
  } catch {
    return file
  }
}
