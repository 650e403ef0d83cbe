import { readConfig } from '#server/config.ts'
import { connect } from '#server/database/connect.ts'
import { audit } from './audit.ts'

/** `npm run audit`: proves that the books balance, prints the figures, exits 1 when they do not. */
const connection = await connect(readConfig(), () => {})
try {
  const { balanced, checks, figures, tookMs } = await audit(connection.database)
  for (const { name, checked, wrong } of checks)
    console.log(`${wrong === 0 ? 'ok   ' : 'WRONG'}  ${name} (${checked} checked, ${wrong} wrong)`)
  for (const [name, coins] of Object.entries(figures)) console.log(`${String(coins).padStart(14)}  ${name}`)
  console.log(balanced ? `The books balance (${tookMs} ms).` : 'THE BOOKS DO NOT BALANCE.')
  process.exitCode = balanced ? 0 : 1
} finally {
  await connection.close()
}
