import { type Destination, hasRoutingCheckDigit } from '#contract/destinations.ts'
import { presentBankDetails } from './bank-details.ts'
import type { DestinationRow } from './queries.ts'

export function presentDestination(row: DestinationRow): Destination {
  const hasBadCheckDigit = row.payment_system === 'Bank' && !hasRoutingCheckDigit(row.routing_number)
  return {
    _id: row.id,
    payment_system: row.payment_system,
    accountNumber: row.account_number,
    account: row.account,
    ...presentBankDetails(row),
    state: row.state,
    usableAt: row.usable_at,
    verifiedAt: row.verified_at,
    createdAt: row.created_at,
    warnings: hasBadCheckDigit ? ['routing_check_digit'] : [],
  }
}
