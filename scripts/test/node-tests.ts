import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from './command.ts'
import type { TestResult } from './test-result.ts'

type Options = {
  /** Names the file with the result. */
  name: string
  /** Options of node, and what it runs. */
  args: string[]
  /** Whether the output is shown as it comes; otherwise it follows in one piece. */
  show: boolean
}

/** Runs tests of node:test in one process. */
export async function runNodeTests({ name, args, show }: Options): Promise<TestResult> {
  const file = `test-output/${name}.jsonl`
  mkdirSync('test-output', { recursive: true })
  rmSync(file, { force: true })
  const { code, output, seconds } = await runCommand(
    [
      process.execPath,
      '--test-force-exit', // a handle that a test forgot would hold the run open for ever
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test/reporter.ts',
      `--test-reporter-destination=${file}`,
      ...args,
    ],
    show,
  )
  if (!show) console.log(output)
  const result = { ...readResult(file), seconds }
  if (code !== 0 && result.failures.length === 0)
    result.failures.push(`node --test ended with exit code ${code}`)
  return result
}

/**
 * Returns the files that match a pattern, in order.
 * @param under paths of files or folders; none for all.
 */
export function filesUnder(pattern: string, under: string[]): string[] {
  const places = under.map((place) => path.relative('.', path.resolve(place)))
  const wanted = (file: string) =>
    places.length === 0 || places.some((place) => file === place || file.startsWith(`${place}/`))
  return globSync(pattern).filter(wanted).sort()
}

function readResult(result: string): Omit<TestResult, 'seconds'> {
  const tally: Omit<TestResult, 'seconds'> = { passed: 0, failures: [] }
  for (const line of readFileSync(result, 'utf8').split('\n').filter(Boolean)) {
    const { failure } = JSON.parse(line) as { failure: string | null }
    if (failure === null) tally.passed++
    else tally.failures.push(failure)
  }
  return tally
}
