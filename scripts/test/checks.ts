import { existsSync } from 'node:fs'
import { runCommand } from './command.ts'
import type { TestResult } from './test-result.ts'

const BIN = 'node_modules/.bin'

/** The checks that read the code without running it, in the order of what they cost; the build comes last. */
const CHECKS: [name: string, command: string[]][] = [
  ['types', [`${BIN}/tsc`, '--noEmit']],
  ['format, lint and import borders', [`${BIN}/biome`, 'check', '--error-on-warnings']],
  ['promises and exhaustiveness', [`${BIN}/oxlint`, '--type-aware', '--deny-warnings']],
  ['dead code', [`${BIN}/knip`]],
  ['no secrets, foreign packages or known holes', [process.execPath, 'scripts/check-supply.ts']],
  ['the web app builds', [process.execPath, 'scripts/prepare.mjs', 'build']],
]

/** Each check counts as one test. */
export async function runChecks(): Promise<TestResult> {
  const tally: TestResult = { passed: 0, failures: [] }
  // The screens are typed by what React Router makes of the list of routes.
  if (existsSync('react-router.config.ts')) await runCommand([`${BIN}/react-router`, 'typegen'], false)
  for (const [name, command] of CHECKS) {
    const begin = Date.now()
    const { code, output } = await runCommand(command, false)
    const seconds = ((Date.now() - begin) / 1000).toFixed(1)
    console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
    for (const [skipped] of output.matchAll(/^Skipped.*$/gm)) console.log(`  ${skipped}`)
    if (code === 0) tally.passed++
    else tally.failures.push(`${name}\n${output.trim()}`)
  }
  return tally
}
