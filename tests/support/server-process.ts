import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CEILING_MS } from './eventually.ts'
import { copyPreparedData } from './prepared-data.ts'

export type ServerProcess = {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly process: ChildProcess
  /** Everything it has printed so far. */
  readonly output: string
  /** Stops it in order and waits until it has ended and all that it printed was read. */
  stop(): Promise<number | null>
}

type Options = {
  dataDir?: string
  port?: number
  env?: Record<string, string>
  /** Has the files of the server, if they are not these. */
  folder?: string
}

const ROOT = join(import.meta.dirname, '..', '..')

/** Starts the real server as its users do, on a port of its own, and waits until it says that it is ready. */
export async function startServerProcess(options: Options = {}): Promise<ServerProcess> {
  const { serverProcess, ready } = await launchServerProcess(options)
  await ready
  return serverProcess
}

/**
 * Starts it without waiting. `ready` rejects when it ends before it is ready. While another process has the port, which was free
 * a moment before, it is started again: on another port unless the caller chose it.
 */
export async function launchServerProcess({
  dataDir,
  port,
  env = {},
  folder: cwd = ROOT,
}: Options = {}): Promise<{ serverProcess: ServerProcess; ready: Promise<void> }> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'tallywork-server-')))
  if (env.DATABASE_URL === undefined) copyPreparedData(folder)
  const spawnOn = (listenOn: number) =>
    spawnServer(cwd, listenOn, { PORT: String(listenOn), DATA_DIR: folder, ...env })
  let server = spawnOn(port ?? (await freePort()))
  const ready = (async () => {
    for (const deadline = Date.now() + CEILING_MS; ; ) {
      try {
        return await server.ready
      } catch (error) {
        if (!/ already in use\b/.test(server.output) || Date.now() > deadline) throw error
        server = spawnOn(port ?? (await freePort()))
      }
    }
  })()
  // Callers may look at its output before they wait for it.
  ready.catch(() => {})
  const serverProcess: ServerProcess = {
    get url() {
      return `http://localhost:${server.port}`
    },
    get port() {
      return server.port
    },
    dataDir: folder,
    get process() {
      return server.process
    },
    get output() {
      return server.output
    },
    async stop() {
      const { process: child, closed } = server
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await closed
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
      return child.exitCode
    },
  }
  return { serverProcess, ready }
}

/** One start of a server, which may find its port taken. */
type Attempt = {
  port: number
  process: ChildProcess
  readonly output: string
  ready: Promise<void>
  /** Resolves when it has ended and all that it printed was read. */
  closed: Promise<void>
}

function spawnServer(cwd: string, port: number, env: Record<string, string>): Attempt {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd,
    env: { ...childEnvironment(), LOG_LEVEL: 'warn', DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The server is not ready after ${CEILING_MS} ms:\n${output}`)),
      CEILING_MS,
    )
    // By lines: a part of a line of one stream may arrive between two parts of a line of the other.
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        output += `${line}\n`
        if (!/ is ready at /.test(line)) return
        clearTimeout(late)
        resolve()
      })
    void closed.then(() => {
      clearTimeout(late)
      reject(new Error(`The server ended (${child.exitCode}) before it was ready:\n${output}`))
    })
  })
  return {
    port,
    process: child,
    get output() {
      return output
    },
    ready,
    closed,
  }
}

/** Returns what a process of the server inherits: none of the settings of this one, but its compiled modules. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, USER, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, USER, NODE_COMPILE_CACHE }
}

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}
