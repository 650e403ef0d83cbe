import { readFileSync } from 'node:fs'
import { inRoot } from './root.mjs'

const readJson = (...parts) => JSON.parse(readFileSync(inRoot(...parts), 'utf8'))

/** The packages of the lockfile, by their place below the root. */
export function lockedPackages() {
  return readJson('package-lock.json').packages
}

/**
 * Returns package.json and package-lock.json of a folder that gets one package of the project's lockfile and the npm of
 * scripts/prepare/npm-lock.json, so that `npm ci` installs both by their hashes. npm brings its own dependencies in its
 * package.
 * @param {string} name
 * @throws Error when the lockfile has no hash of the package.
 */
export function bootstrapLockfile(name) {
  const place = `node_modules/${name}`
  const { version, integrity, os, cpu, bin } = lockedPackages()[place] ?? {}
  if (!integrity) throw new Error(`package-lock.json has no hash of ${name}`)
  const npm = readJson('scripts', 'prepare', 'npm-lock.json')
  const dependencies = { [name]: version, npm: npm.version }
  const packages = {
    '': { dependencies },
    [place]: { version, integrity, os, cpu, bin },
    'node_modules/npm': npm,
  }
  return { manifest: { dependencies }, lockfile: { lockfileVersion: 3, requires: true, packages } }
}

/**
 * Whether npm installs a package of the lockfile on this machine. One that an older Node's npm leaves out because of its
 * `engines` is needed too.
 */
export function isNeededHere({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return true
  const fits = (list, own) => [list].flat().includes(own)
  return (
    fits(os, process.platform) && fits(cpu, process.arch) && (libc === undefined || fits(libc, ownLibc()))
  )
}

function ownLibc() {
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
}
