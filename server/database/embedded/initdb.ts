import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Binaries } from './binaries.ts'
import type { Owner } from './owner.ts'
import { reachable } from './server.ts'

/**
 * Makes sure that a whole cluster stands at `clusterDir`. It is built beside its place and moved there when it is
 * complete, so a start that is killed half way leaves nothing that looks like a database. Called under the folder's
 * lock: whatever half-built cluster lies about is dead.
 */
export async function ensureCluster(
  clusterDir: string,
  binaries: Binaries,
  owner: Owner | null,
): Promise<void> {
  if (isCluster(clusterDir, binaries)) return
  const parent = path.dirname(clusterDir)
  const prefix = `${path.basename(clusterDir)}.new-`
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) rmSync(path.join(parent, name), { recursive: true, force: true })
  }
  const draft = path.join(parent, `${prefix}${process.pid}`)
  mkdirSync(draft, { mode: 0o700 })
  try {
    if (owner) chownSync(draft, owner.uid, owner.gid)
    await initdb(draft, binaries, owner)
    renameSync(draft, clusterDir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

function isCluster(clusterDir: string, binaries: Binaries): boolean {
  if (!existsSync(clusterDir)) return false
  const file = path.join(clusterDir, 'PG_VERSION')
  if (!existsSync(file)) {
    if (readdirSync(clusterDir).length === 0) return false
    throw new Error(`The folder ${clusterDir} is not empty and holds no database. Choose another DATA_DIR.`)
  }
  const version = readFileSync(file, 'utf8').trim()
  const ours = binaries.version.split('.')[0]
  if (version === ours) return true
  throw new Error(
    `The database in ${clusterDir} was made by PostgreSQL ${version}; this program brings ${ours}. ` +
      'Move the data with pg_dump, or choose another DATA_DIR.',
  )
}

/** Text sorts and compares by code point on every machine alike, whatever locales it has. */
function initdb(draft: string, binaries: Binaries, owner: Owner | null): Promise<void> {
  const place = reachable(draft, owner)
  const flags = ['--username=tallywork', '--auth=trust', '--encoding=UTF8', '--no-instructions']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, [`--pgdata=${place.path}`, ...flags, ...locale], {
      ...owner,
      cwd: place.cwd,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else
        reject(new Error(`The database could not be created: ${said.trim() || `initdb ended with ${code}`}`))
    })
  })
}
