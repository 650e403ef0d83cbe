/*
 * Parts of the program that are fetched when they are needed. The network may be away then, or a newer version may
 * stand on the server, where the part has another name.
 */

type Load<T> = () => Promise<T>

/** Styles that did not load since the page began. */
const failedStyles = new Set<HTMLLinkElement>()
if (typeof window !== 'undefined') {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  }
  addEventListener('error', note, true)
}

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** The parts that did not come when they were last asked for. */
const failedParts = new WeakSet<Load<unknown>>()

/**
 * Fetches a part; `load` is always the same function for the same part. For one that did not come before, the styles
 * that failed are fetched again first: the bundler asks for each of them only once.
 */
export async function loadChunk<T>(load: Load<T>): Promise<T> {
  try {
    if (failedParts.has(load)) await Promise.all([...failedStyles].map(fetchStyles))
    const part = await load()
    failedParts.delete(load)
    return part
  } catch (error) {
    failedParts.add(load)
    throw error
  }
}

/** The same for a part that nobody waits for: tries until it is there, at once when the network comes back. */
export async function loadChunkWithRetry<T>(load: Load<T>): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await loadChunk(load)
    } catch {
      await onlineOrAfter(waitMs)
    }
  }
}

function fetchStyles(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement
    again.onload = () => resolve()
    again.onerror = () => reject(new Error(`The styles ${link.href} did not load`))
    failedStyles.delete(link)
    link.after(again)
  })
}

function onlineOrAfter(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    addEventListener('online', go)
  })
}
