import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Binaries } from './binaries.ts'
import type { Owner } from './owner.ts'
import { reachable } from './server.ts'

/**
 * Creates a cluster at `clusterDir` unless there is one. Builds it in a draft directory and renames it when complete, so
 * that a killed start leaves nothing that looks like a database. The caller holds the lock of the data directory, which
 * means that existing drafts are abandoned.
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
    throw new Error(
      `The directory ${clusterDir} is not empty and contains no database. Choose another DATA_DIR.`,
    )
  }
  const version = readFileSync(file, 'utf8').trim()
  const bundled = binaries.version.split('.')[0]
  if (version === bundled) return true
  throw new Error(
    `The database in ${clusterDir} was created by PostgreSQL ${version}; this release contains ${bundled}. ` +
      'Move the data with pg_dump, or choose another DATA_DIR.',
  )
}

/** Runs initdb. Text sorts by code point on every machine, whatever locales it has. */
function initdb(draft: string, binaries: Binaries, owner: Owner | null): Promise<void> {
  const directory = reachable(draft, owner)
  const flags = ['--username=tallywork', '--auth=trust', '--encoding=UTF8', '--no-instructions']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, [`--pgdata=${directory.path}`, ...flags, ...locale], {
      ...owner,
      cwd: directory.cwd,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else
        reject(
          new Error(`The database could not be created: ${stderr.trim() || `initdb ended with ${code}`}`),
        )
    })
  })
}
