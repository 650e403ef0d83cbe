import { PAYMENT_SYSTEM_NAMES } from '#contract/amounts.en.ts'
import type { PaymentSystem } from '#contract/product.ts'
import type { SecurityEventParams } from '#contract/security-log.ts'
import type { Config } from '#server/config.ts'
import type { Tx } from '#server/database/database.ts'
import type { Viewer } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { queueMail } from '#server/mail/queue.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'

export type Change = SecurityEventParams<'payout_destination_changed'>['change']

type Account = { payment_system: PaymentSystem; account_number: string; usable_at?: string }

/**
 * Logs a change of a user's destinations and mails it to them. The mail cannot be switched off. The log has no account
 * number, the mail only its end.
 */
export async function reportChange(
  tx: Tx,
  config: Config,
  client: Client,
  { id, name, email }: Viewer,
  change: Change,
  { payment_system: system, account_number: number, usable_at }: Account,
): Promise<void> {
  await logSecurityEvent(tx, {
    kind: 'payout_destination_changed',
    params: { change, system },
    client,
    identityId: id,
  })
  const waitMs = usable_at === undefined ? 0 : Date.parse(usable_at) - Date.now()
  const mail = {
    template: 'payout-destination-changed',
    to: email,
    data: {
      name,
      change,
      account: `${PAYMENT_SYSTEM_NAMES[system]} ending in ${number.slice(-3)}`,
      system,
      ending: number.slice(-3),
      hours: Math.ceil(Math.max(0, waitMs) / 3_600_000),
    },
    link: `${config.publicUrl}/reset`,
  }
  await queueMail(tx, config, id, mail, 'payout-destination')
}
