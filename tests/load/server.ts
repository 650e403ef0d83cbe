import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export const METRICS_TOKEN = 'a token of the bench'

export type Running = { port: number; pid: number; stop(): Promise<void> }

/** Settings of a measured server: those of production, with its metrics and its log. */
export function productionEnv(databaseUrl: string, dataDir: string, port: number): Record<string, string> {
  return {
    NODE_ENV: 'production',
    // The measured Admins sign in with their password.
    ADMIN_SECOND_FACTOR: 'offered',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    AUTH_SECRET: RANDOM_SECRET,
    METRICS_TOKEN,
    CARD_PROVIDER: 'sandbox',
    ALLOW_SANDBOX: '1',
    MAIL: 'folder',
    // The same buyers reject again and again, and the ordinary rejection is measured.
    MASS_REJECTION_PERCENT: '100',
    // The load comes from one network.
    WRITE_LIMIT_FACTOR: '1000000',
    // The drivers are many clients at one address, as a proxy is.
    TRUST_PROXY: '127.0.0.1',
  }
}

/** Starts a server process and waits until it is ready. */
export async function start(args: string[], port: number, env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(child)
  return {
    port,
    pid: child.pid as number,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended (${code}) before it was ready`)))
    let output = ''
    const read = (chunk: Buffer) => {
      output += String(chunk)
      if (!/ready/.test(output)) return
      // The log is read on, and thrown away.
      child.stdout?.off('data', read).resume()
      resolve()
    }
    child.stdout?.on('data', read)
  })
}
