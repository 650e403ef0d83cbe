import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { runCommand } from '#server/run-command.ts'
import { exportSecurityLog } from './export.ts'

/** `npm run --silent security-log > FILE` writes the security log as JSON lines, oldest first. */
await runCommand(async () => {
  const { database, close } = await connectToOwnSchema(readConfig(), () => {})
  try {
    for await (const lines of exportSecurityLog(database)) process.stdout.write(lines)
  } finally {
    await close()
  }
})
