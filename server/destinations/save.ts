import { v7 as newId } from 'uuid'
import {
  BANK_ACCOUNT_HINT,
  DESTINATION_CHANGES_PER_DAY,
  type DestinationInput,
  destinationNumberOf,
  ROUTING_NUMBER_HINT,
  routingNumberOf,
} from '#contract/destinations.ts'
import type { PaymentSystem } from '#contract/product.ts'
import { ACCOUNT_NUMBER_HINT } from '#contract/withdrawals.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'
import type { Viewer } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import { type DestinationRow, destinationById } from './queries.ts'
import { type Change, reportChange } from './report-change.ts'

type Account = {
  system: PaymentSystem
  number: string
  holder: string
  bank: string
  branch: string
  routing: string
}
type Save = Account & {
  id: string
  user: string
  replaces: string | null
  wait: string
  changes_per_day: number
}
const saveDestinationStatement = sqlFunction<Save, string>('save_destination', [
  'id',
  'user',
  'replaces',
  'system',
  'number',
  'holder',
  'bank',
  'branch',
  'routing',
  'wait',
  'changes_per_day',
])
const removeDestinationStatement = query<
  { payment_system: PaymentSystem; account_number: string },
  [id: string, user: string]
>('remove_destination', 'select payment_system, account_number from remove_destination($1, $2)')

/**
 * Adds a payout destination, or replaces `replaces` by it, and reports it to the user (docs/specification/destinations.md).
 * An identical live destination is returned as it is. Returns the destination.
 * @throws Refusal `invalid_fields`; `state_conflict` above a limit or for an account that is live already;
 * `destination_not_found` for a destination of another user.
 */
export async function saveDestination(
  database: Database,
  config: Config,
  client: Client,
  viewer: Viewer,
  input: DestinationInput,
  replaces: string | null = null,
): Promise<DestinationRow> {
  const account = accountOf(input)
  const id = newId()
  return database.transaction(async (tx) => {
    const { destinationWaitHours } = await readSetting(tx, 'payout_limits')
    const saved = await saveDestinationStatement(tx, {
      ...account,
      id,
      user: viewer.id,
      replaces,
      wait: `${destinationWaitHours} hours`,
      changes_per_day: DESTINATION_CHANGES_PER_DAY,
    })
    const [row] = await destinationById(tx, saved)
    if (row === undefined) throw new Error(`Destination ${saved} was not saved`)
    const change: Change = replaces === null ? 'added' : 'changed'
    if (saved === id) await reportChange(tx, config, client, viewer, change, row)
    return row
  })
}

/** Removes a payout destination and reports it to the user. Removing it again changes nothing. */
export async function removeDestination(
  database: Database,
  config: Config,
  client: Client,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [removed] = await removeDestinationStatement(tx, id, viewer.id)
    if (removed) await reportChange(tx, config, client, viewer, 'removed', removed)
  })
}

/** Returns the normalized account. @throws Refusal `invalid_fields` */
function accountOf(input: DestinationInput): Account {
  const { payment_system: system, holderName: holder } = input
  const isBank = system === 'Bank'
  const number = destinationNumberOf(system, input.accountNumber)
  const routing = routingNumberOf(input.routingNumber ?? '')
  const fields: Record<string, string> = {
    ...(number === undefined && {
      accountNumber: isBank ? BANK_ACCOUNT_HINT : ACCOUNT_NUMBER_HINT[system],
    }),
    ...(isBank && input.bankName === undefined && { bankName: 'Bank is required' }),
    ...(isBank && routing === undefined && { routingNumber: ROUTING_NUMBER_HINT }),
  }
  const [message] = Object.values(fields)
  if (message !== undefined) throw new Refusal('invalid_fields.validation', { params: { message }, fields })
  return {
    system,
    number: number ?? '',
    holder,
    bank: isBank ? (input.bankName ?? '') : '',
    branch: isBank ? (input.branch ?? '') : '',
    routing: isBank ? (routing ?? '') : '',
  }
}
