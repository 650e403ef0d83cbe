import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase, serves } from './connection.ts'
import { ensureCluster } from './initdb.ts'
import { lockDirectory } from './lock.ts'
import { removeStalePid, runningServer } from './postmaster-pid.ts'
import { startOf } from './process-identity.ts'
import { type Place, StartFailure, startServer } from './server.ts'

/** A server that answers. `gone` resolves when it has ended, by itself or because `end` let go of it. */
export type Held = { pid: number; gone: Promise<void>; end: () => Promise<void> }

const QUERY_TIMEOUT_MS = 60_000
const STOP_MS = 30_000

/**
 * Gets hold of the server of a cluster: as its owner, who starts and stops it, or, while another living program owns
 * it, as a guest.
 * @throws Error with a sentence for the operator.
 */
export async function superviseServer(place: Place, log: (line: string) => void): Promise<Held> {
  const deadline = Date.now() + QUERY_TIMEOUT_MS
  for (;;) {
    const lock = lockDirectory(path.dirname(place.clusterDir))
    if ('release' in lock) return own(place, lock.release, log)
    const held = await visit(place)
    if (held !== null) return held
    if (Date.now() > deadline) {
      throw new Error(
        `Process ${lock.heldBy} uses the database in ${place.clusterDir}, but the database does not answer. ` +
          'Stop that process, or choose another DATA_DIR.',
      )
    }
    await sleep(50)
  }
}

async function own(place: Place, release: () => void, log: (line: string) => void): Promise<Held> {
  let child: ChildProcess
  try {
    const orphan = runningServer(place.clusterDir)
    if (orphan !== null) await endServer(orphan)
    if (!existsSync(path.join(place.clusterDir, 'PG_VERSION')))
      log(`Creating the database in ${place.clusterDir}.`)
    await ensureCluster(place.clusterDir, place.binaries, place.owner)
    removeStalePid(place.clusterDir, place.socketDir)
    child = await startPatiently(place)
  } catch (error) {
    release()
    throw error
  }
  const held = owned(child, release)
  try {
    await ensureDatabase(place.socketDir)
    return held
  } catch (error) {
    await held.end()
    throw error
  }
}

/** The processes of a server that was killed outlive it for a moment, and PostgreSQL waits for no one. */
async function startPatiently(place: Place): Promise<ChildProcess> {
  for (const deadline = Date.now() + QUERY_TIMEOUT_MS; ; ) {
    try {
      return await startServer(place)
    } catch (error) {
      if (!(error instanceof StartFailure && error.transient && Date.now() < deadline)) throw error
      await sleep(100)
    }
  }
}

function owned(child: ChildProcess, release: () => void): Held {
  const pid = child.pid as number
  // Where the kernel does not do it: a program that ends without stopping its server takes it along.
  const takeAlong = () => child.kill('SIGQUIT')
  process.once('exit', takeAlong)
  const gone = new Promise<void>((resolve) => {
    const left = () => {
      process.off('exit', takeAlong)
      release()
      resolve()
    }
    if (child.exitCode !== null || child.signalCode !== null) left()
    else child.once('exit', left)
  })
  return {
    pid,
    gone,
    end: async () => {
      await endServer(pid)
      await gone
    },
  }
}

/** A server that answers may be on its way out together with the program that started it, so it is asked twice. */
async function visit({ clusterDir, socketDir }: Place): Promise<Held | null> {
  const pid = runningServer(clusterDir)
  if (pid === null || !(await serves(socketDir))) return null
  await sleep(150)
  if (runningServer(clusterDir) !== pid || !(await serves(socketDir))) return null

  const leave = new AbortController()
  return { pid, gone: ended(pid, leave.signal), end: async () => leave.abort() }
}

/** Orderly: connections are closed, everything is written down. Past the patience, at once. */
async function endServer(pid: number): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', STOP_MS],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const enough = AbortSignal.timeout(patience)
    await ended(pid, enough)
    if (!enough.aborted) return
  }
}

async function ended(pid: number, enough: AbortSignal): Promise<void> {
  const start = startOf(pid)
  while (!enough.aborted && start !== null && startOf(pid) === start) {
    await sleep(process.platform === 'linux' ? 40 : 200)
  }
}
