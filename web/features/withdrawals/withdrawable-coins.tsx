import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { unavailableCoinsText } from '#contract/unavailable-coins.en.ts'
import { withdrawable } from '#contract/withdrawals.ts'
import { formatCoins } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Returns what the user can withdraw now; undefined until it is loaded. */
export function useWithdrawable() {
  return useQuery(queryOf(withdrawable, {})).data
}

/** Renders what can be withdrawn now, and what later and why; nothing while it is the whole balance. */
export function WithdrawableCoins({ balance }: { balance: number }) {
  const coins = useWithdrawable()
  if (coins === undefined || (coins.unverified >= balance && coins.verified >= balance)) return null
  return (
    <div className="mt-4 space-y-2 border-t border-line pt-4 text-sm">
      <p className="font-nav">{t`You can withdraw ${{ coins: formatCoins(coins.verified) }} now.`}</p>
      {coins.unverified < coins.verified && (
        <p>{t`To an account that we have not paid yet: ${{ coins: formatCoins(coins.unverified) }}.`}</p>
      )}
      {coins.later.map((part) => (
        <p key={part.cause} className="text-dim">
          {unavailableCoinsText(part)}
        </p>
      ))}
    </div>
  )
}
