import { v7 as newId } from 'uuid'
import { centsOf, type PaymentSystem, WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { ACCOUNT_NUMBER_HINT, accountNumberOf } from '#contract/withdrawals.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'

type Worker = { id: string; emailKey: string }
type Wish = { coins: number; system: PaymentSystem; accountNumber: string }

/** What the client claims about the worker and the dollars; checked, never stored (docs/specification/api.md). */
type Claims = { workerEmail?: string | undefined; dollars?: number | undefined }

const requestWithdrawalRow = query<
  never,
  [
    id: string,
    worker: string,
    coins: number,
    cents: number,
    minimum: number,
    system: PaymentSystem,
    accountNumber: string,
    zone: string,
    holdingDays: number,
  ]
>(
  'request_withdrawal',
  `select request_withdrawal($1, $2, $3, $4, $5, $6, $7, $8, $9::float8 * interval '1 day')`,
)

/**
 * A worker asks for a payout of at least 200 of their spendable coins, which go on hold at once; the Admins are told.
 * Answers the request's id. Refuses `insufficient_coins`, `holding_time`, an account number that the payment system
 * cannot have, and a claim that contradicts the record.
 */
export async function requestWithdrawal(
  db: Db,
  config: Config,
  worker: Worker,
  wish: Wish,
  claims: Claims,
): Promise<string> {
  if (claims.workerEmail !== undefined && emailKey(claims.workerEmail) !== worker.emailKey) {
    throw new Refusal('not_yours.withdrawal')
  }
  const cents = centsOf(wish.coins)
  const claimed = claims.dollars
  if (claimed !== undefined && Math.abs(claimed * 100 - cents) > 0.001) {
    const params = { coins: wish.coins, cents, claimed }
    throw new Refusal('invalid_fields.withdrawal_amount', { params, field: 'withdrawal_amount' })
  }
  const accountNumber = accountNumberOf(wish.system, wish.accountNumber)
  if (accountNumber === undefined) {
    const message = ACCOUNT_NUMBER_HINT[wish.system]
    throw new Refusal('invalid_fields.validation', { params: { message }, field: 'accountNumber' })
  }

  const id = newId()
  const { coins, system } = wish
  await requestWithdrawalRow(
    db,
    id,
    worker.id,
    coins,
    cents,
    WITHDRAWAL_COINS_MIN,
    system,
    accountNumber,
    config.timeZone,
    config.holdingDays,
  )
  return id
}
