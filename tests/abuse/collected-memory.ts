import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Memory of the server after a garbage collection, in MB: in use in its heap and its buffers, and resident. */
export type CollectedMemory = { heap: number; buffers: number; resident: number }

/** Makes the server collect its garbage (memory-probe.ts), and returns its memory. */
export async function collectedMemory(pid: number, file: string): Promise<CollectedMemory> {
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    const written = await readFile(file, 'utf8').catch(() => undefined)
    if (written !== undefined) {
      const { heapUsed, external, rss } = JSON.parse(written) as NodeJS.MemoryUsage
      return { heap: megabytes(heapUsed), buffers: megabytes(external), resident: megabytes(rss) }
    }
    await sleep(50)
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
