import pg from 'pg'
import { traceStatement } from '#server/tracing.ts'
import { type FunctionSet, ownFunctions } from './function-set.ts'
import { openPipelinedConnections } from './pipelined-connections.ts'
import { retryConflicts } from './retry.ts'

/** Runs statements, on the pool or inside one transaction. */
export type Db = { run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> }

/** An open transaction. Functions that need one take it as their first parameter; passing the pool does not compile. */
export type Tx = Db & { readonly inTransaction: true }

export type Database = Db & {
  /** Runs `work` in one transaction. Retries serialisation failures and deadlocks, a bounded number of times. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>, isolation?: 'repeatable read'): Promise<Result>
  close(): Promise<void>
  /** Its statements are sent as they are, without the schema of functions. */
  readonly pool: pg.Pool
  /** The functions that statements call. */
  readonly functions: FunctionSet
  /** Counts the connections, the idle ones, and the requests that wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  /** Retries of statements and transactions since the start. */
  readonly counters: { retries: number }
}

/**
 * `timeoutMs` overrides the query timeout for statements that may take longer.
 * `pipelined` marks short reads that take no locks and use an index; they share connections (pipelined-connections.ts).
 */
export type StatementOptions = { readonly timeoutMs?: number; readonly pipelined?: boolean }

export type Statement = StatementOptions & { readonly name: string; readonly sql: string }

/** Every named statement, so that tests can prepare them all. */
export const STATEMENTS = new Map<string, Statement>()

/** Declares a named statement, prepared once per connection and called like a function. Values are always parameters. */
export function query<Row, Values extends readonly unknown[]>(
  name: string,
  sql: string,
  options: StatementOptions = {},
): (db: Db, ...values: Values) => Promise<Row[]> {
  const statement = { name, sql, ...options }
  if (STATEMENTS.has(name)) throw new Error(`Two statements are called ${name}`)
  STATEMENTS.set(name, statement)
  return (db, ...values) => db.run<Row>(statement, values)
}

export const PIPELINED = { pipelined: true }

/** Declares a statement as `query` does, for SQL that always returns exactly one row. */
export function queryOne<Row, Values extends readonly unknown[]>(
  name: string,
  sql: string,
  options: StatementOptions = {},
) {
  const run = query<Row, Values>(name, sql, options)
  return async (db: Db, ...values: Values): Promise<Row> => {
    const [row] = await run(db, ...values)
    if (row === undefined) throw new Error(`${name} returned no row`)
    return row
  }
}

/** Options of statements that read whole tables: the audit and the totals of the marketplace. */
export const WHOLE_TABLE = { timeoutMs: 600_000 }
/** Options of statements that read or change all rows of a user, a batch or a file. */
export const MANY_ROWS = { timeoutMs: 60_000 }

/** A query without a result after this time fails, so that clients get a 503 within two seconds. */
const QUERY_TIMEOUT_MS = 1_900

/** How often, in ms, PostgreSQL looks whether the client of a running statement is still there. */
export const CLIENT_CHECK = 'client_connection_check_interval = 1000'

/** Returns the share of the connections used for pipelined reads. Four saturate one processor. */
const pipelinedShare = (max: number) => Math.min(4, Math.floor(max / 4))

type Query = pg.QueryConfig & { query_timeout?: number }

/** `functions` are those of this version unless the database has others. */
type Options = {
  max: number
  prepare: boolean
  functions?: FunctionSet
  onError?: (error: Error) => void
}

/**
 * Opens up to `max` connections on demand. Returns `int8` as number (coins stay below 2^53), times as ISO 8601 text and
 * dates as yyyy-mm-dd.
 */
