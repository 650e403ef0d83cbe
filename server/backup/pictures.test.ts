import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { PICTURE_SIZES } from '#contract/picture-sizes.ts'
import { BadConfig } from '#server/bad-config.ts'
import { openBucket } from '#server/images/bucket.ts'
import { fileName } from '#server/images/store.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, testConfig } from '#tests/support/factories.ts'
import { startBucket } from '#tests/support/s3.ts'
import { backup } from './backup.ts'
import { copyDataFiles, copyFromBucket } from './pictures.ts'
import { restore } from './restore.ts'

const HASHES = ['a', 'b'].map((letter) => letter.repeat(40))

describe('pictures in a bucket', () => {
  const db = useDatabase()
  const other = useDatabase()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-pictures-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('are in a backup, and are restored into a bucket or a folder', async () => {
    const [from, into] = [await startBucket(), await startBucket()]
    try {
      const { id } = await aBuyer(db.database)
      const bucket = openBucket(from.settings)
      for (const hash of HASHES) {
        await db.owner.query('insert into images (hash, url, thumb_url, uploader) values ($1, $2, $2, $3)', [
          hash,
          `http://x/${fileName(hash, PICTURE_SIZES[0])}`,
          id,
        ])
        for (const size of PICTURE_SIZES)
          await bucket.write(fileName(hash, size), Buffer.from(`${hash} ${size}`))
      }
      await bucket.remove(fileName(HASHES[1] ?? '', PICTURE_SIZES[0]))
      const files = HASHES.flatMap((hash) => PICTURE_SIZES.map((size) => fileName(hash, size))).toSorted()
      const there = files.filter((name) => name !== fileName(HASHES[1] ?? '', PICTURE_SIZES[0]))

      const copy = join(folder, 'copy')
      const lines: string[] = []
      const own = { ...testConfig, dataDir: join(folder, 'own'), images: from.settings }
      const manifest = await backup(db.owner, own, copy, (line) => lines.push(line))
      assert.deepEqual(manifest.files, ['images'])
      assert.deepEqual((await readdir(join(copy, 'files', 'images'))).toSorted(), there)
      assert.deepEqual(manifest.pictures, { total: 2, missing: 1 })
      assert.ok(lines.includes('The files of 1 of 2 pictures are missing.'))

      const restored = { ...testConfig, dataDir: join(folder, 'restored'), images: into.settings }
      await restore(other.owner, restored, copy, () => {})
      assert.deepEqual((await into.files()).toSorted(), there)
      const [name = ''] = there
      assert.deepEqual(await openBucket(into.settings).read(name), await bucket.read(name))

      await db.owner.query(`insert into images (hash, url, thumb_url, uploader) values ($1, $2, $2, $3)`, [
        'c'.repeat(40),
        'https://host.example/abc/c.webp',
        id,
      ])
      for (const file of await from.files()) await bucket.remove(file)
      const emptied = await backup(db.owner, own, join(folder, 'emptied'), () => {})
      assert.deepEqual(emptied.pictures, { total: 2, missing: 2 }, 'without the picture of a host')

      // One is deleted while its files are copied.
      const deleting = {
        connect: () => db.owner.connect(),
        async query(text: string, values: unknown[]) {
          await db.owner.query('delete from images where hash = $1', [HASHES[0]])
          return db.owner.query(text, values)
        },
      } as pg.Pool
      const { pictures } = await backup(deleting, own, join(folder, 'deleting'), () => {})
      assert.deepEqual(pictures, { total: 2, missing: 1 })
      await db.owner.query('delete from images')
    } finally {
      await Promise.all([from.close(), into.close()])
    }
  })

  test('fail the backup with a message when they cannot be read', async () => {
    const gone = await startBucket()
    await gone.close()
    await assert.rejects(
      copyFromBucket(gone.settings, HASHES, join(folder, 'gone')),
      (error) =>
        error instanceof BadConfig && /The pictures could not be copied \(image bucket: /.test(error.message),
    )
    const files = await readdir(join(folder, 'gone'))
    assert.deepEqual(files, [])
  })
})

describe('pictures in the data folder', () => {
  const db = useDatabase()
  const other = useDatabase()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-pictures-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('are in a backup, without those that are deleted or not yet complete while they are copied', async () => {
    const dataDir = join(folder, 'data')
    const pictures = join(dataDir, 'images')
    const [there = '', deleted = ''] = HASHES.map((hash) => fileName(hash, PICTURE_SIZES[0]))
    await mkdir(pictures, { recursive: true })
    await writeFile(join(dataDir, 'auth-secret'), 'secret')
    await writeFile(join(pictures, there), 'picture')
    await writeFile(join(pictures, '.6f1c0c9e-part'), 'part of a pic')
    // Like a picture that is deleted after it was listed, a link to no file has a name and cannot be read.
    await symlink(join(folder, 'deleted'), join(pictures, deleted))

    const copy = join(folder, 'copy')
    await backup(db.owner, { ...testConfig, dataDir }, copy, () => {})
    assert.deepEqual((await readdir(join(copy, 'files', 'images'))).toSorted(), [there])
    assert.equal(await readFile(join(copy, 'files', 'images', there), 'utf8'), 'picture')
    assert.equal(await readFile(join(copy, 'files', 'auth-secret'), 'utf8'), 'secret')
  })

  test('one that a restore cannot copy leaves the database empty, and the restore can be repeated', async () => {
    await aBuyer(db.database)
    const dataDir = join(folder, 'complete')
    await mkdir(join(dataDir, 'images'), { recursive: true })
    await writeFile(join(dataDir, 'auth-secret'), 'secret')
    const copy = join(folder, 'incomplete-copy')
    await backup(db.owner, { ...testConfig, dataDir }, copy, () => {})
    const secret = join(copy, 'files', 'auth-secret')
    await rm(secret)

    const restored = { ...testConfig, dataDir: join(folder, 'repeated') }
    const users = async () =>
      (await other.owner.query('select count(*)::int as count from users')).rows[0].count
    await assert.rejects(
      restore(other.owner, restored, copy, () => {}),
      /ENOENT.+auth-secret/,
    )
    assert.equal(await users(), 0)
    await writeFile(secret, 'secret')
    await restore(other.owner, restored, copy, () => {})
    assert.equal(await users(), 1)
    assert.equal(await readFile(join(restored.dataDir, 'auth-secret'), 'utf8'), 'secret')
  })

  test('one that cannot be copied ends the copies, so that the folder can be deleted', async () => {
    const dataDir = join(folder, 'unreadable')
    const pictures = join(dataDir, 'images')
    await mkdir(join(pictures, 'folder.webp'), { recursive: true })
    const names = Array.from({ length: 300 }, (_, index) => `picture-${index}.webp`)
    for (const name of names) await writeFile(join(pictures, name), 'picture')
    const copy = join(folder, 'unreadable-copy')
    await assert.rejects(copyDataFiles(dataDir, ['images'], copy))
    const copied = await readdir(join(copy, 'images'))
    // Copies that continue would be made meanwhile.
    for (const name of names) await copyFile(join(pictures, name), join(folder, name))
    assert.deepEqual(await readdir(join(copy, 'images')), copied)
  })
})
