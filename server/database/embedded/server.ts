import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { acceptsConnections } from './connection.ts'
import type { Owner } from './owner.ts'

/** The paths of a cluster, and the user and binaries that run it. */
export type Cluster = {
  clusterDir: string
  socketDir: string
  logFile: string
  owner: Owner | null
  binaries: Binaries
  /** Settings of its own, like those of an archive. */
  settings: Record<string, string>
}

const START_TIMEOUT_MS = 120_000
const LOG_MAX_BYTES = 5_000_000
const CACHE_MB = { least: 128, most: 4096 }

/**
 * Returns a working directory and a path by which the server's user reaches a directory. Under root a parent may be
 * closed to that user; the child process starts inside the directory and refers to it as its working directory.
 */
export function reachable(folder: string, owner: Owner | null): { cwd: string; path: string } {
  return { cwd: folder, path: owner && process.platform === 'linux' ? '/proc/self/cwd' : folder }
}

/** The server stopped before it was ready. `transient` while an earlier server is still shutting down. */
export class StartFailure extends Error {
  transient: boolean
  constructor(message: string, transient: boolean) {
    super(message)
    this.transient = transient
  }
}

/**
 * Starts PostgreSQL on a cluster and returns when it accepts connections. It listens on a Unix socket in a private
 * directory and on no network port. On Linux it ends with this process.
 * @throws StartFailure with the server's own message.
 */
export async function startServer(cluster: Cluster): Promise<ChildProcess> {
  const from = openLog(cluster.logFile)
  const child = launch(cluster, from.fd)
  closeSync(from.fd)
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', () => resolve(lastMessages(cluster.logFile, from.size)))
  })
  let failure: string | null = null
  void ended.then((message) => {
    failure = message
  })
  const deadline = Date.now() + START_TIMEOUT_MS
  while (failure === null && !(await acceptsConnections(cluster.socketDir))) {
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      failure = `it did not accept connections within ${START_TIMEOUT_MS / 1000} s; see ${cluster.logFile}`
    }
    await Promise.race([sleep(15), ended])
  }
  if (failure === null) return child
  const transient = /pre-existing shared memory|lock file .* already exists/.test(failure)
  throw new StartFailure(`The database did not start: ${failure}`, transient)
}

function launch(cluster: Cluster, log: number): ChildProcess {
  const { clusterDir, socketDir, owner, binaries } = cluster
  const directory = reachable(clusterDir, owner)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir === clusterDir ? directory.path : socketDir,
    unix_socket_permissions: '0700',
    port: '5432',
    max_connections: '100',
    shared_buffers: `${sharedBuffersMegabytes()}MB`,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Refusals are raised as errors by the thousand; only the server's own messages are logged.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...cluster.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [...pdeathsigPrefix(), binaries.postgres, '-D', directory.path, ...flags]
  return spawn(command[0] as string, command.slice(1), {
    ...owner,
    cwd: directory.cwd,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', log, log],
    detached: true, // Ctrl-C must reach only this process, which stops the server after the last request
  })
}

/** Returns an eighth of the memory of the machine or its container, within bounds. */
function sharedBuffersMegabytes(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(CACHE_MB.most, Math.max(CACHE_MB.least, Math.floor(bytes / 8 / 1024 / 1024)))
}

/**
 * Returns the command prefix that makes the kernel end the server with this process. QUIT stops at once and recovers at
 * the next start; INT would wait for connections that no one closes.
 */
function pdeathsigPrefix(): string[] {
  if (process.platform !== 'linux') return []
  const command = ['setpriv', '--pdeathsig', 'QUIT']
  return spawnSync(command[0] as string, [...command.slice(1), 'true']).status === 0 ? command : []
}

function openLog(file: string): { fd: number; size: number } {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > LOG_MAX_BYTES ? { fd: openSync(file, 'w'), size: 0 } : { fd: openSync(file, 'a'), size }
}

/** Returns the errors that a server wrote into its log behind a position, else its last lines. */
export function lastMessages(file: string, from: number): string {
  const lines = readFileSync(file).subarray(from).toString('utf8').trim().split('\n')
  const relevant = lines.filter(
    (line) =>
      /FATAL|PANIC|error while loading|HINT|DETAIL/.test(line) && !/the database system is/.test(line),
  )
  return (relevant.length > 0 ? relevant : lines).slice(-4).join(' ').trim() || `see ${path.resolve(file)}`
}
