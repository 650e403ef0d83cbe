// Runs test files of node:test one after another in this process, each that no other process has claimed.
//
//   node scripts/test/domain-process.ts FOLDER FILE…      the processes' claims are in FOLDER
import { closeSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { deleteDatabases, reuseDatabases } from '#tests/support/database.ts'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { cheapenPasswordHashes } from '#tests/support/password-hashes.ts'
import { usedSeconds } from './processor-time.ts'

const [folder = '', ...files] = process.argv.slice(2)
const umask = process.umask(0o022)
process.umask(umask)

test('files', async (queue) => {
  reuseDatabases()
  cheapenPasswordHashes()
  for (const file of files) {
    const claim = path.join(folder, encodeURIComponent(file))
    if (!create(claim)) continue
    const before = usedSeconds()
    await queue.test(file, { timeout: 6 * CEILING_MS }, () => import(pathToFileURL(path.resolve(file)).href))
    // What the file used, for the report of the run.
    writeFileSync(claim, String(usedSeconds() - before))
    // Commands of the server make the files of their process private; the database server of the next test may have another user.
    process.umask(umask)
  }
  await deleteDatabases()
})

/** Creates the file's claim. Returns false if another process has it. */
function create(claim: string): boolean {
  try {
    closeSync(openSync(claim, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
