import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

type Load = { clients: number; seconds: number }

/** Rows of pgbench's own tables: ten million accounts. */
const TPC_B_SCALE = '100'
/**
 * Each connection plans and compiles what it executes first, which takes as long as dozens of executions. The server's
 * connections are warm when they are measured, and so are these.
 */
const WARM_UP_SECONDS = 3

/**
 * Runs pgbench's own transaction, which resembles TPC-B, and returns the rate per second. Its tables are made once in a
 * database of this server.
 */
export async function tpcB(serverUrl: string, load: Load): Promise<number> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  const { rowCount } = await client.query(`select from pg_database where datname = 'tpc_b'`)
  if (rowCount === 0) {
    await client.query('drop database if exists tpc_b_draft')
    await client.query('create database tpc_b_draft')
    await runPgbench(serverUrl, 'tpc_b_draft', ['-i', '-q', '-s', TPC_B_SCALE])
    await client.query('alter database tpc_b_draft rename to tpc_b')
  }
  await client.end()
  return rateOf(await runPgbench(serverUrl, 'tpc_b', argumentsOf(load)))
}

/**
 * Runs one SQL statement through pgbench, prepared, and returns the rate per second. `script` may use `:turn`, which
 * counts through all clients without a gap, so that no two of them name the same row.
 */
export async function pgbench(databaseUrl: string, script: string, load: Load): Promise<number> {
  const file = join(tmpdir(), `bench-${randomUUID()}.sql`)
  writeFileSync(file, `\\set turn :client_id + ${load.clients} * :round\n\\set round :round + 1\n${script}\n`)
  try {
    const database = new URL(databaseUrl).pathname.slice(1)
    return rateOf(
      await runPgbench(databaseUrl, database, [...argumentsOf(load), '-D', 'round=0', '-f', file]),
    )
  } finally {
    rmSync(file, { force: true })
  }
}

const argumentsOf = ({ clients, seconds }: Load) =>
  ['-n', '-M', 'prepared', '-P', 1, '-c', clients, '-j', 2, '-T', WARM_UP_SECONDS + seconds].map(String)

/** Runs pgbench to its end, and returns what it wrote about its progress. */
async function runPgbench(serverUrl: string, database: string, options: string[]): Promise<string> {
  const { searchParams, hostname, port, username } = new URL(serverUrl)
  const server = ['-h', searchParams.get('host') ?? hostname, '-p', port || '5432', '-U', username]
  const { stderr } = await run('pgbench', [...options, ...server, database], { maxBuffer: 1e7 }).catch(
    ({ stderr = '' }: { stderr?: string }) => {
      throw new Error(`pgbench failed:\n${stderr.slice(0, 600)}`)
    },
  )
  return stderr
}

/** Returns the mean rate of the seconds after the first ones, of lines like `progress: 4.0 s, 3141.0 tps, lat …`. */
function rateOf(progress: string): number {
  const rates = [...progress.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)]
    .slice(WARM_UP_SECONDS)
    .map(([, rate]) => Number(rate))
  if (rates.length === 0) throw new Error(`pgbench said:\n${progress}`)
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length
}
