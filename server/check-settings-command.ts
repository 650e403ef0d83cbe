import { readConfig } from './config.ts'
import { runCommand } from './run-command.ts'

/** Checks the settings and says which is wrong. `npm start` runs it before it builds the web app. */
await runCommand(async () => {
  readConfig()
})
