// Plans every statement of the server on a large database: none may read a growing table from end to end.
//
//   node tests/load/plans.ts [--tasks 100000] [--folder …]
import { parseArgs } from 'node:util'
import pg from 'pg'
import { STATEMENTS } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { print } from '../support/print.ts'
import { growingStatements, REASONS, WHILE_FEW } from './plans/statements.ts'
import { folderFor, freshWorld } from './world/build.ts'

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '100000' }, folder: { type: 'string' } },
})
const tasks = Number(values.tasks)
const embedded = await startEmbedded({ dataDir: values.folder ?? folderFor(tasks), log: print })
try {
  const { url } = await freshWorld(embedded.connectionString, tasks, 10_000, print)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const reasons = tasks < 1_000_000 ? [...REASONS, ...WHILE_FEW] : REASONS
  const growing = await growingStatements(client, reasons)
  await client.end()
  for (const [name, found] of growing) print(`✖ ${name}: ${found.join(', ')}`)
  print(
    `${STATEMENTS.size} statements planned on ${values.tasks} tasks; the work of ${growing.size} grows without a reason, ${reasons.length} reasons are on record.`,
  )
  if (growing.size > 0) process.exitCode = 1
} finally {
  await embedded.stop()
}
