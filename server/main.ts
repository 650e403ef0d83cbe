import { readConfig } from './config.ts'
import { checkPortIsFree } from './port.ts'
import { failureText } from './run-command.ts'
import { startLog } from './start-log.ts'

// What is wrong with the configuration is reported before the rest of the server is loaded.
try {
  const config = readConfig()
  const log = startLog(config)
  await checkPortIsFree(config)
  const { start } = await import('./start.ts')
  await start(config, log)
} catch (error) {
  console.error(failureText(error))
  process.exit(1)
}
