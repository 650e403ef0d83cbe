import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'

const SERVER = join(import.meta.dirname, '..')

/** `path` is below server/ for the files of the server itself. */
export type SqlFile = { path: string; name: string; sql: string }

/** Reads SQL files, in this order. */
export function readSql(paths: readonly string[]): SqlFile[] {
  return paths.map((path) => ({
    path: relative(SERVER, path),
    name: basename(path),
    sql: readFileSync(path, 'utf8'),
  }))
}

/** Reads the SQL files of a folder, in the order of their names. */
export function readSqlIn(folder: string): SqlFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return readSql(names.toSorted().map((name) => join(folder, name)))
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Comments, strings, quoted names and the bodies of functions, which may contain semicolons; or a semicolon outside of them. */
const QUOTED_OR_END = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g

/** Splits SQL into statements, each with its semicolon and the comment before it. */
export function statementsIn(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const { 0: token, index } of sql.matchAll(QUOTED_OR_END)) {
    if (token !== ';') continue
    statements.push(sql.slice(start, index + 1).trim())
    start = index + 1
  }
  const rest = sql.slice(start).trim()
  if (withoutComments(rest).trim() !== '') statements.push(`${rest}\n;`)
  return statements
}

/** Removes the comments to the ends of lines. */
export const withoutComments = (sql: string) => sql.replace(/--.*$/gm, '')
