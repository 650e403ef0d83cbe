import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openPipelinedConnections } from './pipelined-connections.ts'

/** Where a statement can run: on the pool, or inside one transaction. */
export type Db = { run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> }

/** A running transaction. Functions that need one take it as their first parameter; the pool does not fit there. */
export type Tx = Db & { readonly inTransaction: true }

export type Database = Db & {
  /** Runs `work` in one transaction; a serialisation failure or deadlock runs it again, a bounded number of times. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>, isolation?: 'repeatable read'): Promise<Result>
  close(): Promise<void>
  readonly pool: pg.Pool
  /** How many connections there are, how many of them do nothing, and how many calls wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  /** How often a statement or transaction was run again. */
  readonly counters: { retries: number }
}

/**
 * `timeoutMs`: the time limit of the query, where a statement takes longer than others.
 * `quick`: an indexed read that takes no locks, so it may share a connection (pipelined-connections.ts).
 */
export type StatementOptions = { readonly timeoutMs?: number; readonly quick?: boolean }

export type Statement = StatementOptions & { readonly name: string; readonly sql: string }

/** Every statement of the program by name, so that a test can prepare them all. */
export const STATEMENTS = new Map<string, Statement>()

/** SQL with a name: prepared once per connection, called like a function. Values are always parameters. */
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

export const PIPELINED = { quick: true }

/** The same for SQL that always answers exactly one row. */
export function queryOne<Row, Values extends readonly unknown[]>(
  name: string,
  sql: string,
  options: StatementOptions = {},
) {
  const run = query<Row, Values>(name, sql, options)
  return async (db: Db, ...values: Values): Promise<Row> => {
    const [row] = await run(db, ...values)
    if (row === undefined) throw new Error(`${name} answered no row`)
    return row
  }
}

/** For statements that read whole tables: the audit, the whole marketplace's figures. */
export const WHOLE_TABLE = { timeoutMs: 600_000 }

const RETRIES_MAX = 5
/** A database that does not answer for so long counts as down: whoever asked is told within two seconds. */
const QUERY_TIMEOUT_MS = 1_900
const RETRYABLE = new Set(['40001', '40P01'])

/** So many of its connections a program gives to quick readings: one processor's worth needs no more than four. */
const linesOf = (max: number) => Math.min(4, Math.floor(max / 4))

type Asked = pg.QueryConfig & { query_timeout?: number }

type Options = { max: number; prepare: boolean; onError?: (error: Error) => void }

/**
 * Opens up to `max` connections as they are needed. `int8` comes as number (coins stay below 2^53), times as ISO 8601
 * text, days as yyyy-mm-dd.
 */
export function openDatabase(connection: pg.PoolConfig, options: Options): Database {
  const config: pg.PoolConfig = {
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    ...connection,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  }
  // Where names are off there is an old PgBouncer between, which is given one statement at a time.
  const lineCount = options.prepare ? linesOf(options.max) : 0
  const lines = openPipelinedConnections(config, lineCount, (error) => options.onError?.(error))
  const pool = new pg.Pool({ ...config, max: options.max - lineCount })
  // A connection that breaks while nobody waits for an answer on it, idle or between two statements of a transaction,
  // is replaced by the pool; without these listeners it would end the program.
  pool.on('error', (error) => options.onError?.(error))
  pool.on('connect', (client) => client.on('error', () => {}))
  const counters = { retries: 0 }

  const again = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (
          attempt >= RETRIES_MAX ||
          !(error instanceof pg.DatabaseError) ||
          !RETRYABLE.has(error.code ?? '')
        )
          throw error
        counters.retries++
        await sleep(Math.random() * 10 * 2 ** attempt)
      }
    }
  }

  const on = (client: pg.Pool | pg.PoolClient): Db['run'] => {
    return async <Row>(statement: Statement, values: readonly unknown[]) => {
      const asked: Asked = {
        text: statement.sql,
        values: values as unknown[],
        ...(options.prepare && { name: statement.name }),
        ...(statement.timeoutMs !== undefined && { query_timeout: statement.timeoutMs }),
      }
      const shared = client === pool && statement.quick === true
      const { rows } = await (shared ? queryPipelined(asked) : client.query(asked))
      return rows as Row[]
    }
  }

  // A line is lost with all that is under way on it, often for the sake of one: readings can be asked for again.
  const queryPipelined = async (asked: Asked): Promise<pg.QueryResult> => {
    const until = performance.now() + (asked.query_timeout ?? config.query_timeout ?? QUERY_TIMEOUT_MS)
    try {
      return await (lines.read(asked) ?? pool.query(asked))
    } catch (error) {
      const left = until - performance.now()
      if (!isLoss(error) || left < 1) throw error
      const again: Asked = { ...asked, query_timeout: left }
      return pool.query(again)
    }
  }

  const run = on(pool)
  return {
    pool,
    counters,
    run: (statement, values) => again(() => run(statement, values)),
    connections: () => ({
      total: pool.totalCount + lines.open,
      idle: pool.idleCount + lines.idle,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await Promise.all([pool.end(), lines.close()])
    },
    transaction: (work, isolation) =>
      again(async () => {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          await client.query(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`)
          const result = await work({ inTransaction: true, run: on(client) })
          await client.query('commit')
          return result
        } catch (error) {
          // A connection that does not answer is given up with its transaction; a rollback would wait behind it.
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

/** Whether `pg` gave up waiting for an answer. The statement may still have happened. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Whether the connection broke, before the answer was complete. */
function isLoss(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? /^(57P|08)/.test(error.code ?? '') : !isQueryTimeout(error)
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

/** PostgreSQL's `2026-01-31 08:00:00.25+00` as ISO 8601 with milliseconds. Rows are full of times, a Date is dear. */
export function isoTime(text: string): string {
  const inUtc = text.length >= 22 && text.length <= 29 && text[4] === '-' && text.endsWith('+00')
  if (!inUtc) return new Date(text).toISOString()
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`
}
