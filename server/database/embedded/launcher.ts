import { mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { connectionString, serverConnectionString } from './connection.ts'
import { ownerOf } from './owner.ts'
import type { Cluster } from './server.ts'
import { socketDirectory } from './socket.ts'
import { superviseServer } from './supervisor.ts'
import { archiveOf, archiveSettings } from './wal-archive.ts'

type Options = {
  /** Contains the cluster (`postgres`), its log and its lock. */
  dataDir: string
  /** Receives messages for the operator about slow steps and repaired failures. */
  log: (line: string) => void
  /** Called when the server crashed and could not be restarted. */
  onLost?: (reason: Error) => void
}

export type Embedded = {
  /** The `postgresql://` URL of the owner. */
  connectionString: string
  /** The URL of the running server, whose role owns nothing. */
  serverConnectionString: string
  /** The process id of the running server; changes after a crash. */
  readonly pid: number
  /** Stops the server in order, unless another process started it. */
  stop(): Promise<void>
}

const FAILURES_MAX = 8
const STABLE_MS = 60_000

/**
 * Starts PostgreSQL on the cluster of a data directory, creating the cluster if needed, and restarts the server after a
 * crash. If another process already runs that server, connects to it instead.
 * @throws Error with a message for the operator.
 */
export async function startEmbedded({ dataDir, log, onLost }: Options): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true })
  const cluster = clusterIn(realpathSync(dataDir))
  let server = await superviseServer(cluster, log)

  let stopping = false
  async function watch(): Promise<void> {
    for (let failures = 0; ; failures++) {
      const since = Date.now()
      await server.exited
      if (stopping) return
      if (Date.now() - since > STABLE_MS) failures = 0
      log('The database server stopped unexpectedly and is being restarted.')
      for (;;) {
        await sleep(Math.min(25 * 2 ** failures, 5000))
        if (stopping) return
        try {
          server = await superviseServer(cluster, log)
          break
        } catch (error) {
          log((error as Error).message)
          if (++failures >= FAILURES_MAX)
            throw new Error('The database server crashed and cannot be restarted.')
        }
      }
      if (stopping) return server.stop()
      log('The database server is running again.')
    }
  }
  const watching = watch().catch((error: Error) => onLost?.(error))

  return {
    connectionString: connectionString(cluster.socketDir),
    serverConnectionString: serverConnectionString(cluster.socketDir),
    get pid() {
      return server.pid
    },
    async stop() {
      stopping = true
      await server.stop()
      await watching
    },
  }
}

function clusterIn(dataDir: string): Cluster {
  const clusterDir = path.join(dataDir, 'postgres')
  const owner = ownerOf(clusterDir)
  const archive = archiveOf(dataDir)
  return {
    clusterDir,
    socketDir: socketDirectory(clusterDir, owner),
    logFile: path.join(dataDir, 'postgres.log'),
    owner,
    binaries: findBinaries(owner),
    settings: archive === null ? {} : archiveSettings(archive),
  }
}
