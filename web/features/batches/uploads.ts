import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { BATCH_CHUNK_BYTES, type Batch, batch, batches, checkBatch, uploadChunk } from '#contract/batches.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { onlineOrAfter } from '#web/lib/online-or-after.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { uploadFiles } from './upload-file-store.ts'

/** An upload of this tab. It continues while other screens of the dashboard are open. */
export type Upload = {
  sent: number
  total: number
  /** Without a network, or while the server is busy, it waits and continues. */
  isWaiting: boolean
  /** Why it stopped. */
  failure: string | null
}

const RETRY_MS = [1_000, 2_000, 5_000, 10_000]
const uploads = new Map<string, Upload>()
const subscribers = new Set<() => void>()

function put(id: string, upload: Upload | null): void {
  if (upload === null) uploads.delete(id)
  else uploads.set(id, upload)
  for (const notify of subscribers) notify()
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  return () => subscribers.delete(notify)
}

/** Returns the upload of a batch in this tab, kept up to date. */
export function useBatchUpload(batchId: string): Upload | undefined {
  return useSyncExternalStore(subscribe, () => uploads.get(batchId))
}

/** Uploads the rest of a file from the bytes that the server has, then starts its check. One at a time per batch. */
export function startUpload(
  queryClient: QueryClient,
  { _id: id, bytes }: Pick<Batch, '_id' | 'bytes'>,
  file: Blob,
): void {
  const current = uploads.get(id)
  if (current !== undefined && current.failure === null) return
  void run(queryClient, id, bytes, file)
}

/** Forgets an upload that failed or whose batch was cancelled. Its running request ends automatically. */
export function endUpload(id: string): void {
  put(id, null)
  void uploadFiles.delete(id)
}

async function run(queryClient: QueryClient, id: string, from: number, file: Blob): Promise<void> {
  const progress = { sent: from, total: file.size, isWaiting: false, failure: null }
  put(id, progress)
  try {
    for (
      let number = Math.floor(from / BATCH_CHUNK_BYTES);
      number * BATCH_CHUNK_BYTES < file.size;
      number++
    ) {
      const start = number * BATCH_CHUNK_BYTES
      const content = await toBase64(file.slice(start, start + BATCH_CHUNK_BYTES))
      const params = { id, number: String(number) }
      const { bytes } = await withRetry(id, () => call(uploadChunk, { params, body: { content } }))
      // Cancelled meanwhile.
      if (!uploads.has(id)) return
      put(id, { ...progress, sent: bytes })
    }
    const checked = await withRetry(id, () =>
      call(checkBatch, { params: { id }, body: { bytes: file.size } }),
    )
    queryClient.setQueryData(queryKeyOf(batch, { params: { id } }), checked)
    endUpload(id)
  } catch (error) {
    if (uploads.has(id))
      put(id, { ...(uploads.get(id) ?? progress), isWaiting: false, failure: errorMessage(error) })
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(batch, { params: { id } }) })
  }
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(batches) })
}

/** Repeats a request until a response arrives that is final. */
async function withRetry<Result>(id: string, send: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      const upload = uploads.get(id)
      if (!isRetryableChunk(error) || upload === undefined) throw error
      put(id, { ...upload, isWaiting: true })
      await onlineOrAfter(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0)
    }
  }
}

/** No response, a limit, or a server that is busy or restarts. Retries have no end, so an error 500 stops the upload. */
const isRetryableChunk = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502)

async function toBase64(chunk: Blob): Promise<string> {
  const bytes = new Uint8Array(await chunk.arrayBuffer())
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += 8_192) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 8_192)))
  }
  return btoa(parts.join(''))
}
