import { readFileSync } from 'node:fs'
import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import type { Db } from '#server/database/database.ts'
import { runCommand } from '#server/run-command.ts'
import { writeOutput } from '#server/write-output.ts'
import { auditLogAfter } from './queries.ts'
import { EntryContent, ExportedEntry, verifyAuditLog } from './verify.ts'

/**
 * `npm run --silent audit-log -- export > FILE` writes the admin audit log as JSON lines. `npm run audit-log -- verify
 * FILE` verifies the hash chain of such a file without the database.
 */
const [command, file = ''] = process.argv.slice(2)
if (command === 'export') await runCommand(exportAuditLog)
else if (command === 'verify' && file !== '') await runCommand(() => verifyFile(file))
else {
  console.error('Usage: npm run audit-log -- export, or npm run audit-log -- verify FILE')
  process.exitCode = 2
}

async function exportAuditLog(): Promise<void> {
  const { database, close } = await connectToOwnSchema(readConfig(), () => {})
  try {
    await writeOutput(exportedLines(database))
  } finally {
    await close()
  }
}

/** Streams the whole log as JSON lines, oldest first, page by page. */
async function* exportedLines(db: Db): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await auditLogAfter(db, after, 1000)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
      .map(({ content, hash }) => `${JSON.stringify({ content, hash: hash.toString('hex') })}\n`)
      .join('')
    after = last.id
  }
}

/** @throws BadConfig for a file that is no audit log, or has no entries: an export that failed leaves such a file. */
async function verifyFile(path: string): Promise<void> {
  const entries = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [entryOf(line, `Line ${index + 1} of ${path}`)]))
  if (entries.length === 0) throw new BadConfig(`${path} has no entries of an audit log.`)
  const { valid, entries: count, lastHash, firstInvalid } = verifyAuditLog(entries)
  process.exitCode = valid ? 0 : 1
  await writeOutput([
    valid
      ? `The audit log is valid: ${count} entries, last hash ${lastHash}\n`
      : `The audit log is invalid at entry ${firstInvalid}.\n`,
  ])
}

/** @throws BadConfig for a line that is no entry. */
function entryOf(line: string, place: string): ExportedEntry {
  try {
    const entry = ExportedEntry.parse(JSON.parse(line))
    EntryContent.parse(JSON.parse(entry.content))
    return entry
  } catch {
    throw new BadConfig(`${place} is not an entry of an audit log.`)
  }
}
