import { readFileSync } from 'node:fs'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/database/connect.ts'
import { auditLogFrom } from './queries.ts'
import { type Line, verifyAuditLog } from './verify.ts'

/**
 * `npm run --silent record -- export > file` writes what admins did, a JSON line each; `npm run record -- verify file`
 * proves without the database that nothing in such a file was changed.
 */
const [what, file = ''] = process.argv.slice(2)
if (what === 'export') await exportRecord()
else if (what === 'verify' && file !== '') verifyFile(file)
else {
  console.error('Usage: npm run record -- export | verify FILE')
  process.exitCode = 2
}

async function exportRecord(): Promise<void> {
  const { database, close } = await connect(readConfig(), () => {})
  try {
    for (let after = 0; ; ) {
      const rows = await auditLogFrom(database, after, 1000)
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
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
  const { whole, lines: count, lastHash, broken } = verifyAuditLog(lines)
  console.log(
    whole
      ? `The record is whole: ${count} acts, last hash ${lastHash}`
      : `The record is broken at act ${broken}.`,
  )
  process.exitCode = whole ? 0 : 1
}
