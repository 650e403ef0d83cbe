import { readFileSync } from 'node:fs'
import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { runCommand } from '#server/run-command.ts'
import { auditLogAfter } from './queries.ts'
import { EntryContent, ExportedEntry, verifyAuditLog } from './verify.ts'

/**
 * `npm run --silent audit-log -- export > FILE` writes the admin audit log as JSON lines. `npm run audit-log -- verify
 * FILE` verifies the hash chain of such a file without the database.
 */
const [command, file = ''] = process.argv.slice(2)
if (command === 'export') await runCommand(exportAuditLog)
else if (command === 'verify' && file !== '') await runCommand(async () => verifyFile(file))
else {
  console.error('Usage: npm run audit-log -- export, or npm run audit-log -- verify FILE')
  process.exitCode = 2
}

async function exportAuditLog(): Promise<void> {
  const { database, close } = await connectToOwnSchema(readConfig(), () => {})
  try {
    for (let after = 0; ; ) {
      const rows = await auditLogAfter(database, after, 1000)
      for (const { content, hash } of rows)
        console.log(JSON.stringify({ content, hash: hash.toString('hex') }))
      const last = rows.at(-1)
      if (last === undefined) return
      after = last.id
    }
  } finally {
    await close()
  }
}

function verifyFile(path: string): void {
  const entries = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [entryOf(line, `Line ${index + 1} of ${path}`)]))
  const { valid, entries: count, lastHash, firstInvalid } = verifyAuditLog(entries)
  console.log(
    valid
      ? `The audit log is valid: ${count} entries, last hash ${lastHash}`
      : `The audit log is invalid at entry ${firstInvalid}.`,
  )
  process.exitCode = valid ? 0 : 1
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
