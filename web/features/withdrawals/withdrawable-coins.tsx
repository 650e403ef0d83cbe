import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { unavailableCoinsText, withdrawableCoinsText } from '#contract/unavailable-coins.en.ts'
import { withdrawable } from '#contract/withdrawals.ts'
import { formatCoins } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Returns what the user can withdraw now; undefined until it is loaded. */
export function useWithdrawable() {
  return useQuery(queryOf(withdrawable, {})).data
}

/**
 * Renders what can be withdrawn now, and what later and why; nothing while it is the whole balance, or where the balance itself is
 * below the minimum, which the form says.
 */
export function WithdrawableCoins({ balance }: { balance: number }) {
  const coins = useWithdrawable()
  if (coins === undefined || (coins.unverified >= balance && coins.verified >= balance)) return null
  if (balance < WITHDRAWAL_COINS_MIN && coins.later.length === 0) return null
  return (
    <div className="mt-4 space-y-2 border-t border-line pt-4 text-sm">
      <p className="font-nav">{withdrawableCoinsText(coins.verified)}</p>
      {coins.unverified < coins.verified && (
        <p>
          {coins.unverified === 0
            ? t`To an account that we have not paid yet: none, because the limit for it leaves less than the minimum of ${{ coins: formatCoins(WITHDRAWAL_COINS_MIN) }}.`
            : t`To an account that we have not paid yet: ${{ coins: formatCoins(coins.unverified) }}.`}
        </p>
      )}
      {coins.later.map((part) => (
        <p key={part.cause} className="text-dim">
          {unavailableCoinsText(part)}
        </p>
      ))}
    </div>
  )
}
