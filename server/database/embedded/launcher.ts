import { mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { connectionString } from './connection.ts'
import { ownerOf } from './owner.ts'
import type { Place } from './server.ts'
import { socketDirectory } from './socket.ts'
import { superviseServer } from './supervisor.ts'

type Options = {
  /** The cluster lies in `<dataDir>/postgres`, beside its log and its lock. */
  dataDir: string
  /** Takes sentences for people: what takes long, what went wrong and was mended. */
  log: (line: string) => void
  /** Called when the server crashed and could not be brought back. */
  onLost?: (reason: Error) => void
}

export type Embedded = {
  /** For `pg` and everything that takes a `postgresql://` address. */
  connectionString: string
  /** The process number of the server that runs now; another one after a crash. */
  readonly pid: number
  /** Stops the server, orderly; a server that another living program started is left to it. */
  stop(): Promise<void>
}

const FAILURES_MAX = 8
const CALM_MS = 60_000

/**
 * Starts PostgreSQL on the cluster in a data folder, which it creates when there is none, and keeps it running: a
 * server that crashes is started again. While another living program runs it, that server is used.
 * @throws Error with a sentence for the operator.
 */
export async function startEmbedded({ dataDir, log, onLost }: Options): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true })
  const place = placeIn(realpathSync(dataDir))
  let held = await superviseServer(place, log)

  let stopping = false
  async function watch(): Promise<void> {
    for (let failures = 0; ; failures++) {
      const since = Date.now()
      await held.gone
      if (stopping) return
      if (Date.now() - since > CALM_MS) failures = 0
      log('The database has stopped unexpectedly and is being started again.')
      for (;;) {
        await sleep(Math.min(25 * 2 ** failures, 5000))
        if (stopping) return
        try {
          held = await superviseServer(place, log)
          break
        } catch (error) {
          log((error as Error).message)
          if (++failures >= FAILURES_MAX) throw new Error('The database crashed and cannot be started again.')
        }
      }
      if (stopping) return held.end()
      log('The database is running again.')
    }
  }
  const watching = watch().catch((error: Error) => onLost?.(error))

  return {
    connectionString: connectionString(place.socketDir),
    get pid() {
      return held.pid
    },
    async stop() {
      stopping = true
      await held.end()
      await watching
    },
  }
}

function placeIn(dataDir: string): Place {
  const clusterDir = path.join(dataDir, 'postgres')
  const owner = ownerOf(clusterDir)
  return {
    clusterDir,
    socketDir: socketDirectory(clusterDir, owner),
    logFile: path.join(dataDir, 'postgres.log'),
    owner,
    binaries: findBinaries(owner),
  }
}
