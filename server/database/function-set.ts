import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { hashOf, readSql, type SqlFile, statementsIn, withoutComments } from './sql-files.ts'

/**
 * The SQL functions of one version, in a schema of their own, so that instances of neighbouring versions call theirs
 * (docs/decisions/0078-versions-side-by-side.md).
 */
export type FunctionSet = {
  readonly schema: string
  /** Changes with every file. */
  readonly fingerprint: string
  readonly files: readonly SqlFile[]
  readonly names: ReadonlySet<string>
  /** Creates the functions, with the schema in each name. */
  readonly sql: string
  /** Of each file, the triggers with their functions, and copies of what those call. One version of these is in `public`. */
  readonly shared: readonly SqlFile[]
  /** Writes the schema before the name of each function of the set that SQL calls or creates. */
  qualify(sql: string): string
}

const SERVER = join(import.meta.dirname, '..')
/** The folder whose functions all others may call, and the folder in it whose files are not part of the set. */
const FIRST = join(SERVER, 'database')
const MIGRATIONS = join(FIRST, 'migrations')

const CREATE = /\bcreate or replace function (\w+)\s*\(/
const RETURNS_TRIGGER = /\breturns\s+trigger\b/
/** A name before a parenthesis, neither qualified nor in quotes. */
const CALL = /(?<![\w.$"'])[a-z]\w*(?=\s*\()/g

let own: FunctionSet | undefined

/** Returns the functions of this version of the server. */
export function ownFunctions(): FunctionSet {
  own ??= functionSet(readSql(functionFiles()))
  return own
}

/** Returns the paths of every SQL file below server/ except migrations. Those of database/ come first. */
function functionFiles(): string[] {
  // One walk through the folders, at every start: each pattern of a glob is one more.
  const paths = readdirSync(SERVER, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.sql') && parentPath !== MIGRATIONS)
    .map(({ name, parentPath }) => join(parentPath, name))
    .toSorted()
  const isFirst = (path: string) => path.startsWith(FIRST + sep)
  return [...paths.filter(isFirst), ...paths.filter((path) => !isFirst(path))]
}

/** Returns the function set of these files. */
export function functionSet(files: readonly SqlFile[]): FunctionSet {
  const fingerprint = hashOf(JSON.stringify(files))
  const schema = `functions_${fingerprint.slice(0, 12)}`
  const statements = files.flatMap((file) => statementsIn(file.sql).map((sql) => statementOf(file.path, sql)))
  const functions = statements.filter(({ name, isOfTrigger }) => name !== undefined && !isOfTrigger)
  const names = new Set(functions.map(({ name = '' }) => name))
  const qualify = (sql: string) => qualified(sql, names, schema)
  let sql: string | undefined
  let shared: SqlFile[] | undefined
  return {
    schema,
    fingerprint,
    files,
    names,
    // Needed where functions are installed: not at most starts.
    get sql() {
      sql ??= functions.map((statement) => qualify(statement.sql)).join('\n')
      return sql
    },
    get shared() {
      shared ??= sharedFiles(files, statements)
      return shared
    },
    qualify,
  }
}

/** Returns what triggers need from each file, without files that contain none of it. */
function sharedFiles(files: readonly SqlFile[], statements: readonly Statement[]): SqlFile[] {
  const needed = neededByTriggers(statements)
  return files
    .map((file) => ({ ...file, sql: needed.filter(({ path }) => path === file.path) }))
    .filter(({ sql }) => sql.length > 0)
    .map(({ sql, ...file }) => ({ ...file, sql: sql.map((statement) => statement.sql).join('\n\n') }))
}

/** Returns `set` as another version installed it: with the names of this one, in the schema of that one. */
export function inSchema(set: FunctionSet, schema: string): FunctionSet {
  return { ...set, schema, qualify: (sql) => qualified(sql, set.names, schema) }
}

const qualified = (sql: string, names: ReadonlySet<string>, schema: string) =>
  sql.replace(CALL, (name) => (names.has(name) ? `${schema}.${name}` : name))

type Statement = {
  path: string
  sql: string
  name: string | undefined
  isOfTrigger: boolean
  calls: string[]
}

function statementOf(path: string, sql: string): Statement {
  const code = withoutComments(sql)
  const name = CREATE.exec(code)?.[1]
  return {
    path,
    sql,
    name,
    isOfTrigger: name === undefined || RETURNS_TRIGGER.test(code),
    calls: code.match(CALL) ?? [],
  }
}

/** Returns the triggers, their functions, and what those call directly or through others. */
function neededByTriggers(statements: readonly Statement[]): Statement[] {
  const byName = new Map(statements.map((statement) => [statement.name, statement]))
  const needed = new Set(statements.filter(({ isOfTrigger }) => isOfTrigger))
  // A set also visits what is added meanwhile.
  for (const { calls } of needed)
    for (const name of calls) {
      const called = byName.get(name)
      if (called !== undefined) needed.add(called)
    }
  return statements.filter((statement) => needed.has(statement))
}
