import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '#server/http/concurrency-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Sheet } from './sheet.ts'

/** Of processor time: a busy machine does not make a file too large. */
const TIME_MAX_MS = 20_000
/**
 * A thread that has not finished after this time does not wait for a processor only. Shorter than the server keeps a silent
 * connection (server/app.ts), so that the user sees the error.
 */
const WAIT_MAX_MS = 120_000
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
    worker ??= await startWorker()
    const current = worker
    const ended = new AbortController()
    try {
      const reply = once(current, 'message', { signal: ended.signal }) as Promise<[Reply]>
      current.postMessage(sheet)
      const [file] = await Promise.race([reply, refuseTooLong(current, ended.signal)])
      if ('error' in file) throw new Error(file.error)
      return Buffer.from(file.file)
    } catch (error) {
      worker = undefined
      await current.terminate()
      if (isOutOfMemory(error)) throw new Refusal('unavailable.documents')
      throw error
    } finally {
      ended.abort()
    }
  })
}

type Reply = { file: Uint8Array } | { error: string }

/** Starts the thread. It does not keep the process running. */
async function startWorker(): Promise<Worker> {
  const started = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  })
  await once(started, 'online')
  started.unref()
  return started
}

/** @throws Refusal `unavailable` when the thread has computed for too long since the call, or does not finish. */
async function refuseTooLong(current: Worker, signal: AbortSignal): Promise<never> {
  const deadline = Date.now() + WAIT_MAX_MS
  const before = await current.cpuUsage()
  for await (const _ of setInterval(1_000, undefined, { signal })) {
    const { user, system } = await current.cpuUsage(before)
    if (user + system > TIME_MAX_MS * 1_000 || Date.now() > deadline) break
  }
  throw new Refusal('unavailable.documents')
}

const isOutOfMemory = (error: unknown) => (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
