import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { answers } from './connection.ts'
import type { Owner } from './owner.ts'

/** Where a cluster lives and who runs it. */
export type Place = {
  clusterDir: string
  socketDir: string
  logFile: string
  owner: Owner | null
  binaries: Binaries
}

const LONGEST_START_MS = 120_000
const LONGEST_LOG_BYTES = 5_000_000
const CACHE_MB = { least: 128, most: 4096 }

/**
 * How the server's user names a folder. Under root the folder may lie behind one that is closed to that user; the
 * child is put into it before it changes its user, and from then on calls it "where I am".
 */
export function reachable(folder: string, owner: Owner | null): { cwd: string; path: string } {
  return { cwd: folder, path: owner && process.platform === 'linux' ? '/proc/self/cwd' : folder }
}

/** The server stopped before it was ready. `transient` when an earlier server is still on its way out. */
export class StartFailure extends Error {
  transient: boolean
  constructor(message: string, transient: boolean) {
    super(message)
    this.transient = transient
  }
}

/**
 * Starts PostgreSQL on a cluster and returns when it answers. It listens on a socket in a closed folder and on no
 * network port, and on Linux it dies with this process.
 * @throws StartFailure with the server's own words.
 */
export async function startServer(place: Place): Promise<ChildProcess> {
  const from = openLog(place.logFile)
  const child = launch(place, from.fd)
  closeSync(from.fd)
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', () => resolve(lastWords(place.logFile, from.size)))
  })
  let failure: string | null = null
  void ended.then((words) => {
    failure = words
  })
  const deadline = Date.now() + LONGEST_START_MS
  while (failure === null && !(await answers(place.socketDir))) {
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      failure = `it did not answer within ${LONGEST_START_MS / 1000} s; see ${place.logFile}`
    }
    await Promise.race([sleep(15), ended])
  }
  if (failure === null) return child
  const transient = /pre-existing shared memory|lock file .* already exists/.test(failure)
  throw new StartFailure(`The database did not start: ${failure}`, transient)
}

function launch(place: Place, log: number): ChildProcess {
  const { clusterDir, socketDir, owner, binaries } = place
  const cluster = reachable(clusterDir, owner)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir === clusterDir ? cluster.path : socketDir,
    unix_socket_permissions: '0700',
    port: '5432',
    max_connections: '100',
    shared_buffers: `${cacheMegabytes()}MB`,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Refusals are raised as errors by the thousand; what the server itself has to say ranks above them.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [...diesWithParent(), binaries.postgres, '-D', cluster.path, ...flags]
  return spawn(command[0] as string, command.slice(1), {
    ...owner,
    cwd: cluster.cwd,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', log, log],
    detached: true, // Ctrl-C in a terminal is for us; we stop the server when the last request is answered
  })
}

/** An eighth of the memory that this machine, or its container, has; the program and the system's own cache need theirs. */
function cacheMegabytes(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(CACHE_MB.most, Math.max(CACHE_MB.least, Math.floor(bytes / 8 / 1024 / 1024)))
}

/**
 * The command that has the kernel end the server when we die. QUIT drops everything and recovers at the next start;
 * INT would wait for connections that nobody closes any more.
 */
function diesWithParent(): string[] {
  if (process.platform !== 'linux') return []
  const command = ['setpriv', '--pdeathsig', 'QUIT']
  return spawnSync(command[0] as string, [...command.slice(1), 'true']).status === 0 ? command : []
}

function openLog(file: string): { fd: number; size: number } {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > LONGEST_LOG_BYTES ? { fd: openSync(file, 'w'), size: 0 } : { fd: openSync(file, 'a'), size }
}

function lastWords(file: string, from: number): string {
  const lines = readFileSync(file).subarray(from).toString('utf8').trim().split('\n')
  const telling = lines.filter((line) => /FATAL|PANIC|error while loading|HINT|DETAIL/.test(line))
  return (telling.length > 0 ? telling : lines.slice(-3)).join(' ').trim() || `see ${path.resolve(file)}`
}
