import { join } from 'node:path'
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
/** Every SQL file below server/ except migrations. Those of database/ come first, because the others call them. */
const FILES = ['database/*.sql', 'database/!(migrations)/**/*.sql', '*.sql', '!(database)/**/*.sql']

const CREATE = /\bcreate or replace function (\w+)\s*\(/
const RETURNS_TRIGGER = /\breturns\s+trigger\b/
/** A name before a parenthesis, neither qualified nor in quotes. */
const CALL = /(?<![\w.$"'])[a-z]\w*(?=\s*\()/g

let own: FunctionSet | undefined

/** Returns the functions of this version of the server. */
export function ownFunctions(): FunctionSet {
  own ??= functionSet(FILES.flatMap((pattern) => readSql(join(SERVER, pattern))))
  return own
}

/** Returns the set that the functions in these files are. */
export function functionSet(files: readonly SqlFile[]): FunctionSet {
  const fingerprint = hashOf(JSON.stringify(files))
  const schema = `functions_${fingerprint.slice(0, 12)}`
  const statements = files.flatMap((file) => statementsIn(file.sql).map((sql) => statementOf(file.path, sql)))
  const functions = statements.filter(({ name, isOfTrigger }) => name !== undefined && !isOfTrigger)
  const names = new Set(functions.map(({ name = '' }) => name))
  const qualify = (sql: string) => qualified(sql, names, schema)
  const shared = neededByTriggers(statements)
  return {
    schema,
    fingerprint,
    files,
    names,
    sql: functions.map(({ sql }) => qualify(sql)).join('\n'),
    shared: files
      .map((file) => ({ ...file, sql: shared.filter(({ path }) => path === file.path) }))
      .filter(({ sql }) => sql.length > 0)
      .map(({ sql, ...file }) => ({ ...file, sql: sql.map((statement) => statement.sql).join('\n\n') })),
    qualify,
  }
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
