import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '#server/http/concurrency-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Sheet } from './sheet.ts'

const TIMEOUT_MS = 20_000
const MEMORY_MAX_MB = 256

const limit = createConcurrencyLimit({ running: 1, waiting: 50, refusal: 'unavailable.documents' })
let worker: Worker | undefined

/**
 * Creates a PDF file in a thread of its own, one at a time, so that requests are served meanwhile. The thread has limits of
 * time and memory, and is replaced when it exceeds them.
 * @throws Refusal `unavailable` when too many wait, and for a file that exceeds the limits.
 */
export function createPdf(sheet: Sheet): Promise<Buffer> {
  return limit(async () => {
    worker ??= startWorker()
    const current = worker
    current.postMessage(sheet)
    try {
      const [reply] = (await once(current, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [Reply]
      if ('error' in reply) throw new Error(reply.error)
      return Buffer.from(reply.file)
    } catch (error) {
      worker = undefined
      await current.terminate()
      if (isOutOfLimits(error)) throw new Refusal('unavailable.documents')
      throw error
    }
  })
}

type Reply = { file: Uint8Array } | { error: string }

/** Starts the thread. It does not keep the process running. */
function startWorker(): Worker {
  const started = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  })
  started.unref()
  return started
}

function isOutOfLimits(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string }
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}
