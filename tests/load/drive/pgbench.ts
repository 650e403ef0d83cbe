import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs one SQL statement through pgbench, prepared, and returns the rate per second. `script` may use `:turn`, which
 * counts through all clients without a gap, so that no two of them name the same row.
 */
export async function pgbench(
  databaseUrl: string,
  script: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  const url = new URL(databaseUrl)
  const file = join(tmpdir(), `bench-${randomUUID()}.sql`)
  writeFileSync(file, `\\set turn :client_id + ${clients} * :round\n\\set round :round + 1\n${script}\n`)
  try {
    const { stdout } = await run(
      'pgbench',
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        '2',
        '-T',
        String(seconds),
        '-D',
        'round=0',
        '-f',
        file,
        '-h',
        url.searchParams.get('host') ?? url.hostname,
        '-p',
        url.port || '5432',
        '-U',
        url.username,
        url.pathname.slice(1),
      ],
      { maxBuffer: 1e7 },
    ).catch(({ stderr = '' }: { stderr?: string }) => {
      throw new Error(`pgbench failed:\n${stderr.slice(0, 600)}`)
    })
    const [, rate] = /tps = ([\d.]+) \(without initial/.exec(stdout) ?? []
    if (rate === undefined) throw new Error(`pgbench said:\n${stdout}`)
    return Number(rate)
  } finally {
    rmSync(file, { force: true })
  }
}
