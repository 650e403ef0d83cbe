import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'

/** `npm run chaos -- --seconds 120 --seed 7`: prints what broke, what was acknowledged, and that nothing was lost or doubled. */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const report = await chaos({
  seconds: Number(values.seconds),
  buyers: 6,
  workers: 10,
  seed,
  volumeMb: 256,
  log: (line) => console.log(line),
})

const {
  faults,
  operations,
  acknowledged,
  retries,
  lost,
  doubled,
  wrongBalances,
  balanced,
  recoveryMs,
  seconds,
  paid,
  delivered,
  paidOut,
  byProvider,
} = report
console.log(
  `\nSeed ${seed}, ${seconds.toFixed(0)} s, ${Object.values(faults).reduce((a, b) => a + b, 0)} faults:`,
)
for (const [kind, times] of Object.entries(faults)) {
  const sorted = (recoveryMs[kind] ?? []).toSorted((a, b) => a - b)
  console.log(
    `${String(times).padStart(6)}  ${kind.padEnd(26)} back after ${sorted[Math.floor(sorted.length / 2)]} ms (median), ${sorted.at(-1)} ms (longest)`,
  )
}
console.log(`operations acknowledged ${acknowledged}, attempts repeated ${retries}`)
console.log(
  Object.entries(operations)
    .map(([call, times]) => `${call} ${times}`)
    .join(', '),
)
console.log(
  `card payments ${paid}, messages about them accepted ${delivered}, withdrawals paid out ${paidOut}; by the provider ${byProvider.confirmed} paid, ${byProvider.failed} failed, ${byProvider.unknown} unknown`,
)
console.log(
  `lost ${lost.length}, doubled ${doubled.length}, wrong balances ${wrongBalances.length}, books ${balanced ? 'balance' : 'DO NOT BALANCE'}`,
)
for (const line of [...lost, ...doubled, ...wrongBalances]) console.log(`  ${line}`)
process.exitCode = lost.length + doubled.length + wrongBalances.length === 0 && balanced ? 0 : 1
