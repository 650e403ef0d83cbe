// Makes a clone ready: the packages of the lockfile, Node 24, and the web app as its sources stand.
// Plain JavaScript without packages, because it runs on the machine's own Node before anything is installed.
//
//   node scripts/prepare.mjs start     the port is free, and the settings are valid; packages and web app
//   node scripts/prepare.mjs load      packages and web app
//   node scripts/prepare.mjs test      packages; the tests build the web app themselves and count it
//   node scripts/prepare.mjs build     the web app
//   node scripts/prepare.mjs rebuild   the web app, also when its sources have not changed
import { ensureWebApp, rebuildWebApp } from './prepare/build.mjs'
import { ensurePackages } from './prepare/install.mjs'
import { checkPortIsFree } from './prepare/port.mjs'
import { checkSettings } from './prepare/settings.mjs'

const STEPS = {
  start: [() => checkPortIsFree(process.env), ensurePackages, checkSettings, ensureWebApp],
  load: [ensurePackages, ensureWebApp],
  test: [ensurePackages],
  build: [ensureWebApp],
  rebuild: [rebuildWebApp],
}

const purpose = process.argv[2]
try {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(`Node 20 or later is needed; this is ${process.version}.`)
  }
  const steps = Object.hasOwn(STEPS, purpose ?? '') ? STEPS[purpose] : undefined
  if (steps === undefined) throw new Error(`Usage: prepare.mjs ${Object.keys(STEPS).join('|')}`)
  for (const step of steps) await step()
} catch (error) {
  console.error(error.message)
  if (purpose === 'test') console.log('0 passed, 1 failed')
  process.exitCode = 1
}
