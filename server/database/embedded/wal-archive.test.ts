import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { archiveOf, archiveSettings, chooseArchive, recoverySettings } from './wal-archive.ts'

describe('the archive of a data directory', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tallywork-archive-'))
    // Under root the database server has another user.
    chmodSync(folder, 0o711)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  const inFolder = (name: string) => join(folder, name)

  test('is chosen, chosen again, and ended', () => {
    const [data, archive] = [inFolder('data'), inFolder('archive')]
    assert.equal(archiveOf(data), null)
    chooseArchive(data, archive)
    chooseArchive(data, archive)
    assert.equal(archiveOf(data), archive)
    const moved = inFolder('moved')
    renameSync(archive, moved)
    chooseArchive(data, moved)
    assert.equal(archiveOf(data), moved)
    chooseArchive(data, undefined)
    assert.equal(archiveOf(data), null)
    assert.throws(
      () => chooseArchive(data, moved),
      /or of this one before .+ Set WAL_ARCHIVE to a new folder/,
    )
    chooseArchive(data, inFolder('archive2'))
    assert.equal(archiveOf(data), inFolder('archive2'))
  })

  test('of another database is refused', () => {
    chooseArchive(inFolder('first'), inFolder('shared'))
    assert.throws(() => chooseArchive(inFolder('second'), inFolder('shared')), /archive of another database/)
    assert.equal(archiveOf(inFolder('second')), null)
  })

  test('on a disk that is not mounted is refused', () => {
    const [data, archive] = [inFolder('mounted'), inFolder('disk')]
    chooseArchive(data, archive)
    rmSync(archive, { recursive: true })
    mkdirSync(archive)
    assert.throws(() => chooseArchive(data, archive), /Is the disk mounted\?/)
  })

  test('in a folder that cannot be written is refused', () => {
    const file = inFolder('a-file')
    writeFileSync(file, '')
    for (const archive of ['/dev/null/archive', file])
      assert.throws(
        () => chooseArchive(inFolder('other'), archive),
        /cannot be created: .+ Check WAL_ARCHIVE\.$/,
      )
    assert.equal(archiveOf(inFolder('other')), null)
  })

  test('may have any name', () => {
    const { archive_command } = archiveSettings("/mnt/Eve's 100%f $(disk)")
    assert.match(archive_command ?? '', /^to='\/mnt\/Eve'\\''s 100%%f \$\(disk\)\/wal'\/%f\.gz; /)
    const { restore_command } = recoverySettings("/mnt/Eve's 100%f $(disk)", undefined)
    assert.match(restore_command ?? '', /< '\/mnt\/Eve'\\''s 100%%f \$\(disk\)\/wal'\/%f\.gz > %p$/)
  })
})
