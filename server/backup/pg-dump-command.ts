import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { runCommand } from '#server/run-command.ts'

/** Where packages of PostgreSQL install their programs, in addition to PATH. */
const PLACES = ['/usr/lib/postgresql/*/bin/pg_dump', '/opt/homebrew/opt/postgresql@*/bin/pg_dump']

/**
 * `npm run pg-dump -- FILE` writes the configured database, embedded or external, with PostgreSQL's own `pg_dump` in its
 * custom format, for `pg_restore` and for moves to another PostgreSQL. The npm packages of the embedded one have no `pg_dump`.
 */
const [path = ''] = process.argv.slice(2)
if (path === '') {
  console.error('Usage: npm run pg-dump -- FILE')
  process.exit(2)
}
await runCommand(() => dump(resolve(path)))

async function dump(file: string): Promise<void> {
  const { maintenance, close } = await connectToOwnSchema(readConfig(), (line) => console.log(line))
  try {
    const { rows } = await maintenance.query<{ major: number }>(
      `select current_setting('server_version_num')::int / 10000 as major`,
    )
    const program = programFor(rows[0]?.major ?? 0)
    const url = new URL(maintenance.options.connectionString ?? '')
    const password = decodeURIComponent(url.password)
    // Other users of the machine can read the arguments of a process.
    url.password = ''
    const { status, stderr } = spawnSync(
      program,
      ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`, `--dbname=${url.href}`],
      { encoding: 'utf8', env: { PATH: process.env.PATH, ...(password !== '' && { PGPASSWORD: password }) } },
    )
    if (status !== 0) throw new BadConfig(`pg_dump failed: ${stderr.trim()}`)
    console.log(`Wrote ${file}`)
  } finally {
    await close()
  }
}

/** Returns a pg_dump that is not older than the server. @throws BadConfig when there is none. */
function programFor(major: number): string {
  for (const program of ['pg_dump', ...PLACES.flatMap((place) => globSync(place))]) {
    const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    if (status === 0 && Number(/ (\d+)/.exec(stdout)?.[1]) >= major) return program
  }
  throw new BadConfig(
    `This needs pg_dump ${major} or later. Install the client of PostgreSQL ${major} (on Debian postgresql-client-${major} of apt.postgresql.org).`,
  )
}
