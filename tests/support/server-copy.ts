import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
/** The files that a server runs with. */
const PARTS = ['server', 'contract', 'package.json']

/** Copies this server to a new folder, so that its files may change. Returns the folder. */
export async function copyServer(folder: string): Promise<string> {
  await mkdir(folder)
  for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Copies the server of a commit, and `parts` beside it, to a new folder. Returns the folder. */
export function copyOfCommit(folder: string, commit: string, ...parts: string[]): string {
  mkdirSync(folder)
  const script = 'git archive "$1" "${@:3}" | tar -x -C "$2" && ln -s "$PWD/node_modules" "$2"'
  execFileSync('bash', ['-o', 'pipefail', '-c', script, 'copy', commit, folder, ...PARTS, ...parts], {
    cwd: ROOT,
  })
  return folder
}

/** A migration of tables that everybody uses, and an index. */
const NEWER_MIGRATIONS = {
  '9000_newer.sql': 'alter table tasks add column newer int; alter table users add column newer int;',
  '9001_newer.online.sql': 'create index concurrently tasks_newer on tasks (newer);',
}
/** A function with other parameters, which cannot serve the call of the version before, and its call. */
const NEWER_CODE = [
  { name: 'register.sql', from: 'p_id uuid, p_role', to: 'p_newer text, p_id uuid, p_role' },
  { name: 'register.ts', from: 'register_user($1,', to: 'register_user(null, $1,' },
]

/** Copies this server to a new folder and makes it version 99.0.0. Returns the folder. */
export async function copyAsNewerVersion(folder: string): Promise<string> {
  await copyServer(folder)
  await replaceIn(join(folder, 'package.json'), /"version": ".+"/, '"version": "99.0.0"')
  for (const [name, sql] of Object.entries(NEWER_MIGRATIONS))
    await writeFile(join(folder, 'server', 'database', 'migrations', name), sql)
  for (const { name, from, to } of NEWER_CODE)
    await replaceIn(join(folder, 'server', 'users', name), from, to)
  return folder
}

/** @throws Error when the file does not have the text. */
async function replaceIn(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const changed = text.replace(from, () => to)
  if (changed === text) throw new Error(`${file} has no ${from}`)
  await writeFile(file, changed)
}
