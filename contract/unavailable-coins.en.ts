import { coinsText, daysText } from './amounts.en.ts'
import { WITHDRAWAL_COINS_MIN } from './product.ts'
import type { UnavailableCoins } from './withdrawals.ts'

const CAUSES: Record<UnavailableCoins['cause'], [one: string, other: string]> = {
  holding: ['was earned recently', 'were earned recently'],
  card: ['was paid for by card recently', 'were paid for by card recently'],
  pair: [
    'comes from one buyer, and can be withdrawn after the first payout to your account',
    'come from one buyer, and can be withdrawn after the first payout to your account',
  ],
  sign_up: [
    'is a starting coin, and can be withdrawn after a purchase',
    'are starting coins, and can be withdrawn after a purchase',
  ],
}

/** Returns a sentence that says how many coins can be withdrawn now: none below the minimum of a withdrawal. */
export function withdrawableCoinsText(coins: number): string {
  return coins < WITHDRAWAL_COINS_MIN
    ? `You cannot withdraw now: your withdrawable coins are below the minimum of ${coinsText(WITHDRAWAL_COINS_MIN)}.`
    : `You can withdraw ${coinsText(coins)} now.`
}

/** As `withdrawableCoinsText`, for an account that was not paid yet: it has a limit of its own. */
export function withdrawableToAccountText(coins: number): string {
  return coins < WITHDRAWAL_COINS_MIN
    ? `You cannot withdraw to this account now: its limit leaves less than the minimum of ${coinsText(WITHDRAWAL_COINS_MIN)}.`
    : withdrawableCoinsText(coins)
}

/** Returns a sentence that says why coins cannot be withdrawn yet, and until when. */
export function unavailableCoinsText({ cause, coins, until }: UnavailableCoins): string {
  const days = until === null ? 0 : Math.ceil((Date.parse(until) - Date.now()) / 86_400_000)
  const when =
    until === null ? '' : `, and will be available for withdrawal within ${daysText(Math.max(1, days))}`
  return `${coinsText(coins)} ${CAUSES[cause][coins === 1 ? 0 : 1]}${when}.`
}
