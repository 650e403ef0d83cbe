import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { inTurn } from './lock.mjs'
import { inRoot, root } from './root.mjs'
import { npmOn, runStep } from './run.mjs'

const BUILD = inRoot('build')
const STAMP = 'web.stamp'
const ASSETS = path.join('client', 'assets')
const ASSET_LIST = 'assets.json'
const SOURCES = [
  'web',
  'contract',
  'scripts/build',
  'react-router.config.ts',
  'vite.config.ts',
  'lingui.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/** Builds the web app unless the last complete build came from the very same sources. */
export async function ensureWebApp() {
  if (!existsSync(inRoot('react-router.config.ts'))) {
    console.log('There is no web app yet (react-router.config.ts is missing); it is not built.')
    return
  }
  if (isFresh()) return
  await inTurn(async () => {
    if (!isFresh()) await build()
  })
}

/** Builds the web app, also when the sources have not changed. */
export async function rebuildWebApp() {
  await inTurn(build)
}

/**
 * Builds into a folder of its own, which replaces `build` when it is complete: a build that fails or is killed leaves
 * what was there before.
 */
async function build() {
  removeOldStages()
  const stage = inRoot('.prepare', `build-${process.pid}`)
  const sources = sourcesHash()
  const node = inRoot('node_modules', '.bin', 'node')
  try {
    const output = await runStep({
      title: 'Building the web app',
      args: [...npmOn(node), 'run', 'build:files'],
      env: {
        PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
        NODE_ENV: 'production',
        BUILD_DIRECTORY: path.relative(root, stage),
      },
    })
    for (const [line] of output.matchAll(/^Landing page.*$/gm)) console.log(line)
    writeFileSync(path.join(stage, STAMP), sources)
    replaceBuild(stage)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function replaceBuild(stage) {
  const own = readdirSync(path.join(stage, ASSETS))
  writeFileSync(path.join(stage, ASSET_LIST), JSON.stringify(own))
  keepAssets(stage)
  const old = inRoot('.prepare', `old-build-${process.pid}`)
  if (existsSync(BUILD)) renameSync(BUILD, old)
  renameSync(stage, BUILD)
  rmSync(old, { recursive: true, force: true })
}

/** Copies the assets of the previous build: a server that runs and open browser tabs still ask for them. */
function keepAssets(stage) {
  const list = path.join(BUILD, ASSET_LIST)
  if (!existsSync(list)) return
  for (const name of JSON.parse(readFileSync(list, 'utf8'))) {
    const asset = path.join(BUILD, ASSETS, name)
    const place = path.join(stage, ASSETS, name)
    if (!existsSync(place) && existsSync(asset)) copyFileSync(asset, place)
  }
}

function removeOldStages() {
  for (const name of readdirSync(inRoot('.prepare')).filter((entry) => /^(old-)?build-/.test(entry)))
    rmSync(inRoot('.prepare', name), { recursive: true, force: true })
}

function isFresh() {
  const stamp = path.join(BUILD, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash()
}

function sourcesHash() {
  const hash = createHash('sha256')
  for (const source of SOURCES) addTo(hash, source)
  return `${hash.digest('hex')}\n`
}

function addTo(hash, relative) {
  const found = statSync(path.join(root, relative), { throwIfNoEntry: false })
  if (found?.isDirectory()) {
    for (const name of readdirSync(path.join(root, relative)).sort()) addTo(hash, path.join(relative, name))
  } else if (found && !/\.test\.tsx?$/.test(relative)) {
    hash.update(`${relative}\0${found.size}\0`).update(readFileSync(path.join(root, relative)))
  }
}
