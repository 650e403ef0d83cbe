import type { FastifyInstance } from 'fastify'

const FLUSH_MS = 5_000
/** The values that an instance buffers between two writes; more are not recorded. */
const BUFFERED_MAX = 10_000

/** Values in memory by key, until they are written. */
export type WriteBuffer<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  /** Writes at once. */
  flush(): Promise<void>
}

/**
 * Creates a buffer that is written every five seconds and when the server stops, so that no request waits for it. Values
 * that cannot be written are lost and logged as `name`: use it for statistics only.
 */
export function createWriteBuffer<Value>(
  app: FastifyInstance,
  name: string,
  write: (values: Value[]) => Promise<unknown>,
): WriteBuffer<Value> {
  let buffered = new Map<string, Value>()

  async function flush(): Promise<void> {
    if (buffered.size === 0) return
    const batch = buffered
    buffered = new Map()
    await write([...batch.values()])
  }
  const flushOrLog = () => flush().catch((err: unknown) => app.log.warn({ err }, `${name} were not recorded`))

  const timer = setInterval(() => void flushOrLog(), FLUSH_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flushOrLog()
  })
  return {
    get: (key) => buffered.get(key),
    set(key, value) {
      if (buffered.has(key) || buffered.size < BUFFERED_MAX) buffered.set(key, value)
    },
    flush,
  }
}
