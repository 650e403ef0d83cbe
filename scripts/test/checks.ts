import { existsSync } from 'node:fs'
import type PQueue from 'p-queue'
import { runCommand } from './command.ts'
import { sumResults, type TestResult } from './test-result.ts'

const BIN = 'node_modules/.bin'

type Check = [name: string, command: string[], env?: Record<string, string>]

const BUILD: Check = ['the web app builds', [process.execPath, 'scripts/prepare.mjs', 'build']]
/** They need none of the types that React Router generates, which the build writes again. */
const BESIDE_THE_BUILD: Check[] = [
  ['format, lint and import borders', [`${BIN}/biome`, 'check', '--error-on-warnings']],
  ['no secrets, foreign packages or known holes', [process.execPath, 'scripts/check-supply.ts']],
]
const WITH_TYPES: Check[] = [
  // The rules need all types, so that the same program reports the errors of TypeScript too (docs/testing.md#processor-time).
  [
    'types, promises and exhaustiveness',
    [`${BIN}/oxlint`, '--type-aware', '--type-check', '--deny-warnings'],
    { GOGC: '300' }, // a quarter less processor time in garbage collection, for 250 MB
  ],
  ['dead code', [`${BIN}/knip`]],
]

/**
 * Runs the checks that read the code without running it, and the build. Each counts as one test.
 * @param cores runs as many commands at a time as there are cores.
 */
export function runChecks(cores: PQueue): { built: Promise<TestResult>; checked: Promise<TestResult> } {
  const built = cores.add(async () => {
    const result = await runCheck(BUILD)
    // The screens are typed by what React Router makes of the list of routes.
    if (existsSync('react-router.config.ts')) await runCommand([`${BIN}/react-router`, 'typegen'], false)
    return result
  })
  const beside = BESIDE_THE_BUILD.map((check) => cores.add(() => runCheck(check)))
  // Before what has waited longer: a wrong type is reported early.
  const withTypes = built.then(() =>
    Promise.all(WITH_TYPES.map((check) => cores.add(() => runCheck(check), { priority: 1 }))),
  )
  const checked = Promise.all([built, ...beside]).then(async (results) =>
    sumResults([...results, ...(await withTypes)]),
  )
  return { built, checked }
}

async function runCheck([name, command, env]: Check): Promise<TestResult> {
  const begin = Date.now()
  const { code, output, seconds } = await runCommand(command, false, env)
  const wall = ((Date.now() - begin) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✔' : '✖'} ${name} (${wall} s)`)
  for (const [skipped] of output.matchAll(/^Skipped.*$/gm)) console.log(`  ${skipped}`)
  return code === 0
    ? { passed: 1, failures: [], seconds }
    : { passed: 0, failures: [`${name}\n${output.trim()}`], seconds }
}
