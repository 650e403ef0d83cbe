import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase } from '#server/database/database.ts'
import { connectionString } from '#server/database/embedded/connection.ts'
import { ownerOf } from '#server/database/embedded/owner.ts'
import { socketDirectory } from '#server/database/embedded/socket.ts'
import { LONG_TIMEOUTS } from './database.ts'
import { signalProcess } from './processes.ts'
import type { ServerProcess } from './server-process.ts'

/** Runs work on the embedded database of a running server, as its owner. */
export async function inEmbedded<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const cluster = join(dataDir, 'postgres')
  const url = connectionString(socketDirectory(cluster, ownerOf(cluster)))
  const database = openDatabase({ connectionString: url, ...LONG_TIMEOUTS }, { max: 1, prepare: true })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Returns the ids of all tasks. */
export const storedTasks = (dataDir: string) =>
  inEmbedded(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ id: string }>('select id from tasks')
    return new Set(rows.map(({ id }) => id))
  })

/** Kills the server and its database, which cannot end in order, and deletes their data. Either may have ended before. */
export async function destroy({ process: server, dataDir }: ServerProcess): Promise<void> {
  const pid = await databasePid(dataDir)
  const hasEnded = server.exitCode !== null || server.signalCode !== null
  const ended = hasEnded ? undefined : once(server, 'exit')
  server.kill('SIGKILL')
  if (pid !== undefined) signalProcess(pid, 'SIGKILL')
  await ended
  await rm(dataDir, { recursive: true, maxRetries: 10 })
}

/** Returns the process id of the embedded database, or undefined if it was stopped. */
async function databasePid(dataDir: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
