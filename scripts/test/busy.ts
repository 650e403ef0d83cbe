import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// Runs the tests while other processes keep every core busy: `npm run test:busy`, with the arguments of `npm test`.
// Each of them ends with this one.
const BURN = 'const parent = process.ppid; while (process.ppid === parent);'
const load = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['-e', BURN], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const child of load) child.kill('SIGKILL')
})

const tests = spawn(process.execPath, ['scripts/test.ts', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => tests.kill(signal))
tests.once('close', (code) => process.exit(code ?? 1))
