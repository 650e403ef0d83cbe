import { existsSync } from 'node:fs'
import { runCommand } from './command.ts'
import type { TestResult } from './test-result.ts'

const BIN = 'node_modules/.bin'

type Check = [name: string, command: string[]]

const BUILD: Check = ['the web app builds', [process.execPath, 'scripts/prepare.mjs', 'build']]
/** They need none of the types that React Router generates, which the build writes again. */
const BESIDE_THE_BUILD: Check[] = [
  ['format, lint and import borders', [`${BIN}/biome`, 'check', '--error-on-warnings']],
  ['no secrets, foreign packages or known holes', [process.execPath, 'scripts/check-supply.ts']],
]
const WITH_TYPES: Check[] = [
  ['dead code', [`${BIN}/knip`]],
  ['types', [`${BIN}/tsc`, '--noEmit']],
  ['promises and exhaustiveness', [`${BIN}/oxlint`, '--type-aware', '--deny-warnings']],
]

/** Runs the checks that read the code without running it, and the build. Each counts as one test. */
export async function runChecks(): Promise<TestResult> {
  const tally: TestResult = { passed: 0, failures: [] }
  await Promise.all([runInOrder([BUILD], tally), runInOrder(BESIDE_THE_BUILD, tally)])
  // The screens are typed by what React Router makes of the list of routes.
  if (existsSync('react-router.config.ts')) await runCommand([`${BIN}/react-router`, 'typegen'], false)
  await runInOrder(WITH_TYPES, tally)
  return tally
}

async function runInOrder(checks: Check[], tally: TestResult): Promise<void> {
  for (const [name, command] of checks) {
    const begin = Date.now()
    const { code, output } = await runCommand(command, false)
    const seconds = ((Date.now() - begin) / 1000).toFixed(1)
    console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
    for (const [skipped] of output.matchAll(/^Skipped.*$/gm)) console.log(`  ${skipped}`)
    if (code === 0) tally.passed++
    else tally.failures.push(`${name}\n${output.trim()}`)
  }
}
