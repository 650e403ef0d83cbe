import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { query } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { runCommand } from '#server/run-command.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { endAllSessions } from '../sessions.ts'
import { deleteAllFactors, listFactors, mailFactorChange } from './factors.ts'

const readIdentity = query<{ id: string }, [emailKey: string]>(
  'identity_to_reset_second_factor',
  'select id from identities where email_key = $1',
)

/**
 * `npm run reset-second-factor -- EMAIL`: deletes the second factors and recovery codes of a user who lost them, ends
 * their sessions and notifies them by mail.
 */
const [email = ''] = process.argv.slice(2)
if (email === '') {
  console.error('Usage: npm run reset-second-factor -- EMAIL')
  process.exit(2)
}
await runCommand(async () => {
  const config = readConfig()
  const { database, close } = await connectToOwnSchema(config, () => {})
  try {
    const [identity] = await readIdentity(database, emailKey(email) ?? '')
    if (identity === undefined) throw new BadConfig(`Nobody signs in with ${email}`)
    const { id: identityId } = identity
    const count = await database.transaction(async (tx) => {
      const factors = await listFactors(tx, identityId)
      await deleteAllFactors(tx, identityId)
      await endAllSessions(tx, identityId)
      await mailFactorChange(tx, config, identityId, 'all-removed')
      for (const { kind } of factors) {
        const params = { factor: kind === 'authenticator' ? ('totp' as const) : kind }
        const client = { network: '', device: 'npm run reset-second-factor' }
        await logSecurityEvent(tx, { kind: 'factor_removed', params, client, identityId })
      }
      return factors.length
    })
    console.log(`Removed the second factors (${count}) of ${email} and ended their sessions.`)
  } finally {
    await close()
  }
})
