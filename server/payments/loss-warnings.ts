import { coinsText, dollarsText } from '#contract/amounts.en.ts'
import { marginOf } from '#contract/package-margin.ts'
import type { Db } from '#server/database/database.ts'
import { readSetting } from '#server/operator-settings/read.ts'

/** Returns a warning for each coin package that pays out more than it brings in after card fees and tax. */
export async function lossWarnings(db: Db): Promise<string[]> {
  const [{ packages, ...fees }, rate, seller] = await Promise.all([
    readSetting(db, 'packages'),
    readSetting(db, 'withdrawal_rate'),
    readSetting(db, 'seller'),
  ])
  return packages.flatMap((offered) => {
    const { netCents, payoutCents, marginCents } = marginOf(offered, { ...fees, ...rate, ...seller })
    if (marginCents >= 0) return []
    const price = dollarsText(offered.priceCents)
    return [
      `The package of ${coinsText(offered.coins)} for ${price} loses ${dollarsText(-marginCents)}: it brings ${dollarsText(netCents)} after card fees and tax, and pays out ${dollarsText(payoutCents)}. Prices are on Dashboard → Settings.`,
    ]
  })
}
