import { coinsText, daysText } from './amounts.en.ts'
import type { UnavailableCoins } from './withdrawals.ts'

const CAUSES: Record<UnavailableCoins['cause'], string> = {
  holding: 'were earned recently',
  card: 'were paid for by card recently',
  pair: 'come from one buyer, and can be withdrawn after the first payout to your account',
  sign_up: 'are starting coins, and can be withdrawn after a purchase',
}

/** Returns a sentence that says why coins cannot be withdrawn yet, and until when. */
export function unavailableCoinsText({ cause, coins, until }: UnavailableCoins): string {
  const days = until === null ? 0 : Math.ceil((Date.parse(until) - Date.now()) / 86_400_000)
  const when = until === null ? '' : `, and can be withdrawn in ${daysText(Math.max(1, days))} at the latest`
  return `${coinsText(coins)} ${CAUSES[cause]}${when}.`
}
