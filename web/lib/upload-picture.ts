import { useState } from 'react'
import type { uploadImage } from '#contract/images.ts'
import type { Reply } from '#web/lib/api.ts'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'

/** The types of pictures that can be uploaded, for a file input (`server/images/decoder.ts`). */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

const load = () => import('./upload-in-parts.ts')

/**
 * Uploads a picture, resized first where it is large. A connection that breaks does not start it over. Throws ApiError
 * when the picture is refused, or when nothing arrives for minutes, or for `failuresMax` attempts more than the first. Until it is
 * stored, the browser asks before the page is left.
 */
export async function uploadPicture(file: File, failuresMax?: number): Promise<Reply<typeof uploadImage>> {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  try {
    const { resizeAndUpload } = await loadChunkWithRetry(load)
    return await resizeAndUpload(file, failuresMax)
  } finally {
    removeEventListener('beforeunload', ask)
  }
}

/**
 * Returns `upload`, which uploads a picture of a form, and whether that happens now. Until it has ended, the form is not
 * submitted: the picture would be missing.
 */
export function usePictureUpload() {
  const [inFlight, setInFlight] = useState(0)
  const upload: typeof uploadPicture = async (file) => {
    setInFlight((count) => count + 1)
    try {
      return await uploadPicture(file)
    } finally {
      setInFlight((count) => count - 1)
    }
  }
  return { upload, isUploading: inFlight > 0 }
}
