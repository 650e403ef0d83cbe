import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SERVER_ROLE } from '#server/database/server-role.ts'

const POSTGRES_PORT = 4910
const PGBOUNCER_PORT = 4911
const USER = 'tallywork'

/** An external PostgreSQL, as an operator runs it, and PgBouncer in transaction mode before it. */
export type External = {
  url: string
  pooledUrl: string
  version: string
  pgbouncer: string
  stop(): Promise<void>
}

/**
 * Starts Debian's PostgreSQL and PgBouncer in a temporary folder. Neither runs as root, so under root they run as
 * `postgres`. @param prepared whether PgBouncer is to keep prepared names (from version 1.21 on).
 */
export async function startExternal(prepared: boolean): Promise<External> {
  const [bin] = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
  if (bin === undefined || !existsSync('/usr/sbin/pgbouncer')) {
    throw new Error('This needs PostgreSQL and PgBouncer: apt-get install postgresql pgbouncer')
  }
  const folder = mkdtempSync(join(tmpdir(), 'tallywork-external-'))
  const owner = ownerOf(folder)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
    { ...owner, cwd: folder },
  )
  if (made.status !== 0) throw new Error(String(made.stderr))

  const postgres = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(POSTGRES_PORT),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
      '-c',
      'max_connections=200',
      '-c',
      'log_min_messages=log',
    ],
    { ...owner, cwd: folder, stdio: 'ignore' },
  )
  const url = `postgresql://${USER}@127.0.0.1:${POSTGRES_PORT}/postgres`
  await responses(url)

  writeFileSync(join(folder, 'users.txt'), `"${USER}" ""\n"${SERVER_ROLE}" ""\n`)
  writeFileSync(join(folder, 'pgbouncer.ini'), bouncerSettings(folder, prepared))
  const pgbouncer = spawn('/usr/sbin/pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  })
  const pooledUrl = `postgresql://${USER}@127.0.0.1:${PGBOUNCER_PORT}/postgres`
  await responses(pooledUrl)

  return {
    url,
    pooledUrl,
    version: versionOf(join(bin, 'postgres')),
    pgbouncer: versionOf('/usr/sbin/pgbouncer'),
    async stop() {
      await end(pgbouncer, 'SIGINT')
      await end(postgres, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function bouncerSettings(folder: string, prepared: boolean): string {
  return `[databases]
* = host=127.0.0.1 port=${POSTGRES_PORT}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${PGBOUNCER_PORT}
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
server_idle_timeout = 5
${prepared ? 'max_prepared_statements = 500' : ''}
`
}

/** The user that runs the database: this one, or `postgres` under root; the folder becomes theirs. */
function ownerOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(String(spawnSync('id', [flag, 'postgres']).stdout).trim())
  const owner = { uid: idOf('-u'), gid: idOf('-g') }
  mkdirSync(folder, { recursive: true })
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

async function responses(url: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; ; await sleep(100)) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

function versionOf(program: string): string {
  return String(spawnSync(program, ['--version']).stdout).split('\n')[0] ?? ''
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
