import type { PaymentSystem } from '#contract/product.ts'
import { PIPELINED, query } from '#server/database/database.ts'
import type { BankDetails } from './bank-details.ts'

export type DestinationRow = BankDetails & {
  id: string
  payment_system: PaymentSystem
  account_number: string
  account: string
  state: 'unverified' | 'verified'
  usable_at: string
  verified_at: string | null
  created_at: string
}

const COLUMNS = `id, payment_system, account_number, destination_account(payout_destinations) as account, holder_name,
  bank_name, branch, routing_number, state, usable_at, verified_at, created_at`

/** Returns the live destinations of a user, newest first. There are at most DESTINATIONS_MAX. */
export const destinationsOf = query<DestinationRow, [user: string]>(
  'destinations_of_user',
  `select ${COLUMNS} from payout_destinations where user_id = $1 and state <> 'removed' order by id desc`,
  PIPELINED,
)

export const destinationById = query<DestinationRow, [id: string]>(
  'destination_by_id',
  `select ${COLUMNS} from payout_destinations where id = $1`,
)
