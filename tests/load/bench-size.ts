import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import type { Operation } from './operation.ts'
import { decisionsFor, operationsOf } from './operations.ts'
import { signedIn } from './people.ts'
import { productionEnv, type Running, start } from './server.ts'
import { folderFor, freshWorld, warm } from './world/build.ts'

/** One size of the marketplace: its database, its operations, and the server while it is measured. */
export type BenchSize = {
  tasks: number
  url: string
  database: Database
  operations: Operation[]
  emailFolder: string
  readonly databasePid: number
  /** Starts the server unless it runs, and waits until nothing but requests needs the machine. */
  startServer(): Promise<Running>
  stopServer(): Promise<void>
  close(): Promise<void>
}

type Options = { tasks: number; folder: string | undefined; seconds: number; port: number }

/** Opens a fresh copy of the data of a size. */
export async function openSize(
  { tasks, folder, seconds, port }: Options,
  log: (line: string) => void,
): Promise<BenchSize> {
  const dataDir = folder ?? folderFor(tasks)
  const serverDir = join(dataDir, 'server')
  const embedded = await startEmbedded({ dataDir, log })
  let server: Running | undefined
  const stopServer = async () => {
    await server?.stop()
    server = undefined
  }
  try {
    log(`A world of ${tasks.toLocaleString('en')} tasks:`)
    const { url, shape } = await freshWorld(embedded.connectionString, tasks, decisionsFor(seconds), log)
    await spreadRecords(url)
    const env = productionEnv(url, serverDir, port)
    const startServer = async () => {
      if (server !== undefined) return server
      server = await start(['server/main.ts'], port, env)
      await warm(url)
      return server
    }
    // The server installs its functions, and makes the keys that sign the callers' tokens.
    await startServer()
    const database = openDatabase({ connectionString: url }, { max: 2, prepare: true })
    const people = await signedIn(database, readConfig(env), shape, 6)
    return {
      tasks,
      url,
      database,
      operations: operationsOf(shape, people, seconds),
      emailFolder: join(serverDir, 'mail'),
      get databasePid() {
        return embedded.pid
      },
      startServer,
      stopServer,
      async close() {
        await stopServer()
        await database.close()
        await embedded.stop()
      },
    }
  } catch (error) {
    await stopServer()
    await embedded.stop()
    throw error
  }
}

/** Renews the records of buyers at times spread over a day, as the server does. Those of a kept world are all as old as it is. */
async function spreadRecords(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update buyer_records set updated_at = now() - random() * interval '1 day'`)
  await client.end()
}
