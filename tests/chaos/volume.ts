import { execFileSync } from 'node:child_process'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A small file system of its own, which can be full to the last byte. */
export type Volume = {
  /** Takes every byte there is, and from then on every byte that is given back. */
  fill(): Promise<void>
  free(): Promise<void>
  remove(): Promise<void>
}

const PIECES = [1024 * 1024, 4096]

/** Mounts a volume of this many megabytes in this folder. Returns undefined without the permission: it needs root on Linux. */
export async function aVolume(folder: string, megabytes: number): Promise<Volume | undefined> {
  await mkdir(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tallywork-chaos', folder], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  const ballast = join(folder, 'ballast')
  let file: FileHandle | undefined
  let keeping: Promise<void> | undefined
  let isKept = false
  const take = async (from: FileHandle) => {
    for (const piece of PIECES) while (await takes(from, piece));
  }
  return {
    async fill() {
      const opened = await open(ballast, 'w')
      file = opened
      isKept = true
      await take(opened)
      keeping = (async () => {
        for (; isKept; await sleep(20)) await take(opened)
      })()
    },
    async free() {
      isKept = false
      await keeping
      await file?.close()
      await rm(ballast, { force: true })
    },
    async remove() {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
    },
  }
}

/** Whether this many bytes still fitted. */
async function takes(file: FileHandle, bytes: number): Promise<boolean> {
  try {
    const { bytesWritten } = await file.write(Buffer.alloc(bytes, 1))
    return bytesWritten === bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
