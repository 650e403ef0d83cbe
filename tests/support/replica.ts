import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Embedded, startEmbedded } from '#server/database/embedded/launcher.ts'
import { copyPreparedData, prepareData } from './prepared-data.ts'

export type ReplicatedDatabase = {
  primary: Embedded
  replica: Embedded
  /** Runs SQL on the replica as its superuser, for example `pg_wal_replay_pause()`. */
  onReplica(sql: string): Promise<void>
  stop(): Promise<void>
}

/** Starts an empty, migrated database and a streaming replica of it, from the embedded PostgreSQL. */
export async function aReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-replica-'))
  // Under root the database server has another user.
  await chmod(folder, 0o711)
  const [dataDir, copyDir] = [join(folder, 'primary'), join(folder, 'replica')]

  copyPreparedData(dataDir)
  if (!existsSync(dataDir)) await prepareData(dataDir)
  await appendFile(
    join(dataDir, 'postgres', 'postgresql.auto.conf'),
    `fsync = off\nshared_buffers = '32MB'\n`,
  )
  const { primary, replica } = await startWithReplica(dataDir, copyDir)

  return {
    primary,
    replica,
    async onReplica(sql) {
      const client = new pg.Client({ connectionString: replica.connectionString })
      await client.connect()
      try {
        await client.query(sql)
      } finally {
        await client.end()
      }
    },
    async stop() {
      await replica.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const start = (dataDir: string) => startEmbedded({ dataDir, log: () => {} })

/** Starts the embedded database of a data folder, which is stopped, and a streaming replica of it in a new folder. */
export async function startWithReplica(
  dataDir: string,
  copyDir: string,
): Promise<{ primary: Embedded; replica: Embedded }> {
  const { status, stderr } = spawnSync('cp', ['-a', dataDir, copyDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The database could not be copied: ${stderr}`)
  const primary = await start(dataDir)
  const { searchParams, username } = new URL(primary.connectionString)
  const source = `host=${searchParams.get('host')} port=5432 user=${username}`
  await appendFile(join(copyDir, 'postgres', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await writeFile(join(copyDir, 'postgres', 'standby.signal'), '')
  return { primary, replica: await start(copyDir) }
}
