import * as banglaAmounts from '#contract/amounts.bn.ts'
import * as englishAmounts from '#contract/amounts.en.ts'
import type { Locale } from '#contract/locales.ts'
import { packagesOf, type SettingValue } from '#contract/operator-settings.ts'
import {
  APPEAL_RESPONSE_DAYS,
  REVISION_DAYS,
  STARTING_COINS,
  unusedPictureDays,
  WITHDRAWAL_COINS_MIN,
  wholeRate,
} from '#contract/product.ts'
import type { SitePageValue } from '#contract/site-pages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/database.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import * as bangla from './value-texts.bn.ts'
import * as english from './value-texts.en.ts'

const TEXTS = {
  en: { ...englishAmounts, texts: english.VALUE_TEXTS },
  bn: { ...banglaAmounts, texts: bangla.VALUE_TEXTS },
}

/** Escapes a text of the operator, so that Markdown shows it as it is. */
const literal = (typed: string) => typed.replace(/[\\`*_{}[\]<>()#+\-.!|&~]/g, '\\$&').replaceAll('\n', ' ')

/** Returns how the prices of coin packages relate to the tax on them. */
function taxText(
  texts: typeof english.VALUE_TEXTS,
  { taxName, taxPercent, taxAdded }: SettingValue<'seller'>,
): string {
  if (taxPercent === 0) return texts.noTax
  return (taxAdded ? texts.taxAdded : texts.taxIncluded)(taxPercent, literal(taxName))
}

/** Returns the values in force that the texts of pages can name, in the language of the page. */
export async function readPageValues(
  db: Db,
  config: Config,
  locale: Locale,
): Promise<Record<SitePageValue, string>> {
  const [packages, { centsPerCoin }, seller] = await Promise.all([
    readSetting(db, 'packages'),
    readSetting(db, 'withdrawal_rate'),
    readSetting(db, 'seller'),
  ])
  const { texts, coinsText, dollarsText, formatNumber } = TEXTS[locale]
  const { appealDays, holdingDays, publicEmails, reviewDays, taskFeePercent } = config
  const rate = wholeRate(centsPerCoin)
  const name = literal(config.name)
  const rows = packagesOf(packages)
    .toSorted((a, b) => a.coins - b.coins)
    .map(({ coins, price }) => `| ${formatNumber(coins)} | ${dollarsText(price * 100)} |`)
  return {
    name,
    operator: literal(seller.legalName || config.name),
    contact:
      [seller.legalName, seller.address, seller.email].filter(Boolean).map(literal).join(', ') ||
      texts.contactForm,
    email_visibility: publicEmails === 'masked' ? texts.maskedEmails : texts.publicEmails,
    packages: [`| ${texts.coins} | ${texts.price} |`, '|---:|---:|', ...rows].join('\n'),
    tax: taxText(texts, seller),
    task_fee: taskFeePercent > 0 ? texts.taskFee(taskFeePercent, name) : texts.noTaskFee(name),
    withdrawal_rate: `${coinsText(rate.coins)} = ${dollarsText(rate.dollars * 100)}`,
    minimum_withdrawal: formatNumber(WITHDRAWAL_COINS_MIN),
    minimum_withdrawal_pays: dollarsText(WITHDRAWAL_COINS_MIN * centsPerCoin),
    holding_time: holdingDays > 0 ? texts.days(holdingDays) : texts.noHolding,
    worker_starting_coins: formatNumber(STARTING_COINS.Worker),
    buyer_starting_coins: formatNumber(STARTING_COINS.Buyer),
    review_days: texts.number(reviewDays),
    review_period: texts.days(reviewDays),
    revision_days: formatNumber(REVISION_DAYS),
    appeal_rule: appealDays > 0 ? texts.appeal(appealDays) : texts.noAppeal,
    appeal_response_days: formatNumber(APPEAL_RESPONSE_DAYS),
    unused_pictures_kept: texts.days(unusedPictureDays(appealDays)),
  }
}
