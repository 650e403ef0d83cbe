import { uploadImage } from '#contract/images.ts'
import { appendToUpload, beginUpload, finishUpload, UPLOAD_PART_BYTES } from '#contract/uploads.ts'
import { ApiError, call, type Reply, sendBytes, uploadFile } from '#web/lib/api.ts'
import { onlineOrAfter } from '#web/lib/online-or-after.ts'
import { resizeImage } from '#web/lib/resize-image.ts'

/** A part that has not arrived after this time is given up: a phone may not notice that its connection is lost. */
const PART_TIMEOUT_MS = 60_000
const RETRY_MS = 1_000
const RETRY_MS_MAX = 30_000
/** With the delays above, some six minutes. */
const FAILURES_MAX = 15

type Upload = Reply<typeof beginUpload>

/**
 * Resizes a picture and uploads it: a small one in one request, any other in parts. After a failure the upload continues with
 * the part that the server expects (docs/decisions/0092-uploads-in-parts.md).
 */
export async function resizeAndUpload(
  original: File,
  failuresMax = FAILURES_MAX,
): Promise<Reply<typeof uploadImage>> {
  const file = await resizeImage(original)
  const sha256 = file.size > UPLOAD_PART_BYTES ? await hashOf(file) : null
  if (sha256 === null) return withRetry(failuresMax, () => uploadFile(uploadImage, {}, 'image', file))
  const begin = () => call(beginUpload, { body: { size: file.size, sha256 } })
  return withRetry(failuresMax, async (progress) => {
    let upload: Upload = await begin()
    while (upload.received < upload.size) {
      upload = await appendPart(upload, file)
      progress()
    }
    return call(finishUpload, { params: { id: upload.id } })
  })
}

function appendPart({ id, received }: Upload, file: File): Promise<Upload> {
  const part = file.slice(received, received + UPLOAD_PART_BYTES)
  const input = { params: { id }, query: { offset: received } }
  return sendBytes(appendToUpload, input, part, AbortSignal.timeout(PART_TIMEOUT_MS))
}

/** Runs `work` again after each failure that a retry can repair, until too many of them follow one another. */
async function withRetry<Result>(
  failuresMax: number,
  work: (progress: () => void) => Promise<Result>,
): Promise<Result> {
  let failures = 0
  const progress = () => {
    failures = 0
  }
  for (;;) {
    try {
      return await work(progress)
    } catch (error) {
      if (!isRetryablePart(error) || ++failures > failuresMax) throw error
      await onlineOrAfter(Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MS_MAX))
    }
  }
}

/** No response, an error of the server, a part out of order, or an upload that has expired. */
function isRetryablePart(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status >= 500 || error.code === 'state_conflict' || error.status === 404
}

/** Returns the hash of a file, or null where the browser computes none: on pages without TLS. */
async function hashOf(file: File): Promise<string | null> {
  if (globalThis.crypto.subtle === undefined) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
