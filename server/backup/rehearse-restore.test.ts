import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { PICTURE_SIZES } from '#contract/picture-sizes.ts'
import { BadConfig } from '#server/bad-config.ts'
import { fileName } from '#server/images/store.ts'
import { freshDatabase, LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aPendingSubmission, testConfig } from '#tests/support/factories.ts'
import { backup } from './backup.ts'
import { rehearseRestore } from './rehearse-restore.ts'
import { restoreTables } from './restore.ts'
import { backUpOnSchedule } from './scheduled-backup.ts'

const filesIn = (dataDir: string) => ({ ...testConfig, dataDir })

describe('the rehearsal of a restore', () => {
  const db = useDatabase()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-rehearsal-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function rehearsalDatabases(): Promise<number> {
    const { rows } = await db.owner.query(
      `select count(*)::int as count from pg_database where datname = current_database() || '_rehearsal'`,
    )
    return rows[0].count
  }

  /** Changes a balance without a transfer, past the triggers, as a fault of the disk could. */
  async function addCoins(coins: number): Promise<void> {
    const client = await db.owner.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query(
        'update ledger_accounts set balance = balance + $1 where id = (select min(account_id) from users)',
        [coins],
      )
      await client.query('commit')
    } finally {
      client.release()
    }
  }

  test('refuses a damaged backup, and leaves no database', async () => {
    await aPendingSubmission(db.database)
    const made = join(folder, 'made')
    const { tables } = await backup(db.owner, filesIn(folder), made, () => {})
    assert.ok(tables.some(({ name }) => name === 'users'))
    const [users, manifest] = [join(made, 'tables', 'users.copy.gz'), join(made, 'manifest.json')]
    const [copy, description] = [await readFile(users), await readFile(manifest, 'utf8')]
    const text = gunzipSync(copy)
    const isRefused = (restored: Promise<unknown>, message: RegExp) =>
      assert.rejects(restored, (error) => {
        assert.ok(error instanceof BadConfig, String(error))
        assert.match(error.message, message)
        return true
      })
    const isDamaged = /^The file of users is damaged: /
    // A rehearsal migrates a database of its own each time; this one stays empty.
    const empty = new pg.Pool({ connectionString: await freshDatabase(), ...LONG_TIMEOUTS })
    empty.on('error', () => {})
    try {
      for (const damaged of [
        Buffer.concat([copy, Buffer.from('x')]),
        copy.subarray(0, -20),
        copy.with(copy.length - 5, (copy.at(-5) ?? 0) ^ 1),
        gzipSync(text.subarray(0, -20)),
        gzipSync(`${text}\n`),
      ]) {
        await writeFile(users, damaged)
        await isRefused(
          restoreTables(empty, made, () => {}),
          isDamaged,
        )
      }
    } finally {
      await empty.end()
    }
    const rehearse = () => rehearseRestore(db.owner, made, () => {})
    await isRefused(rehearse(), isDamaged)
    await writeFile(users, copy)
    for (const damaged of [description.slice(0, -2), '{}', 'null']) {
      await writeFile(manifest, damaged)
      await isRefused(rehearse(), /manifest\.json is damaged or is not the manifest of a backup/)
    }
    assert.equal(await rehearsalDatabases(), 0)
  })

  test('accepts a whole backup, and deletes what a killed rehearsal left, but no database of another origin', async () => {
    await aPendingSubmission(db.database)
    const made = join(folder, 'whole')
    const logged: string[] = []
    const { time } = await backup(db.owner, filesIn(folder), made, () =>
      logged.push(new Date().toISOString()),
    )
    assert.ok(time <= (logged[0] ?? ''), 'what is paid while tables are copied was paid after the backup')
    const { rows } = await db.owner.query('select current_database() as name')
    const name = `${rows[0].name}_rehearsal`
    await db.owner.query(`create database ${name}`)
    try {
      await assert.rejects(
        rehearseRestore(db.owner, made, () => {}),
        /there is a database .+_rehearsal of another origin/,
      )
      assert.equal(await rehearsalDatabases(), 1)
      await db.owner.query(`comment on database ${name} is 'Rehearsal of a restore'`)
      await rehearseRestore(db.owner, made, () => {})
      assert.equal(await rehearsalDatabases(), 0)
    } finally {
      await db.owner.query(`drop database if exists ${name}`)
    }
  })

  test('uses a database with the encoding and the locale of the marketplace, not those of the server', async () => {
    const made = join(folder, 'encoded')
    await backup(db.owner, filesIn(folder), made, () => {})
    const name = `other_${randomUUID().replaceAll('-', '')}`
    const url = new URL(db.url)
    url.pathname = `/${name}`
    await db.owner.query(`create database ${name} template template0 locale 'C' locale_provider libc`)
    const pool = new pg.Pool({ connectionString: url.href, ...LONG_TIMEOUTS })
    // The server ends connections that are still closing when the database is dropped.
    pool.on('error', () => {})
    const locales = async () => {
      const { rows } = await pool.query<{ locale: string }>(
        `select row(encoding, datlocprovider, datcollate, datctype, datlocale)::text as locale
           from pg_database where datname in ($1::text, $1::text || '_rehearsal') order by datname`,
        [name],
      )
      return rows.map(({ locale }) => locale)
    }
    try {
      const running = rehearseRestore(pool, made, () => {})
      let found: string[] = []
      await eventually(async () => {
        found = await locales()
        return found.length === 2
      })
      await running
      assert.equal(found[1], found[0])
    } finally {
      await pool.end()
      await db.owner.query(`drop database ${name} with (force)`)
    }
  })

  test('a scheduled backup that cannot be restored is set aside and deletes only older ones of these', async () => {
    const parent = join(folder, 'scheduled')
    const others = ['2020-01-01T000000Z', '2020-01-01T120000Z', '2020-01-02T000000Z.unproven']
    for (const name of others) await mkdir(join(parent, name), { recursive: true })
    await addCoins(7)
    const changed: (string | null)[] = []
    const watcher = watch(parent, (_event, name) => changed.push(name))
    try {
      await assert.rejects(
        backUpOnSchedule(db.owner, filesIn(folder), parent, () => {}),
        /differs from the backup/,
      )
      // What the run deletes last; the changes before it have arrived then.
      await eventually(() => changed.includes(String(others[2])))
    } finally {
      watcher.close()
      await addCoins(-7)
    }
    // A run that is killed meanwhile leaves no backup that counts.
    assert.deepEqual(
      changed.filter((name) => name?.endsWith('Z')),
      [],
    )
    assert.ok(changed.some((name) => name?.endsWith('Z.unproven.partial')))
    const [older, newer, unproven = '', ...more] = (await readdir(parent)).toSorted()
    assert.deepEqual([older, newer, more], [...others.slice(0, 2), []])
    assert.match(unproven, /Z\.unproven$/)
    assert.ok(unproven > String(others[2]))
  })

  test('a scheduled backup that was restored counts, also when the base backup after it fails, and keeps the newest that was not', async () => {
    const parent = join(folder, 'proven')
    const killed = ['2020-01-01T000000Z.unproven', '2020-01-02T000000Z.unproven']
    for (const name of killed) await mkdir(join(parent, name), { recursive: true })
    await db.owner.query('delete from last_backup')
    const files = { ...filesIn(folder), walArchive: join(folder, 'archive') }
    await assert.rejects(
      backUpOnSchedule(db.owner, files, parent, () => {}),
      /The database does not archive its WAL/,
    )
    const [unproven, proven, ...more] = (await readdir(parent)).toSorted()
    assert.deepEqual([unproven, more], [killed[1], []])
    assert.match(proven ?? '', /Z$/)
    const { rows } = await db.owner.query('select rehearsed_at = finished_at as counts from last_backup')
    assert.deepEqual(rows, [{ counts: true }])
  })

  test('a scheduled backup that lacks many pictures does not count and deletes no backup, and one that lacks few does', async () => {
    const parent = join(folder, 'without-pictures')
    const older = ['2020-01-01T000000Z', '2020-01-01T120000Z']
    for (const name of older) await mkdir(join(parent, name), { recursive: true })
    const dataDir = await mkdtemp(join(folder, 'data-'))
    const pictures = join(dataDir, 'images')
    await mkdir(pictures)
    const { id } = await aBuyer(db.database)
    const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(40))
    for (const hash of hashes) {
      const url = `http://localhost/images/${fileName(hash, PICTURE_SIZES[0])}`
      await db.owner.query('insert into images (hash, url, thumb_url, uploader) values ($1, $2, $2, $3)', [
        hash,
        url,
        id,
      ])
    }
    await db.owner.query('delete from last_backup')
    const lines: string[] = []
    const run = (acceptMissing = false) =>
      backUpOnSchedule(db.owner, filesIn(dataDir), parent, (line) => lines.push(line), acceptMissing)
    const backups = async () => (await readdir(parent)).filter((name) => /Z$/.test(name)).toSorted()

    await assert.rejects(
      run(),
      (error) => error instanceof BadConfig && /Too many pictures/.test(error.message),
    )
    assert.ok(lines.includes('The files of 3 of 3 pictures are missing.'))
    assert.deepEqual(await backups(), older)
    assert.equal((await db.owner.query('select from last_backup')).rowCount, 0)
    // The second run may begin in the same second, and would have the same name.
    for (const name of await readdir(parent))
      if (name.endsWith('.unproven')) await rm(join(parent, name), { recursive: true })

    for (const hash of hashes.slice(1))
      for (const size of PICTURE_SIZES) await writeFile(join(pictures, fileName(hash, size)), 'picture')
    await run()
    assert.ok(lines.includes('The files of 1 of 3 pictures are missing.'))
    const [kept, newest, ...more] = await backups()
    assert.deepEqual([kept, more], [older[1], []])
    assert.ok(String(newest) > String(kept))

    // The operator has no other copy of these.
    const [, second = ''] = hashes
    for (const size of PICTURE_SIZES) await rm(join(pictures, fileName(second, size)))
    const runAgain = async (acceptMissing = false) => {
      // The runs may begin in the same second; each is to have a name of its own.
      for (const [at, name] of (await backups()).entries())
        await rename(join(parent, name), join(parent, `2020-01-0${at + 1}T000000Z`))
      await run(acceptMissing)
    }
    await assert.rejects(runAgain(), /Too many pictures/)
    for (const name of await readdir(parent))
      if (name.endsWith('.unproven')) await rm(join(parent, name), { recursive: true })
    await runAgain(true)
    assert.equal((await backups()).length, 3)
    await runAgain()
    assert.equal((await backups()).length, 4, 'as many may be missing from now on')
    const [, , third = ''] = hashes
    for (const size of PICTURE_SIZES) await rm(join(pictures, fileName(third, size)))
    await assert.rejects(runAgain(), /Too many pictures/)
    await db.owner.query('delete from images')
  })

  test('a scheduled backup that fails leaves nothing, and deletes what a killed run left', async () => {
    const parent = join(folder, 'failed')
    for (const name of ['2020-01-01T000000Z.partial', '2020-01-01T000000Z.unproven.partial'])
      await mkdir(join(parent, name), { recursive: true })
    // An operator makes this one meanwhile.
    await mkdir(join(parent, '2020-01-01.partial'))
    const dataDir = await mkdtemp(join(folder, 'data-'))
    await writeFile(join(dataDir, 'images'), 'a file where a folder is expected')
    await assert.rejects(
      backUpOnSchedule(db.owner, filesIn(dataDir), parent, () => {}),
      /ENOTDIR/,
    )
    assert.deepEqual(await readdir(parent), ['2020-01-01.partial'])
  })

  test('a scheduled backup is refused while another one runs, whose files it keeps', async () => {
    const parent = join(folder, 'running')
    await mkdir(join(parent, '2020-01-01T000000Z.partial'), { recursive: true })
    const other = await db.owner.connect()
    try {
      await other.query('select pg_advisory_lock(7461075)')
      await assert.rejects(
        backUpOnSchedule(db.owner, filesIn(folder), parent, () => {}),
        /Another scheduled backup is running/,
      )
    } finally {
      await other.query('select pg_advisory_unlock(7461075)')
      other.release()
    }
    assert.deepEqual(await readdir(parent), ['2020-01-01T000000Z.partial'])
  })
})
