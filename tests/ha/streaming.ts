import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childrenOf, signalProcess } from '#tests/support/processes.ts'
import { freePort } from '#tests/support/server-process.ts'
import { owner, POSTGRES_BIN } from './cluster.ts'

/** A PostgreSQL server of Debian: the primary or one of its replicas. */
export type Standby = {
  name: string
  folder: string
  port: number
  url(database: string): string
  start(): void
  /** Sends a signal to the server and all its processes. */
  signal(name: NodeJS.Signals): Promise<void>
  /** Changes a setting of the running server. */
  set(name: string, value: string): Promise<void>
}

/** Says what is missing on this machine, or nothing. */
export function missingForStreaming(): string | undefined {
  if (existsSync(POSTGRES_BIN)) return undefined
  return 'This needs postgresql-15. On Debian 12, as root: apt-get install -y --no-install-recommends postgresql-15'
}

/** Starts a primary and `count` streaming replicas of it on loopback ports, in one temporary folder. */
export async function startStreaming(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-streaming-'))
  await chmod(folder, 0o755)
  const user = owner()
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid)

  function run(command: string, ...parameters: string[]): void {
    const { status, stderr } = spawnSync(join(POSTGRES_BIN, command), parameters, {
      cwd: folder,
      env: { HOME: folder, LC_ALL: 'C.UTF-8', PGPASSWORD: password },
      // A started server keeps the streams open.
      stdio: ['ignore', 'ignore', command === 'pg_ctl' ? 'ignore' : 'pipe'],
      encoding: 'utf8',
      ...user,
    })
    if (status !== 0) throw new Error(`${command} failed: ${stderr ?? `see ${folder}`}`)
  }

  function server(name: string, port: number): Standby {
    const data = join(folder, name)
    const control = (action: string, ...more: string[]) => run('pg_ctl', '-D', data, ...more, action)
    return {
      name,
      folder: data,
      port,
      url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
      start: () => control('start', '-w', '-l', `${data}.log`, '-o', `-p ${port} -h 127.0.0.1 -k ${folder}`),
      async signal(signal) {
        const postmaster = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10)
        if (postmaster > 0)
          for (const pid of [postmaster, ...childrenOf(postmaster)]) signalProcess(pid, signal)
      },
      async set(setting, value) {
        await appendFile(join(data, 'postgresql.auto.conf'), `${setting} = '${value}'\n`)
        control('reload')
      },
    }
  }

  const primary = server('primary', await freePort())
  run('initdb', '-D', primary.folder, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`)
  await appendFile(
    join(primary.folder, 'postgresql.conf'),
    `shared_buffers = '32MB'\nwal_keep_size = '64MB'\nhot_standby_feedback = on\n`,
  )
  primary.start()
  const replicas: Standby[] = []
  for (let number = 1; number <= count; number++) {
    const replica = server(`replica${number}`, await freePort())
    run('pg_basebackup', '-D', replica.folder, '-d', primary.url('postgres'), '-R', '--checkpoint=fast')
    replica.start()
    replicas.push(replica)
  }
  return {
    primary,
    replicas,
    async stop() {
      for (const each of [...replicas, primary]) {
        await each.signal('SIGCONT').catch(() => {})
        await each.signal('SIGQUIT').catch(() => {})
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
