import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inTurn } from './lock.mjs'
import { inRoot, root } from './root.mjs'
import { npmOn, runStep } from './run.mjs'

const STAMP = inRoot('build', 'web.stamp')
const SOURCES = [
  'web',
  'contract',
  'scripts/build',
  'react-router.config.ts',
  'vite.config.ts',
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
    if (isFresh()) return
    const sources = sourcesHash()
    rmSync(STAMP, { force: true })
    const node = inRoot('node_modules', '.bin', 'node')
    await runStep({
      title: 'Building the web app',
      args: [...npmOn(node), 'run', 'build'],
      env: { PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`, NODE_ENV: 'production' },
    })
    mkdirSync(path.dirname(STAMP), { recursive: true })
    writeFileSync(STAMP, sources)
  })
}

function isFresh() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourcesHash()
}

function sourcesHash() {
  const hash = createHash('sha256').update(`${process.env.PUBLIC_URL ?? ''}\0`)
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
