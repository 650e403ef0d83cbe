import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startTimeOf } from './process-identity.ts'

/**
 * Locks a data directory. Only the holder creates, starts and stops the database server there. The lock file names its
 * holder by process id and start time, so that the lock of a killed process is stale.
 *
 * Two processes that find a stale lock at the same instant could both take it; PostgreSQL's own lock then refuses the
 * second server.
 *
 * Returns the process id of the running holder, or a function that releases the lock.
 */
export function lockDirectory(dataDir: string): { heldBy: number } | { release: () => void } {
  const file = path.join(dataDir, 'postgres.lock')
  const own = `${process.pid} ${startTimeOf(process.pid)}\n`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, own)
  try {
    for (;;) {
      if (linked(draft, file)) return { release: () => release(file, own) }
      const holder = holderOf(file)
      if (holder !== null) return { heldBy: holder }
      removeStale(file)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Creates the file atomically with its content: a link appears whole or not at all. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function holderOf(file: string): number | null {
  const [pid, start] = read(file).trim().split(' ')
  const number = Number(pid)
  return Number.isInteger(number) && number > 0 && startTimeOf(number) === start ? number : null
}

function removeStale(file: string): void {
  const aside = `${file}.stale-${process.pid}`
  try {
    renameSync(file, aside)
  } catch {
    return // another process was faster
  }
  if (holderOf(aside) !== null) linked(aside, file) // it was taken between our check and our rename
  rmSync(aside, { force: true })
}

function release(file: string, own: string): void {
  if (read(file) === own) rmSync(file, { force: true })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
