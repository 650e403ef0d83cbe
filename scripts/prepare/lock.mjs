import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot } from './root.mjs'

const BEAT_MS = 1000
const DEAD_MS = 10_000

/**
 * Runs a step under a lock of this clone and waits while another process holds it. The holder touches the
 * lock every second; a lock that nobody has touched for ten belongs to a process that was killed.
 */
export async function inTurn(run) {
  // Not in build or node_modules, which are emptied on the way.
  const lock = inRoot('.prepare', 'lock')
  mkdirSync(inRoot('.prepare'), { recursive: true })
  for (let notified = false; !taken(lock); notified = true) {
    if (!notified) console.log('Waiting for another start or test of this clone to finish its preparations …')
    removeDead(lock)
    await sleep(100)
  }
  const beat = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(lock, now, now)
    } catch {
      // Somebody emptied the folder; nothing is left to keep alive.
    }
  }, BEAT_MS)
  const release = () => rmSync(lock, { force: true })
  const leave = () => {
    release()
    process.exit(130)
  }
  process.once('SIGINT', leave).once('SIGTERM', leave)
  try {
    return await run()
  } finally {
    clearInterval(beat)
    process.off('SIGINT', leave).off('SIGTERM', leave)
    release()
  }
}

function taken(lock) {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function removeDead(lock) {
  if (!isDead(lock)) return
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    if (!isDead(aside)) renameSync(aside, lock) // it changed hands between our look and our move
    rmSync(aside, { force: true })
  } catch {
    // Somebody else was faster.
  }
}

function isDead(lock) {
  const found = statSync(lock, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > DEAD_MS
}
