import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import pg from 'pg'
import type { Database } from '#server/database/database.ts'
import type { FunctionSet } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { SERVER_ROLE } from '#server/database/server-role.ts'
import { openPooled, PATIENT, useDatabase } from './database.ts'

export const MIGRATIONS = join(import.meta.dirname, '..', '..', 'server', 'database', 'migrations')

export type OlderDatabase = {
  url: string
  owner: pg.Pool
  /** An instance of the version before, in the server's role. */
  older: Database
}

/**
 * Databases of the version before the migration `first`, with its functions. Call it inside `describe`. `folder` has the migrations of
 * that version, inside tests.
 */
export function useOlderDatabases(first: string, functions: () => FunctionSet) {
  const db = useDatabase()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-older-'))
    for (const name of await readdir(MIGRATIONS))
      if (name < first) await cp(join(MIGRATIONS, name), join(folder, name))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  return {
    get folder() {
      return folder
    },
    /** Makes one for as long as `work` takes. */
    async inAnOlderDatabase(work: (database: OlderDatabase) => Promise<void>): Promise<void> {
      const name = `older_${randomUUID().replaceAll('-', '')}`
      await db.owner.query(`create database ${name}`)
      const address = new URL(db.url)
      address.pathname = `/${name}`
      const url = address.href
      const owner = new pg.Pool({ connectionString: url, ...PATIENT })
      owner.on('error', () => {})
      const set = functions()
      let older: Database | undefined
      try {
        await migrate(owner, folder, set)
        await owner.query(`
          grant usage on schema ${set.schema} to ${SERVER_ROLE};
          grant usage on all sequences in schema public to ${SERVER_ROLE};
          grant select, insert, update, delete on all tables in schema public to ${SERVER_ROLE};
          revoke update, delete on ledger_transfers from ${SERVER_ROLE}`)
        older = openPooled(url, {}, 8, set)
        await work({ url, owner, older })
      } finally {
        await older?.close()
        await owner.end()
        await db.owner.query(`drop database ${name} with (force)`)
      }
    },
  }
}
