import { v7 as newId } from 'uuid'
import { type PaymentSystem, WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { ACCOUNT_NUMBER_HINT, accountNumberOf } from '#contract/withdrawals.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSetting } from '#server/operator-settings/read.ts'

type Worker = { id: string; emailKey: string }
type WithdrawalRequest = {
  coins: number
  system: PaymentSystem
  accountNumber: string
  destinationId?: string | undefined
}

/** Values that the client shows and sends; they are checked and never stored (docs/specification/api.md). */
type ShownValues = { workerEmail?: string | undefined; dollars?: number | undefined }

const requestWithdrawalStatement = query<
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
    destination: string | null,
  ]
>(
  'request_withdrawal',
  `select request_withdrawal($1, $2, $3, $4, $5, $6, $7, $8, $9::float8 * interval '1 day', $10)`,
)

/**
 * Requests a withdrawal of at least 200 available coins, moves them into a hold and notifies the Admins. Returns the
 * request's id.
 * @throws Refusal `insufficient_coins`; `holding_time`; `destination_not_found`, `destination_waiting`; `invalid_fields` for an
 * account number that is invalid for the payment system and for shown values that contradict the request; `state_conflict` for an
 * account that is not the destination's, and when the rate changes meanwhile; `not_yours` for another worker's email.
 */
export async function requestWithdrawal(
  db: Db,
  config: Config,
  worker: Worker,
  request: WithdrawalRequest,
  shown: ShownValues,
): Promise<string> {
  if (shown.workerEmail !== undefined && emailKey(shown.workerEmail) !== worker.emailKey) {
    throw new Refusal('not_yours.withdrawal')
  }
  const cents = request.coins * (await readSetting(db, 'withdrawal_rate')).centsPerCoin
  if (shown.dollars !== undefined && Math.abs(shown.dollars * 100 - cents) > 0.001) {
    const params = { coins: request.coins, cents, claimed: shown.dollars }
    throw new Refusal('invalid_fields.withdrawal_amount', { params, field: 'withdrawal_amount' })
  }
  const accountNumber = accountNumberOf(request.system, request.accountNumber)
  if (accountNumber === undefined) {
    const message = ACCOUNT_NUMBER_HINT[request.system]
    throw new Refusal('invalid_fields.validation', { params: { message }, field: 'accountNumber' })
  }

  const id = newId()
  const { coins, system } = request
  await requestWithdrawalStatement(
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
    request.destinationId ?? null,
  )
  return id
}
