import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { runCommand } from '#server/run-command.ts'
import { writeOutput } from '#server/write-output.ts'
import { audit } from './audit.ts'

/** `npm run audit`: runs the audit, prints its checks and the totals of the ledger, and exits with 1 on a failed check. */
await runCommand(async () => {
  const { database, close } = await connectToOwnSchema(readConfig(), () => {})
  try {
    const { balanced, checks, figures: totals, tookMs } = await audit(database)
    process.exitCode = balanced ? 0 : 1
    const lines = [
      ...checks.map(
        ({ name, checked, wrong }) =>
          `${wrong === 0 ? 'ok   ' : 'WRONG'}  ${name} (${checked} checked, ${wrong} wrong)`,
      ),
      ...Object.entries(totals).map(([name, coins]) => `${String(coins).padStart(14)}  ${name}`),
      balanced ? `The books balance (${tookMs} ms).` : 'THE BOOKS DO NOT BALANCE.',
    ]
    await writeOutput(lines.map((line) => `${line}\n`))
  } finally {
    await close()
  }
})
