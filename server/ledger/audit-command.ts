import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { runCommand } from '#server/run-command.ts'
import { audit } from './audit.ts'

/** `npm run audit`: runs the audit, prints its checks and the totals of the ledger, and exits with 1 on a failed check. */
await runCommand(async () => {
  const { database, close } = await connectToOwnSchema(readConfig(), () => {})
  try {
    const { balanced, checks, figures: totals, tookMs } = await audit(database)
    for (const { name, checked, wrong } of checks)
      console.log(`${wrong === 0 ? 'ok   ' : 'WRONG'}  ${name} (${checked} checked, ${wrong} wrong)`)
    for (const [name, coins] of Object.entries(totals)) console.log(`${String(coins).padStart(14)}  ${name}`)
    console.log(balanced ? `The books balance (${tookMs} ms).` : 'THE BOOKS DO NOT BALANCE.')
    process.exitCode = balanced ? 0 : 1
  } finally {
    await close()
  }
})
