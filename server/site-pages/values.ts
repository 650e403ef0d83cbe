import { packagesOf } from '#contract/operator-settings.ts'
import {
  APPEAL_RESPONSE_DAYS,
  REVISION_DAYS,
  STARTING_COINS,
  WITHDRAWAL_COINS_MIN,
  wholeRate,
} from '#contract/product.ts'
import type { SitePageValue } from '#contract/site-pages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/database.ts'
import { readSetting } from '#server/settings/read.ts'

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`
/** Text of the operator that Markdown shows as it is. */
const literal = (typed: string) => typed.replace(/[\\`*_{}[\]<>()#+\-.!|&~]/g, '\\$&').replaceAll('\n', ' ')

/** Returns the values in force that the texts of pages can name. */
export async function readPageValues(db: Db, config: Config): Promise<Record<SitePageValue, string>> {
  const [packages, { centsPerCoin }, seller] = await Promise.all([
    readSetting(db, 'packages'),
    readSetting(db, 'withdrawal_rate'),
    readSetting(db, 'seller'),
  ])
  const { appealDays, holdingDays, publicEmails, reviewDays, taskFeePercent } = config
  const rate = wholeRate(centsPerCoin)
  const name = literal(config.name)
  const rows = packagesOf(packages)
    .toSorted((a, b) => a.coins - b.coins)
    .map(({ coins, price }) => `| ${coins.toLocaleString('en-IN')} | $${price.toFixed(2)} |`)
  return {
    name,
    operator: literal(seller.legalName || config.name),
    contact:
      [seller.legalName, seller.address, seller.email].filter(Boolean).map(literal).join(', ') ||
      'Use the [contact form](/#contact) on the home page.',
    email_visibility:
      publicEmails === 'masked'
        ? 'Your email address is shown in full to you, to admins, and to people you work with.'
        : 'Your email address is public too.',
    packages: ['| Coins | Price |', '|---:|---:|', ...rows].join('\n'),
    tax: seller.taxPercent > 0 ? `It includes ${seller.taxPercent}% ${literal(seller.taxName)}.` : '',
    task_fee:
      taskFeePercent > 0
        ? `${name} charges a fee of ${taskFeePercent}% on top, rounded up to a whole coin. The fee is not refunded.`
        : `${name} charges no fee on top.`,
    withdrawal_rate: `${rate.coins.toLocaleString('en-IN')} ${rate.coins === 1 ? 'coin' : 'coins'} = ${dollars(rate.dollars * 100)}`,
    minimum_withdrawal: String(WITHDRAWAL_COINS_MIN),
    minimum_withdrawal_pays: dollars(WITHDRAWAL_COINS_MIN * centsPerCoin),
    holding_time: holdingDays > 0 ? days(holdingDays) : 'none',
    worker_starting_coins: String(STARTING_COINS.Worker),
    buyer_starting_coins: String(STARTING_COINS.Buyer),
    review_days: String(reviewDays),
    revision_days: String(REVISION_DAYS),
    appeal_rule:
      appealDays > 0
        ? `You can accept it, or appeal it within ${days(appealDays)}.`
        : 'A rejection is final.',
    appeal_response_days: String(APPEAL_RESPONSE_DAYS),
  }
}
