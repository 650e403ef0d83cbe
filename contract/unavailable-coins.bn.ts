import { coinsText, daysText } from './amounts.bn.ts'
import { WITHDRAWAL_COINS_MIN } from './product.ts'
import type { UnavailableCoins } from './withdrawals.ts'

const CAUSES: Record<UnavailableCoins['cause'], string> = {
  holding: 'সম্প্রতি আয় করা',
  card: 'সম্প্রতি কার্ডে কেনা হয়েছিল',
  pair: 'একজন ক্রেতার কাছ থেকে পাওয়া; আপনার অ্যাকাউন্টে প্রথম পেআউটের পর তোলা যাবে',
  sign_up: 'শুরুর কয়েন; কয়েন কেনার পর তোলা যাবে',
}

/** Returns a sentence that says how many coins can be withdrawn now: none below the minimum of a withdrawal. */
export function withdrawableCoinsText(coins: number): string {
  return coins < WITHDRAWAL_COINS_MIN
    ? `আপনি এখন কয়েন তুলতে পারবেন না। কমপক্ষে ${coinsText(WITHDRAWAL_COINS_MIN)} তুলতে হয়, কিন্তু এখন তোলার মতো কয়েন তার চেয়ে কম।`
    : `আপনি এখন ${coinsText(coins)} তুলতে পারবেন।`
}

/** As `withdrawableCoinsText`, for an account that was not paid yet: it has a limit of its own. */
export function withdrawableToAccountText(coins: number): string {
  return coins < WITHDRAWAL_COINS_MIN
    ? `আপনি এখন এই অ্যাকাউন্টে কয়েন তুলতে পারবেন না। এর সীমায় যা বাকি আছে, তা ন্যূনতম ${coinsText(WITHDRAWAL_COINS_MIN)} থেকে কম।`
    : withdrawableCoinsText(coins)
}

/** Returns a sentence that says why coins cannot be withdrawn yet, and until when. */
export function unavailableCoinsText({ cause, coins, until }: UnavailableCoins): string {
  const days = until === null ? 0 : Math.ceil((Date.parse(until) - Date.now()) / 86_400_000)
  const when = until === null ? '' : `; সর্বোচ্চ ${daysText(Math.max(1, days))} পর তোলা যাবে`
  return `${coinsText(coins)} ${CAUSES[cause]}${when}।`
}
