import { t } from '@lingui/core/macro'
import type { SettingValue } from '#contract/operator-settings.ts'
import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { formatCents, formatCoins } from '#web/lib/format.ts'
import { usePrices } from './use-package-margins.ts'

type Values = Partial<SettingValue<'payout_limits'> & SettingValue<'withdrawal_rate'>>

/**
 * Renders which limits of payouts are below what the minimum of a withdrawal pays, with `values` in place of those in force;
 * nothing when none is. New workers could then never withdraw.
 */
export function MinimumWarning({ values }: { values: Values }) {
  const { centsPerCoin, firstPayoutCents, pairCents } = { ...usePrices(), ...values }
  const cents = WITHDRAWAL_COINS_MIN * centsPerCoin
  const [coins, payout] = [formatCoins(WITHDRAWAL_COINS_MIN), formatCents(cents)]
  const isBelow = (limit: number | null) => limit !== null && limit < cents
  return (
    <>
      {isBelow(firstPayoutCents) && (
        <p className="text-sm text-danger sm:col-span-2">
          {t`The minimum of ${coins} pays ${payout}, which is above the maximum first payout. No new worker can withdraw.`}
        </p>
      )}
      {isBelow(pairCents) && (
        <p className="text-sm text-danger sm:col-span-2">
          {t`The minimum of ${coins} pays ${payout}, which is above the maximum from one buyer. Workers with one buyer cannot withdraw to a new account.`}
        </p>
      )}
    </>
  )
}
