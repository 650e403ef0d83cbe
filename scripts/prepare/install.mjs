import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { inTurn } from './lock.mjs'
import { bootstrapLockfile, isNeededHere, lockedPackages } from './lockfile.mjs'
import { inRoot, root } from './root.mjs'
import { npmOn, runStep } from './run.mjs'

const MODULES = inRoot('node_modules')
const LEAST_NODE = [24, 7]
/** npm leaves out optional packages whose `engines` do not fit the Node it runs on; from here on none is left out. */
const LEAST_NODE_FOR_NPM = [22, 17]

/** Installs the packages of the lockfile unless they are there, and makes sure that a Node 24 is among them. */
export async function ensurePackages() {
  if (isStamped()) return
  await inTurn(async () => {
    if (isStamped()) return
    if (!isInstalled()) return install()
    ensureNode(MODULES)
    writeFileSync(path.join(MODULES, '.prepared'), stamp())
  })
}

function isStamped() {
  const file = path.join(MODULES, '.prepared')
  return existsSync(nodeIn(MODULES)) && existsSync(file) && readFileSync(file, 'utf8') === stamp()
}

function stamp() {
  const lockfile = readFileSync(inRoot('package-lock.json'))
  return `${createHash('sha256').update(lockfile).digest('hex')} ${process.platform} ${process.arch}\n`
}

/** Compares what npm wrote down after its last installation with the lockfile: packages added by hand count too. */
function isInstalled() {
  const record = path.join(MODULES, '.package-lock.json')
  if (!existsSync(record)) return false
  const present = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(lockedPackages()).every(([place, entry]) => {
    if (place === '' || !isNeededHere(entry)) return true
    return present[place]?.version === entry.version && existsSync(inRoot(place, 'package.json'))
  })
}

/**
 * Installs beside the place and moves the result there when it is whole: an installation that is killed leaves what
 * was there before, and if its npm lives on, it disturbs nobody.
 */
async function install() {
  removeOldStages()
  warnOfMissingHashes()
  const stage = inRoot('.prepare', `install-${process.pid}`)
  mkdirSync(stage, { recursive: true })
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(inRoot(file), path.join(stage, file))
    const lent = isAtLeast(process.version, LEAST_NODE_FOR_NPM)
      ? null
      : await lendNpm(path.join(stage, 'lent'))
    const { node, npm } = lent ?? { node: process.execPath, npm: npmOn(process.execPath) }
    await runStep({
      title: 'Installing the packages of the lockfile',
      args: [...npm, 'ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'],
      env: { PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` },
      cwd: stage,
    })
    const fresh = path.join(stage, 'node_modules')
    ensureNode(fresh)
    writeFileSync(path.join(fresh, '.prepared'), stamp())
    if (existsSync(MODULES)) renameSync(MODULES, path.join(stage, 'old'))
    renameSync(fresh, MODULES)
  } finally {
    rmSync(stage, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** npm installs what has no hash in the lockfile without comparing: development tools for some systems. */
function warnOfMissingHashes() {
  const names = Object.entries(lockedPackages())
    .filter(([place, entry]) => place !== '' && isNeededHere(entry) && !entry.integrity)
    .map(([place]) => place.replace(/^.*node_modules\//, ''))
  if (names.length > 0)
    console.warn(`Warning: package-lock.json has no hash of ${names.join(', ')}: npm cannot verify them.`)
}

function removeOldStages() {
  for (const name of readdirSync(inRoot('.prepare')).filter((entry) => entry.startsWith('install-'))) {
    try {
      rmSync(inRoot('.prepare', name), { recursive: true, force: true })
    } catch {
      // The npm of a killed installation still writes there; it goes the next time.
    }
  }
}

/**
 * Fetches the project's Node and an npm for it by their hashes, for an installation that this machine's own are too old
 * for: the npm of the first Node 20 does not understand `libc` and leaves out half of the binaries. Returns null when
 * there is no such Node for this machine.
 */
async function lendNpm(folder) {
  const { optionalDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const name = Object.keys(optionalDependencies).find((key) =>
    new RegExp(`^node-(bin-)?${process.platform}-${process.arch}$`).test(key),
  )
  if (name === undefined) return null
  const { manifest, lockfile } = bootstrapLockfile(name)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lockfile))
  await runStep({
    title: `Fetching Node ${manifest.dependencies[name]}`,
    args: [...npmOn(process.execPath), 'ci', '--ignore-scripts', '--loglevel=error'],
    cwd: folder,
  })
  const node = path.join(folder, 'node_modules', name, 'bin', 'node')
  return runs(node) ? { node, npm: [node, path.join(folder, 'node_modules/npm/bin/npm-cli.js')] } : null
}

/** Where the packages bring no Node that runs here, the machine's own serves if it is new enough. */
function ensureNode(modules) {
  const node = nodeIn(modules)
  if (runs(node)) return
  if (!isAtLeast(process.version, LEAST_NODE)) {
    throw new Error(
      `The packages bring no Node that runs on this machine (${process.platform} ${process.arch}), and its own ` +
        `${process.version} is older than ${LEAST_NODE.join('.')}. Install Node ${LEAST_NODE.join('.')} or later.`,
    )
  }
  mkdirSync(path.dirname(node), { recursive: true })
  rmSync(node, { force: true })
  symlinkSync(process.execPath, node)
}

function nodeIn(modules) {
  return path.join(modules, '.bin', 'node')
}

function runs(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { cwd: root, encoding: 'utf8' })
  return status === 0 && isAtLeast(stdout.trim(), LEAST_NODE)
}

function isAtLeast(version, [major, minor]) {
  const [ownMajor, ownMinor] = version.replace('v', '').split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}
