/** The constants of the product (docs/specification/coins.md). Money is in whole cents, coins are whole numbers. */

/** What a withdrawn coin pays until the operator changes it (docs/specification/settings.md). */
export const CENTS_PER_COIN = 5
/** Returns the withdrawal rate in whole coins and dollars: 5 cents per coin are 20 coins for 1 dollar, 3 are 100 for 3. */
export function wholeRate(centsPerCoin: number): { coins: number; dollars: number } {
  let [dollars, coins] = [centsPerCoin, 100]
  while (dollars % coins !== 0) [dollars, coins] = [coins, dollars % coins]
  return { coins: 100 / coins, dollars: centsPerCoin / coins }
}

export const WITHDRAWAL_COINS_MIN = 200

export const STARTING_COINS = { Worker: 10, Buyer: 50, Admin: 0 } as const
export const BUYER_WALLET = 100

/** A coin package; `price` is in dollars. */
export type Package = { coins: number; price: number }

/** The packages until the operator changes them (docs/specification/settings.md). */
export const PACKAGES = [
  { coins: 150, price: 10 },
  { coins: 500, price: 20 },
  { coins: 1000, price: 35 },
  { coins: 10, price: 1 },
] as const satisfies readonly Package[]

/**
 * Returns the marketplace's fee on the pay of a task or of added slots, in coins: rounded up, so that many small tasks cost
 * no less than a large one. Binary fractions are cut before rounding: 0.07 × 10,000 is 700, not 700.0000000000001.
 */
export function feeOf(pay: number, percent: number): number {
  return Math.ceil(Number(((pay * percent) / 100).toPrecision(14)))
}

export const SLOTS_MAX = 100_000
export const REWARD_MAX = 1_000_000
export const TITLE_MAX = 200
export const TEXT_MAX = 20_000
export const NAME_MAX = 100
export const EMAIL_MAX = 254
export const URL_MAX = 2_000
export const PASSWORD_MIN = 6
export const ADMIN_PASSWORD_MIN = 8
export const PASSWORD_MAX = 200

export const SUBMISSIONS_PAGE = 5
export const LIST_LIMIT_MAX = 100
/** The most rows of a table that an Admin can download at once. */
export const EXPORT_ROWS_MAX = 100_000
export const REVIEW_DAYS = 7
/** The longest review period that a buyer can choose for a task: 21 days. */
export const REVIEW_HOURS_MAX = 504
/** How long a worker may hold a reserved slot of a task. */
export const RESERVATION_MINUTES = { min: 5, max: 1440, default: 60 } as const
/** A worker's time to hand in revised work. */
export const REVISION_DAYS = 3
/**
 * Returns the days after their upload at which pictures that nothing uses are deleted: a day longer than a worker can revise work
 * or appeal, because a form that is not sent yet may have them from its first day.
 */
export const unusedPictureDays = (appealDays: number) => Math.max(REVISION_DAYS, appealDays) + 1
/** A buyer's time to respond to an appeal. */
export const APPEAL_RESPONSE_DAYS = 3
/** A reviewer's time to decide, and that of the second one when the first does not. */
export const REVIEWER_DAYS = 5
export const SECOND_REVIEWER_DAYS = 3
/** How long a buyer can turn a final rejection into an approval. */
export const REVERSAL_DAYS = 30
/** A worker who lost this many of their last ten appeals has one open appeal at a time. */
export const LOST_APPEALS_MAX = 5
export const APPEAL_PICTURES_MAX = 5

export const LOGIN_DIALOG_MS = 2000
export const TESTIMONIAL_MS = 5000

export const PAYMENT_SYSTEMS = ['Bkash', 'Rocket', 'Nagad', 'Bank', 'Other'] as const
export type PaymentSystem = (typeof PAYMENT_SYSTEMS)[number]
