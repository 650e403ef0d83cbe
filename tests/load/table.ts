import type { Measured } from './measured.ts'

const HEAD = [
  'operation',
  'ops/s',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'errors',
  'CPU server',
  'CPU database',
  'µs/op server',
  'µs/op database',
  'emails/op',
  'MB server',
  'limit',
  'limit/s',
  'ratio',
  'goal',
  'of TPC-B',
  'its SQL',
]

/**
 * All metrics as a Markdown table. CPU is percent of one core. The last columns are the rates of the operation and of its
 * SQL through pgbench, divided by that of pgbench's own transaction.
 */
export function asTable(measured: Measured[]): string {
  const rows = measured.map((one) => [
    one.name,
    whole(one.perSecond),
    fine(one.p50),
    fine(one.p95),
    p99(one),
    String(one.errors),
    `${one.serverCpu} %`,
    `${one.databaseCpu} %`,
    whole(perOperation(one.serverCpu, one)),
    whole(perOperation(one.databaseCpu, one)),
    emailsPerOperation(one),
    String(one.serverMb),
    one.limit,
    whole(one.limitPerSecond),
    ratio(one),
    goal(one),
    ofTpcB(one),
    one.limit === 'pgbench' ? share(one.limitPerSecond, one.tpcBPerSecond) : '',
  ])
  return markdown(HEAD, rows)
}

/** What one size of the marketplace measured. */
export type SizeResult = { tasks: number; measured: Measured[] }

/** Compares sizes: each cell has one value per size, and the factor is the largest size's p99 divided by the smallest's. */
export function factorTable(sizes: SizeResult[]): string {
  const names = sizes[0]?.measured.map(({ name }) => name) ?? []
  const rows = names.map((name) => {
    const all = sizes.flatMap(({ measured }) => measured.filter((one) => one.name === name))
    const each = (show: (one: Measured) => string) => all.map(show).join(' / ')
    const [least, most] = [all[0]?.p99 ?? 0, all.at(-1)?.p99 ?? 0]
    return [
      name,
      each((one) => whole(one.perSecond)),
      each((one) => fine(one.p95)),
      each(p99),
      (most / least).toFixed(1),
      each((one) => whole(perOperation(one.databaseCpu, one))),
    ]
  })
  const columns = ['ops/s', 'p95 ms', 'p99 ms', 'p99 factor', 'µs/op database']
  return markdown([`${sizes.map(({ tasks }) => whole(tasks)).join(' / ')} tasks`, ...columns], rows)
}

/** Writes rows as a Markdown table whose first column is text. */
export function markdown(head: string[], rows: string[][]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? ` ${'-'.repeat(width)} ` : ` ${'-'.repeat(width - 1)}: `)).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** Prints one line during a run. */
export function headline(one: Measured): string {
  return `${one.name}: ${whole(one.perSecond)}/s, p99 ${fine(one.p99)} ms, ${whole(perOperation(one.serverCpu, one))} µs server, ${whole(perOperation(one.databaseCpu, one))} µs database, ${emailsPerOperation(one)} emails, ${one.errors} errors; ${one.limit} ${whole(one.limitPerSecond)}/s, ratio ${ratio(one)}; ${ofTpcB(one)} of TPC-B`
}

/** Processor time of one operation in microseconds: unlike its rate, it is the same on a busy machine. */
const perOperation = (percent: number, { perSecond }: Measured) => (percent * 10_000) / perSecond
const emailsPerOperation = ({ emails, perSecond, seconds }: Measured) =>
  (emails / perSecond / seconds).toFixed(2)
const whole = (number: number) => Math.round(number).toLocaleString('en')
const fine = (number: number) => number.toFixed(number < 10 ? 1 : 0)
/** The median of the rounds, with the least and the most. */
function p99({ p99: median, p99s }: Measured): string {
  if (p99s.length === 1) return fine(median)
  return `${fine(median)} (${fine(Math.min(...p99s))}–${fine(Math.max(...p99s))})`
}
const share = (rate: number, limit: number) => (rate / limit).toFixed(2)
const ratio = ({ perSecond, limitPerSecond }: Measured) => share(perSecond, limitPerSecond)
const ofTpcB = ({ perSecond, tpcBPerSecond }: Measured) => share(perSecond, tpcBPerSecond)

function goal({ goal: expected, perSecond, limitPerSecond }: Measured): string {
  if (expected === undefined) return ''
  return `${expected.toFixed(2)} ${perSecond / limitPerSecond >= expected ? 'met' : 'missed'}`
}
