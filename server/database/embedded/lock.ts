import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startOf } from './process-identity.ts'

/**
 * One program at a time owns a data folder: it alone creates, starts and stops the database there. The lock is a
 * file that names its holder by process number and start time, so a lock left by a killed program is nobody's.
 *
 * Two programs that find such a lock in the same instant could both take it; PostgreSQL's own lock then refuses the
 * second server, so nothing is ever written by two.
 *
 * @returns the process number of the living holder, or a function that gives the lock back.
 */
export function lockDirectory(dataDir: string): { heldBy: number } | { release: () => void } {
  const file = path.join(dataDir, 'postgres.lock')
  const mine = `${process.pid} ${startOf(process.pid)}\n`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, mine)
  try {
    for (;;) {
      if (linked(draft, file)) return { release: () => release(file, mine) }
      const holder = holderOf(file)
      if (holder !== null) return { heldBy: holder }
      removeStale(file)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A link appears whole or not at all, which a file that is created and then written does not. */
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
  return Number.isInteger(number) && number > 0 && startOf(number) === start ? number : null
}

function removeStale(file: string): void {
  const aside = `${file}.stale-${process.pid}`
  try {
    renameSync(file, aside)
  } catch {
    return // someone else was faster
  }
  if (holderOf(aside) !== null) linked(aside, file) // it was taken between our look and our move
  rmSync(aside, { force: true })
}

function release(file: string, mine: string): void {
  if (read(file) === mine) rmSync(file, { force: true })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
