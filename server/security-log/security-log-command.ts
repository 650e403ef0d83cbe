import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { runCommand } from '#server/run-command.ts'
import { writeOutput } from '#server/write-output.ts'
import { exportSecurityLog } from './export.ts'

/** `npm run --silent security-log > FILE` writes the security log as JSON lines, oldest first. */
await runCommand(async () => {
  const { database, close } = await connectToOwnSchema(readConfig(), () => {})
  try {
    await writeOutput(exportSecurityLog(database))
  } finally {
    await close()
  }
})
