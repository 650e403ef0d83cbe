import { onlineOrAfter } from '#web/lib/online-or-after.ts'

/*
 * Loading of code chunks on demand. It fails when the network is down, or after a deployment that renamed the chunk.
 */

type Load<T> = () => Promise<T>

/** Stylesheets that failed to load. */
const failedStylesheets = new Set<HTMLLinkElement>()
if (typeof window !== 'undefined') {
  const recordFailure = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStylesheets.add(target)
  }
  addEventListener('error', recordFailure, true)
}

const RETRY_MS = 2_000
const RETRY_MS_MAX = 60_000

/** Chunks whose last load failed. */
const failedLoads = new WeakSet<Load<unknown>>()

/**
 * Loads a chunk; `load` must be the same function for the same chunk. A retry first reloads failed stylesheets, because
 * the bundler requests each of them only once.
 */
export async function loadChunk<T>(load: Load<T>): Promise<T> {
  try {
    if (failedLoads.has(load)) await Promise.all([...failedStylesheets].map(reloadStylesheet))
    const module = await load()
    failedLoads.delete(load)
    return module
  } catch (error) {
    failedLoads.add(load)
    throw error
  }
}

/** As `loadChunk`, but retries with exponential backoff, and at once when the network is back, until it succeeds. */
export async function loadChunkWithRetry<T>(load: Load<T>): Promise<T> {
  for (let waitMs = RETRY_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
    try {
      return await loadChunk(load)
    } catch {
      await onlineOrAfter(waitMs)
    }
  }
}

function reloadStylesheet(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = link.cloneNode() as HTMLLinkElement
    copy.onload = () => resolve()
    copy.onerror = () => reject(new Error(`The stylesheet ${link.href} did not load`))
    failedStylesheets.delete(link)
    link.after(copy)
  })
}
