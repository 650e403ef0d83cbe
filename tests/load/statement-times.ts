// Compares what the statements of the bench's operations cost in the database at two sizes, call by call in turn.
//
//   node tests/load/statement-times.ts --tasks 10000 --tasks 1000000 [--folder … --folder …] [--calls 400] [--only submissions]
//
// Users and tasks are random ones of the whole marketplace. Processor time and pages are the same beside other work as on a
// quiet machine, unlike latency. The first pass reads pages into the database's own memory, the second finds them there.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { allStatements } from '#tests/support/statements.ts'
import { print } from '../support/print.ts'
import { nanosecondsOf } from './drive/machine.ts'
import { at } from './drive/percentile.ts'
import { needTools } from './drive/tools.ts'
import { CALLS, type StatementCall } from './statement-calls.ts'
import { markdown } from './table.ts'
import { folderFor, freshWorld } from './world/build.ts'
import type { Shape } from './world/shape.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', multiple: true, default: ['10000', '1000000'] },
    folder: { type: 'string', multiple: true, default: [] },
    calls: { type: 'string', default: '400' },
    only: { type: 'string', default: '' },
  },
})
const PASSES = ['first', 'second'] as const

type Size = { tasks: number; shape: Shape; client: pg.Client; pid: number; close(): Promise<void> }
/** Of each call: microseconds of processor time of the database, and milliseconds until its result. */
type Cost = { cpu: number[]; latency: number[] }

needTools(print)
const statements = await allStatements()
const sizes: Size[] = []
try {
  for (const [index, tasks] of values.tasks.entries())
    sizes.push(await open(Number(tasks), values.folder[index]))
  const rows: string[][] = []
  for (const call of CALLS.filter(({ name }) => name.includes(values.only))) {
    const given = sizes.map(({ shape }) =>
      Array.from({ length: Number(values.calls) }, () => call.values(shape)),
    )
    const passes = [await measure(call, given), await measure(call, given)]
    const pages = await Promise.all(sizes.map((size, index) => pagesOf(size, call, given[index] ?? [])))
    for (const [index, costs] of passes.entries())
      rows.push(rowOf(call.name, PASSES[index] ?? '', costs, pages))
    print(
      rows
        .slice(-2)
        .map((row) => row.join(', '))
        .join('\n'),
    )
  }
  const each = sizes.map(({ tasks }) => tasks.toLocaleString('en')).join(' / ')
  const head = [
    `${each} tasks`,
    'pass',
    'µs p50',
    'µs p99',
    'factor p99',
    'ms p50',
    'ms p99',
    'pages p50',
    'pages p99',
  ]
  print(`\n${markdown(head, rows)}`)
} finally {
  for (const size of sizes) await size.close()
}

async function open(tasks: number, folder = folderFor(tasks)): Promise<Size> {
  const embedded = await startEmbedded({ dataDir: folder, log: print })
  const { url, shape } = await freshWorld(embedded.connectionString, tasks, 10_000, print)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  await migrate(pool)
  await pool.end()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const close = async () => {
    await client.end()
    await embedded.stop()
  }
  return { tasks, shape, client, pid: rows[0]?.pid ?? 0, close }
}

/** Runs the calls of all sizes in turn, so that other work on the machine is the same for all. */
async function measure(call: StatementCall, given: unknown[][][]): Promise<Cost[]> {
  const costs = sizes.map((): Cost => ({ cpu: [], latency: [] }))
  for (let turn = 0; turn < Number(values.calls); turn++) {
    for (const [index, { client, pid }] of sizes.entries()) {
      const parameters = given[index]?.[turn] ?? []
      if (call.writes) await client.query('begin')
      const [cpu, started] = [nanosecondsOf(pid), performance.now()]
      await client.query({ name: call.name, text: textOf(call), values: parameters })
      costs[index]?.latency.push(performance.now() - started)
      costs[index]?.cpu.push((nanosecondsOf(pid) - cpu) / 1000)
      if (call.writes) await client.query('rollback')
    }
  }
  return costs
}

/** Returns how many pages each of these calls touches. */
async function pagesOf({ client }: Size, call: StatementCall, given: unknown[][]): Promise<number[]> {
  const pages: number[] = []
  for (const parameters of given.slice(0, 100)) {
    await client.query('begin')
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, timing off, format json) ${textOf(call)}`,
      parameters,
    )
    await client.query('rollback')
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    pages.push((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0))
  }
  return pages
}

function textOf({ name }: StatementCall): string {
  const statement = statements.get(name)
  if (statement === undefined) throw new Error(`The server has no statement ${name}`)
  return ownFunctions().qualify(statement.sql)
}

function rowOf(name: string, pass: string, costs: Cost[], pages: number[][]): string[] {
  const each = (lists: number[][], part: number, digits: number) =>
    lists.map((list) => at(list, part).toFixed(digits)).join(' / ')
  const cpu = costs.map((cost) => cost.cpu)
  const latency = costs.map((cost) => cost.latency)
  const factor = at(cpu.at(-1) ?? [], 0.99) / at(cpu[0] ?? [], 0.99)
  return [
    name,
    pass,
    each(cpu, 0.5, 0),
    each(cpu, 0.99, 0),
    factor.toFixed(1),
    each(latency, 0.5, 2),
    each(latency, 0.99, 2),
    each(pages, 0.5, 0),
    each(pages, 0.99, 0),
  ]
}
