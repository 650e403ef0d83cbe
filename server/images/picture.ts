import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { createConcurrencyLimit } from '#server/http/concurrency-limit.ts'
import { Refusal } from '#server/http/refusal.ts'

/** A picture as it is stored: WebP files without metadata, named by the hash of the largest. */
export type Picture = {
  hash: string
  width: number
  height: number
  sizes: { size: number; bytes: Buffer }[]
}

const RUNNING_MAX = 2
const WAITING_MAX = 16
/**
 * A decoder that takes longer is killed. Its processor time is limited to ten seconds (decoder.ts), and the largest accepted picture
 * takes less than one, but a process of low priority may wait for a processor.
 */
const DECODE_MS = 60_000
const START_MS = 60_000
/** A decoder process holds about 60 MB, so it ends when it has had no work for this time. */
const IDLE_MS = 60_000
/** Signals that other processes send. Those of a crash are the picture's fault. */
const SENT = new Set<NodeJS.Signals | null>(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM'])

export type PictureDecoders = {
  /**
   * Decodes an uploaded file and re-encodes it in the stored sizes: upright, first frame only, without metadata. The type
   * is detected from the content, not from the name.
   * @throws Refusal `invalid_image` for a file that is not an accepted picture or needs too much processor time; `unavailable`
   * when too many wait, no process can be started, its process is killed, or the processors are busy with other work for too long.
   */
  read(file: Buffer): Promise<Picture>
  /** Ends the decoder processes. */
  close(): void
}

/**
 * Creates the decoders of pictures: processes of their own without the server's environment and with low priority, so
 * that a hostile picture neither delays requests nor reaches secrets. They start with the first picture.
 */
export function createPictureDecoders({ decodeMs = DECODE_MS } = {}): PictureDecoders {
  const limit = createConcurrencyLimit({
    running: RUNNING_MAX,
    waiting: WAITING_MAX,
    refusal: 'unavailable.uploads',
  })
  const idle = new Map<ChildProcess, NodeJS.Timeout>()
  const processes = new Set<ChildProcess>()

  async function acquire(): Promise<ChildProcess> {
    for (const [child, timer] of idle) {
      clearTimeout(timer)
      idle.delete(child)
      if (child.connected && processes.has(child)) return child
    }
    const child = fork(join(import.meta.dirname, 'decoder.ts'), {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('error', () => child.kill('SIGKILL'))
    if (child.pid === undefined) throw new Refusal('unavailable.uploads')
    processes.add(child)
    child.once('exit', () => processes.delete(child))
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    if ((await reply(child, START_MS)) === undefined) throw new Refusal('unavailable.uploads')
    return child
  }

  function release(child: ChildProcess): void {
    const timer = setTimeout(() => {
      idle.delete(child)
      child.disconnect()
    }, IDLE_MS)
    idle.set(child, timer.unref())
  }

  return {
    read: (file) =>
      limit(async () => {
        const child = await acquire()
        try {
          child.send(file)
          const { decoded } = (await reply(child, decodeMs)) ?? {}
          if (decoded === undefined) throw invalidImage()
          return decoded
        } finally {
          if (child.connected && !child.killed) release(child)
        }
      }),
    close() {
      for (const timer of idle.values()) clearTimeout(timer)
      for (const child of processes) child.kill('SIGKILL')
    },
  }
}

/**
 * Returns the decoder's next message; undefined when the process ends.
 * @throws Refusal `unavailable` when it is killed, by this process after `ms`.
 */
async function reply(child: ChildProcess, ms: number): Promise<{ decoded?: Picture } | undefined> {
  const ended = new AbortController()
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  const stop = () => ended.abort()
  child.once('exit', stop)
  try {
    const [message] = await once(child, 'message', { signal: ended.signal })
    return message as { decoded?: Picture }
  } catch {
    if (SENT.has(child.signalCode)) throw new Refusal('unavailable.uploads')
    return undefined
  } finally {
    clearTimeout(timer)
    child.off('exit', stop)
  }
}

export function invalidImage(): Refusal {
  return new Refusal('invalid_image', { field: 'image' })
}
