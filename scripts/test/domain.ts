import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type PQueue from 'p-queue'
import { runsLongTests } from '#tests/support/long.ts'
import { filesUnder, runNodeTests } from './node-tests.ts'
import { requireTests, sumResults, type TestResult } from './test-result.ts'

const ELSEWHERE = /^tests\/(e2e|load|chaos)\//
const LONG = /\.long\.test\.ts$/
/** They start and kill servers and mostly wait for them: a process of their own runs them beside those that compute. */
const WAITING = /^(tests\/(process|live)|server\/database\/embedded)\//
/** How many of the files that use the most processor time are listed. */
const LISTED = 20

/**
 * The tests of node:test, in three processes, because a process for each file would cost more than the tests in it. They
 * share one database server; the describe blocks of a process use the same databases one after another, emptied in between
 * (`tests/support/emptied-database.ts`). Two processes take the files that compute, one from the front and one from the end,
 * the third the files that wait. Each then takes what is left of the others: two processes alone leave the cores idle while
 * they wait for the database.
 * @param cores runs as many of the processes that compute at a time as there are cores.
 * @param under paths of files or folders; none for all.
 */
export async function runDomainTests(cores: PQueue, under: string[]): Promise<TestResult> {
  const files = filesUnder('{contract,server,tests,scripts}/**/*.test.ts', under).filter(
    (file) => !ELSEWHERE.test(file) && (runsLongTests() || !LONG.test(file)),
  )
  const waiting = files.filter((file) => WAITING.test(file))
  // A long file that is taken last leaves the other process without work: the largest are at the end.
  const size = new Map(files.map((file) => [file, statSync(file).size]))
  const computing = files
    .filter((file) => !WAITING.test(file))
    .sort((one, other) => (size.get(one) ?? 0) - (size.get(other) ?? 0))
  const claims = mkdtempSync(path.join(tmpdir(), 'tallywork-claims-'))
  const run = (index: number, order: string[]) =>
    runNodeTests({
      name: `domain-${index}`,
      args: ['scripts/test/domain-process.ts', claims, ...order],
      show: index === 0,
    })
  const computeIn = (index: number, order: string[]) =>
    order.length > index ? [cores.add(() => run(index, order))] : []
  try {
    const results = await Promise.all([
      ...computeIn(0, [...computing, ...waiting.toReversed()]),
      ...computeIn(1, [...computing.toReversed(), ...waiting.toReversed()]),
      ...(waiting.length > 0 && files.length > 2 ? [run(2, [...waiting, ...computing])] : []),
    ])
    listExpensive(claims)
    return requireTests(sumResults(results), under.join(' ') || 'domain')
  } finally {
    rmSync(claims, { recursive: true, force: true })
  }
}

/** Prints the files that used the most processor time, besides that of the database server. */
function listExpensive(claims: string): void {
  const used = readdirSync(claims).map((claim) => ({
    file: decodeURIComponent(claim),
    seconds: Number(readFileSync(path.join(claims, claim), 'utf8')),
  }))
  console.log('\nSeconds of processor time, without the database:')
  for (const { file, seconds } of used.sort((one, other) => other.seconds - one.seconds).slice(0, LISTED))
    console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`)
}
