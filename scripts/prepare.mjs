// Makes a clone ready: the packages of the lockfile, Node 24, and the web app as its sources stand.
// Plain JavaScript without packages, because it runs on the machine's own Node before anything is installed.
//
//   node scripts/prepare.mjs start   packages and web app
//   node scripts/prepare.mjs test    packages; the tests build the web app themselves and count it
//   node scripts/prepare.mjs build   the web app
import { ensureWebApp } from './prepare/build.mjs'
import { ensurePackages } from './prepare/install.mjs'

const purpose = process.argv[2]
try {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(`Node 20 or later is needed; this is ${process.version}.`)
  }
  if (!['start', 'test', 'build'].includes(purpose)) throw new Error('Usage: prepare.mjs start|test|build')
  if (purpose !== 'build') await ensurePackages()
  if (purpose !== 'test') await ensureWebApp()
} catch (error) {
  console.error(error.message)
  if (purpose === 'test') console.log('0 passed, 1 failed')
  process.exitCode = 1
}
