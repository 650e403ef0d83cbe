import { readConfig } from '#server/config.ts'
import { connect } from '#server/database/connect.ts'
import { exportSecurityLog } from './export.ts'

/** `npm run --silent security-log > FILE` writes the security log as JSON lines, oldest first. */
const { database, close } = await connect(readConfig(), () => {})
try {
  for await (const lines of exportSecurityLog(database)) process.stdout.write(lines)
} finally {
  await close()
}
