import { STATEMENTS } from '#server/database/database.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import type { Request } from './drive/wrk.ts'

/** An operation of the bench: its request, and the limit it is compared with. */
export type Operation = {
  name: string
  requests(): Request[]
  connections: number
  /** Each request changes something and is sent once. */
  once?: boolean
  /** The rows that one request changes, which are counted instead of requests. */
  rows?: number
  limit: Limit
  /** The share of its limit that it should reach. */
  goal?: number
}

/** The same SQL through pgbench; pgbench's own transaction; a route that does nothing; the password hash alone, as fast as this machine makes it. */
export type Limit = { pgbench: string } | 'TPC-B' | 'empty route' | 'password hash'

/** A statement of the server as pgbench sends it: its parameters replaced by these expressions, one for each. */
export function statement(name: string, ...values: string[]): string {
  const { sql } = STATEMENTS.get(name) ?? {}
  if (sql === undefined) throw new Error(`The server has no statement ${name}`)
  const filled = ownFunctions()
    .qualify(sql)
    .replace(/\$(\d+)/g, (parameter, number) => {
      const value = values[Number(number) - 1]
      if (value === undefined) throw new Error(`The statement ${name} needs a value for ${parameter}`)
      return value
    })
  return `${filled.replace(/\s+/g, ' ')};`
}
