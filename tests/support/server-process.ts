import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CEILING_MS } from './eventually.ts'
import { copyPreparedData } from './prepared-data.ts'

export type Program = {
  url: string
  port: number
  dataDir: string
  process: ChildProcess
  /** Everything it has printed so far. */
  readonly output: string
  /** Stops it in order and waits for its exit. */
  stop(): Promise<number | null>
}

type Options = {
  dataDir?: string
  port?: number
  env?: Record<string, string>
  /** Has the files of the server, if they are not these. */
  folder?: string
  /** Whether the server itself creates its embedded database. Otherwise it finds an empty one, if there is none yet. */
  createsDatabase?: boolean
}

const ROOT = join(import.meta.dirname, '..', '..')

/** Starts the real program as its users do, on a port of its own, and waits until it says that it is ready. */
export async function startProgram(options: Options = {}): Promise<Program> {
  const { program, ready } = await launchProgram(options)
  await ready
  return program
}

/** Starts it without waiting. `ready` rejects when it ends before it is ready. */
export async function launchProgram({
  dataDir,
  port,
  env = {},
  folder: cwd = ROOT,
  createsDatabase = false,
}: Options = {}): Promise<{ program: Program; ready: Promise<void> }> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'tallywork-program-')))
  if (env.DATABASE_URL === undefined && !createsDatabase) copyPreparedData(folder)
  const listenOn = port ?? (await freePort())
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd,
    env: {
      ...childEnvironment(),
      PORT: String(listenOn),
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The server is not ready after ${CEILING_MS} ms:\n${output}`)),
      CEILING_MS,
    )
    const receive = (chunk: Buffer) => {
      output += String(chunk)
      if (/ is ready at /.test(output)) {
        clearTimeout(late)
        resolve()
      }
    }
    child.stdout.on('data', receive)
    child.stderr.on('data', receive)
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`The server ended (${code}) before it was ready:\n${output}`))
    })
  })
  const program: Program = {
    url: `http://localhost:${listenOn}`,
    port: listenOn,
    dataDir: folder,
    process: child,
    get output() {
      return output
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
      }
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
      return child.exitCode
    },
  }
  return { program, ready }
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
