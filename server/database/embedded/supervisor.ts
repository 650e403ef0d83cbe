import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase, hasDatabase } from './connection.ts'
import { ensureCluster } from './initdb.ts'
import { lockDirectory } from './lock.ts'
import { removeStalePid, runningServer } from './postmaster-pid.ts'
import { startTimeOf } from './process-identity.ts'
import { type Cluster, StartFailure, startServer } from './server.ts'

/** A running server. `exited` resolves when it has ended or was released. `stop` stops a server that we own. */
export type RunningServer = { pid: number; exited: Promise<void>; stop: () => Promise<void> }

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000

/**
 * Starts the server of a cluster, or joins it while another process owns it. Only the owner stops the server.
 * @throws Error with a message for the operator.
 */
export async function superviseServer(cluster: Cluster, log: (line: string) => void): Promise<RunningServer> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const lock = lockDirectory(path.dirname(cluster.clusterDir))
    if ('release' in lock) return startOwned(cluster, lock.release, log)
    const joined = await join(cluster)
    if (joined !== null) return joined
    if (Date.now() > deadline) {
      throw new Error(
        `Process ${lock.heldBy} uses the database in ${cluster.clusterDir}, but the database does not accept connections. ` +
          'Stop that process, or choose another DATA_DIR.',
      )
    }
    await sleep(50)
  }
}

async function startOwned(
  cluster: Cluster,
  release: () => void,
  log: (line: string) => void,
): Promise<RunningServer> {
  let child: ChildProcess
  try {
    const orphan = runningServer(cluster.clusterDir)
    if (orphan !== null) await endServer(orphan)
    if (!existsSync(path.join(cluster.clusterDir, 'PG_VERSION')))
      log(`Creating the database in ${cluster.clusterDir}.`)
    await ensureCluster(cluster.clusterDir, cluster.binaries, cluster.owner)
    removeStalePid(cluster.clusterDir, cluster.socketDir)
    child = await startWithRetry(cluster)
  } catch (error) {
    release()
    throw error
  }
  const server = owned(child, release)
  try {
    await ensureDatabase(cluster.socketDir)
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Retries while the processes of a killed server still shut down. */
async function startWithRetry(cluster: Cluster): Promise<ChildProcess> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    try {
      return await startServer(cluster)
    } catch (error) {
      if (!(error instanceof StartFailure && error.transient && Date.now() < deadline)) throw error
      await sleep(100)
    }
  }
}

function owned(child: ChildProcess, release: () => void): RunningServer {
  const pid = child.pid as number
  // Without pdeathsig: a process that exits without stopping its server kills it.
  const killServer = () => child.kill('SIGQUIT')
  process.once('exit', killServer)
  const exited = new Promise<void>((resolve) => {
    const onExit = () => {
      process.off('exit', killServer)
      release()
      resolve()
    }
    if (child.exitCode !== null || child.signalCode !== null) onExit()
    else child.once('exit', onExit)
  })
  return {
    pid,
    exited,
    stop: async () => {
      await endServer(pid)
      await exited
    },
  }
}

/** Joins the server of another process. Checks twice: it may be shutting down together with its owner. */
async function join({ clusterDir, socketDir }: Cluster): Promise<RunningServer | null> {
  const pid = runningServer(clusterDir)
  if (pid === null || !(await hasDatabase(socketDir))) return null
  await sleep(150)
  if (runningServer(clusterDir) !== pid || !(await hasDatabase(socketDir))) return null

  const released = new AbortController()
  return { pid, exited: ended(pid, released.signal), stop: async () => released.abort() }
}

/** Stops a server in order, and by force when a signal's timeout has passed. */
async function endServer(pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', STOP_TIMEOUT_MS],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const timeout = AbortSignal.timeout(timeoutMs)
    await ended(pid, timeout)
    if (!timeout.aborted) return
  }
}

async function ended(pid: number, giveUp: AbortSignal): Promise<void> {
  const start = startTimeOf(pid)
  while (!giveUp.aborted && start !== null && startTimeOf(pid) === start) {
    await sleep(process.platform === 'linux' ? 40 : 200)
  }
}