export function openDatabase(connection: pg.PoolConfig, options: Options): Database {
  const config: pg.PoolConfig = {
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    ...connection,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  }
  // Names are off for an old PgBouncer, which does not support pipelining.
  const pipelinedCount = options.prepare ? pipelinedShare(options.max) : 0
  const pipelined = openPipelinedConnections(config, pipelinedCount, endAbandonedStatements, (error) =>
    options.onError?.(error),
  )
  const pool = new pg.Pool({
    ...config,
    max: options.max - pipelinedCount,
    // The pool waits for the promise, of which its type knows nothing.
    onConnect: endAbandonedStatements as (client: pg.ClientBase) => void,
  })
  // The pool replaces connections that break while idle or between two statements of a transaction. Without these
  // listeners the error would end the process.
  pool.on('error', (error) => options.onError?.(error))
  pool.on('connect', (client) => client.on('error', () => {}))
  const counters = { retries: 0 }
  const functions = options.functions ?? ownFunctions()
  const qualifiedSql = new WeakMap<Statement, string>()

  function textOf(statement: Statement): string {
    let text = qualifiedSql.get(statement)
    if (text === undefined) {
      text = functions.qualify(statement.sql)
      qualifiedSql.set(statement, text)
    }
    return text
  }

  const withRetry = <Result>(work: () => Promise<Result>) => retryConflicts(work, () => counters.retries++)

  const on = (client: pg.Pool | pg.PoolClient): Db['run'] => {
    return async <Row>(statement: Statement, values: readonly unknown[]) => {
      const request: Query = {
        text: textOf(statement),
        values: values as unknown[],
        ...(options.prepare && { name: statement.name }),
        ...(statement.timeoutMs !== undefined && { query_timeout: statement.timeoutMs }),
      }
      const isPipelined = client === pool && statement.pipelined === true
      const send = () => {
        if (isPipelined) return queryPipelined(request)
        return client === pool ? queryPool(request) : client.query(request)
      }
      const { rows } = await traceStatement(statement.name, send)
      return rows as Row[]
    }
  }

  // pool.query closes the connection of every failed query. After a refusal it stays open: a new one has to read the
  // catalogs and plan every function again.
  const queryPool = async (request: Query): Promise<pg.QueryResult> => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      return await client.query(request)
    } catch (error) {
      if (!isAboutValues(error)) broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  // A lost connection fails every query in flight on it. Reads are retried on the pool, within the same timeout.
  const queryPipelined = async (request: Query): Promise<pg.QueryResult> => {
    const deadline = performance.now() + (request.query_timeout ?? config.query_timeout ?? QUERY_TIMEOUT_MS)
    try {
      return await (pipelined.query(request) ?? queryPool(request))
    } catch (error) {
      const remainingMs = deadline - performance.now()
      if (!isConnectionLoss(error) || remainingMs < 1) throw error
      const retry: Query = { ...request, query_timeout: remainingMs }
      return queryPool(retry)
    }
  }

  const run = on(pool)
  return {
    pool,
    functions,
    counters,
    run: (statement, values) => withRetry(() => run(statement, values)),
    connections: () => ({
      total: pool.totalCount + pipelined.open,
      idle: pool.idleCount + pipelined.idle,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await Promise.all([pool.end(), pipelined.close()])
    },
    transaction: (work, isolation) =>
      withRetry(async () => {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          await client.query(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`)
          const result = await work({ inTransaction: true, run: on(client) })
          await client.query('commit')
          return result
        } catch (error) {
          // A connection with a timed-out query is closed; a rollback would wait behind that query.
          if (isQueryTimeout(error)) broken = error as Error
          else {
            await client.query('rollback').catch((failure: Error) => {
              broken = failure
            })
          }
          throw error
        } finally {
          client.release(broken)
        }
      }),
  }
}

/**
 * Lets PostgreSQL end a statement whose client has closed the connection, as after the query timeout. It would wait for its lock
 * instead, and each retry would take another connection until none is left. Not every platform of PostgreSQL supports it.
 */
async function endAbandonedStatements(client: pg.ClientBase): Promise<void> {
  try {
    await client.query(`set ${CLIENT_CHECK}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

/** Returns whether a query timed out. Its statement may still have been executed. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Returns whether the connection broke before the result was complete. */
function isConnectionLoss(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? /^(57P|08)/.test(error.code ?? '') : !isQueryTimeout(error)
}

/**
 * Returns whether a statement failed for its values: a refusal (refuse.sql), invalid data, a constraint or a conflict. Other
 * errors may come from the state of the connection, like a plan that no longer fits its table.
 */
function isAboutValues(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(TW|22|23|40)/.test(error.code ?? '')
}

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

function parserOf(oid: number, format: 'text' | 'binary') {
  if (oid === INT8) return Number
  if (oid === DATE) return String
  if (oid === TIMESTAMPTZ) return isoTime
  return pg.types.getTypeParser(oid, format as 'text')
}

/** Converts PostgreSQL's `2026-01-31 08:00:00.25+00` to ISO 8601 with milliseconds, without the cost of a Date per row. */
export function isoTime(text: string): string {
  const inUtc = text.length >= 22 && text.length <= 29 && text[4] === '-' && text.endsWith('+00')
  if (!inUtc) return new Date(text).toISOString()
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`
}
