import type { Spent } from './drive/machine.ts'
import { median } from './drive/percentile.ts'
import type { Driven } from './drive/wrk.ts'

/** What one operation of the bench cost. Each metric of several rounds is their median; requests, errors and emails are sums. */
export type Measured = Driven &
  Spent & {
    name: string
    limit: string
    limitPerSecond: number
    tpcBPerSecond: number
    /** Sent within the run: their processor time is part of the operation's. */
    emails: number
    goal?: number
    /** The p99 of each round, in milliseconds. */
    p99s: number[]
  }

const MEDIANS = [
  'perSecond',
  'p50',
  'p95',
  'p99',
  'serverCpu',
  'databaseCpu',
  'othersCpu',
  'serverMb',
] as const
const SUMS = ['requests', 'errors', 'emails', 'seconds'] as const

/** Returns one result of an operation from those of its rounds. Limits are those of the first. */
export function combined(rounds: readonly [Measured, ...Measured[]]): Measured {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const each = <Name extends keyof Measured>(
    names: readonly Name[],
    of: (values: number[]) => number,
  ): Record<Name, number> =>
    Object.fromEntries(names.map((name) => [name, of(rounds.map((one) => Number(one[name])))])) as Record<
      Name,
      number
    >
  return {
    ...rounds[0],
    ...each(MEDIANS, median),
    ...each(SUMS, sum),
    p99s: rounds.flatMap(({ p99s }) => p99s),
  }
}
