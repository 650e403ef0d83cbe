import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { listBases, makeBaseBackup } from '#server/backup/base-backup.ts'
import { recover } from '#server/backup/recover.ts'
import { rehearseRecovery, requireBalancedBooks } from '#server/backup/rehearse-recovery.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { chooseArchive } from '#server/database/embedded/wal-archive.ts'
import { migrate } from '#server/database/migrate.ts'
import { keepFilesPrivate } from '#server/private-files.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import { destroy, inEmbedded, storedTasks } from '#tests/support/embedded-server.ts'
import { CEILING_MS, eventually, jitter } from '#tests/support/eventually.ts'
import { giveCoins, taskBody } from '#tests/support/factories.ts'
import { type HttpUser, httpSignUp } from '#tests/support/http-client.ts'
import { childEnvironment, startServerProcess } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BUYERS = 4
const COINS = 1_000_000
/** The load before the time that is waited for. */
const FIRST_TASKS = 10

describe('the archive of the embedded database', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-wal-'))
    // Under root the database server has another user.
    await chmod(folder, 0o711)
  })
  after(() => rm(folder, { recursive: true, force: true }))
  const inFolder = (name: string) => join(folder, name)

  function run(script: string, args: readonly string[], env: Record<string, string>) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`server/backup/${script}`, ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...childEnvironment(), ...env },
      timeout: CEILING_MS,
    })
    return { code: status, output: `${stdout}${stderr}` }
  }

  async function addTask(buyer: HttpUser): Promise<string> {
    const { status, body } = await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 1 }))
    assert.equal(status, 200)
    return (body as { insertedId: string }).insertedId
  }

  /** PostgreSQL compares times in microseconds. */
  async function nextMillisecond(): Promise<Date> {
    const now = Date.now()
    await eventually(() => Date.now() > now)
    return new Date()
  }

  test('brings back what was acknowledged before the end of the archive, or before a time; a scheduled backup proves the next archive, and finds a gap', async () => {
    const archive = inFolder('archive')
    const env = { WAL_ARCHIVE: archive, DEMO: '0' }
    const server = await startServerProcess({ dataDir: inFolder('data'), env })
    await eventually(async () => (await listBases(archive)).length === 1)
    const buyers = await Promise.all(
      Array.from({ length: BUYERS }, (_, index) => httpSignUp(server.url, 'Buyer', `b${index}@example.com`)),
    )
    const [buyer] = buyers
    assert.ok(buyer)
    await inEmbedded(server.dataDir, async (database) => {
      const { rows } = await database.pool.query<{ account_id: number }>('select account_id from users')
      for (const { account_id } of rows) await giveCoins(database, account_id, COINS)
    })
    const early = await addTask(buyer)
    const time = await nextMillisecond()
    await nextMillisecond()

    const acknowledged: string[] = []
    let isOver = false
    const load = buyers.map(async (one) => {
      // Requests fail when the server is killed, and may on a busy machine.
      while (!isOver) {
        const id = await addTask(one).catch(() => undefined)
        if (id !== undefined) acknowledged.push(id)
        // The archive is to end among writes, which need not keep the machine busy until it does.
        await jitter(1000)
      }
    })
    const loads = Promise.allSettled(load)
    await eventually(() => acknowledged.length >= FIRST_TASKS)
    const before = [...acknowledged]
    const file = await inEmbedded(server.dataDir, async ({ pool }) => {
      const { rows } = await pool.query('select pg_walfile_name(pg_current_wal_lsn()) as name')
      return `${rows[0].name}.gz`
    })
    // Nobody switches to another segment: this waits for the archive's own timeout.
    await eventually(() => existsSync(join(archive, 'wal', file)))
    const readMetrics = async () => (await fetch(`${server.url}/metrics`)).text()
    const metrics = await readMetrics()
    assert.match(metrics, /^wal_archive_failing 0$/m)
    assert.match(metrics, /^wal_archive_age_seconds \d/m)
    // As when the first attempt hangs.
    await inEmbedded(server.dataDir, ({ pool }) => pool.query(`select pg_stat_reset_shared('archiver')`))
    assert.match(await readMetrics(), /^wal_archive_age_seconds \d/m)
    isOver = true
    // A folder that has lost its database only keeps what it says of the archive.
    await mkdir(inFolder('earlier'))
    await copyFile(join(server.dataDir, 'wal-archive'), join(inFolder('earlier'), 'wal-archive'))
    await destroy(server)
    await loads

    const whole = run('recover-command.ts', [archive], { DATA_DIR: inFolder('whole') })
    assert.equal(whole.code, 0, whole.output)
    assert.match(whole.output, /The books balance\. The last transaction is of 2/)
    const recoverInto = (dataDir: string, until?: Date) => {
      keepFilesPrivate(dataDir)
      return recover({ archive, dataDir, until }, requireBalancedBooks, () => {})
    }
    await recoverInto(inFolder('earlier'), time)
    assert.throws(() => chooseArchive(inFolder('earlier'), archive), /Set WAL_ARCHIVE to a new folder/)
    const future = run('recover-command.ts', [archive, '2999-01-01T00:00:00Z'], {
      DATA_DIR: inFolder('future'),
    })
    assert.equal(future.code, 1)
    assert.match(future.output, /^The recovery failed: .+ before configured recovery target was reached/m)
    assert.equal(existsSync(join(inFolder('future'), 'postgres')), false)
    await assert.rejects(recoverInto(inFolder('whole')), /exists\. Recover into a new DATA_DIR/)

    const recovered = await startServerProcess({
      dataDir: inFolder('whole'),
      env: { DEMO: '0', WAL_ARCHIVE: inFolder('next') },
    })
    try {
      const stored = await storedTasks(recovered.dataDir)
      const lost = [early, ...before].filter((id) => !stored.has(id))
      assert.deepEqual(lost, [])
      await expectProof(recovered.dataDir, inFolder('next'))
    } finally {
      await recovered.stop()
    }
    const past = await startEmbedded({ dataDir: inFolder('earlier'), log: () => {} })
    try {
      assert.deepEqual([...(await storedTasks(inFolder('earlier')))], [early])
    } finally {
      await past.stop()
    }
  })

  test('of a database without writers is proven, with one base backup at a time; its newest file of WAL may be damaged', async () => {
    const [dataDir, archive] = [inFolder('idle'), inFolder('idle-archive')]
    keepFilesPrivate(dataDir)
    chooseArchive(dataDir, archive)
    const server = await startEmbedded({ dataDir, log: () => {} })
    const pool = new pg.Pool({ connectionString: server.connectionString, ...LONG_TIMEOUTS })
    // The server ends connections that are still closing.
    pool.on('error', () => {})
    try {
      await migrate(pool)
      const unfinished = join(archive, 'base', '2020-01-01T000000Z.partial')
      await mkdir(unfinished)
      const other = await pool.connect()
      try {
        await other.query('select pg_advisory_lock(7461014)')
        await assert.rejects(makeBaseBackup(pool, dataDir), /Another base backup is running/)
        assert.ok(existsSync(unfinished))
        await other.query('select pg_advisory_unlock(7461014)')
      } finally {
        other.release()
      }
      await makeBaseBackup(pool, dataDir)
      assert.equal(existsSync(unfinished), false)
      // Nothing else writes WAL from here on.
      await pool.query('alter system set autovacuum = off')
      await pool.query('select pg_reload_conf()')
      await pool.query('vacuum analyze')
      await pool.query('select pg_switch_wal()')
      await rehearseRecovery(pool, archive, dataDir)
      await pool.query('create table written_after_the_base ()')
    } finally {
      await pool.end()
      // What was written is archived at the end.
      await server.stop()
    }
    const wal = join(archive, 'wal')
    const newest = (await readdir(wal))
      .filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
      .toSorted()
      .at(-1)
    await writeFile(join(wal, String(newest)), 'damaged')
    const gaps: (string | undefined)[] = []
    keepFilesPrivate(inFolder('idle-recovered'))
    await recover(
      { archive, dataDir: inFolder('idle-recovered'), until: undefined },
      async (_, gap) => void gaps.push(gap),
      () => {},
    )
    assert.match(String(gaps), /^The archive has a gap: /)
  })

  /** Backs up a running server as on a schedule, which recovers its archive, and again when the archive has a gap. */
  async function expectProof(dataDir: string, archive: string): Promise<void> {
    await eventually(async () => (await listBases(archive)).length === 1)
    const env = { WAL_ARCHIVE: archive, DATA_DIR: dataDir }
    await mkdir(join(dataDir, 'rehearsal-killed', 'postgres'), { recursive: true })
    const made = run('backup-command.ts', ['scheduled', inFolder('backups')], env)
    assert.equal(made.code, 0, made.output)
    assert.match(made.output, /The base backup .+ can be recovered with the archived WAL: the books balance/)
    assert.equal((await listBases(archive)).length, 1)

    const wal = join(archive, 'wal')
    const file = await inEmbedded(dataDir, async ({ pool }) => {
      await pool.query('create table written_into_the_gap ()')
      const { rows } = await pool.query('select pg_walfile_name(pg_switch_wal() - 1) as name')
      return `${rows[0].name}.gz`
    })
    await eventually(() => existsSync(join(wal, file)))
    for (const name of await readdir(wal)) await rm(join(wal, name), { force: true })
    await assert.rejects(
      inEmbedded(dataDir, async ({ pool }) => {
        await pool.query('create table written_after_the_gap ()')
        await rehearseRecovery(pool, archive, dataDir)
      }),
      /The archive has a gap: /,
    )
    assert.deepEqual(
      (await readdir(dataDir)).filter((name) => name.startsWith('rehearsal')),
      [],
    )
  }
})
