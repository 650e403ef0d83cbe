import { t } from '@lingui/core/macro'
import { Suspense } from 'react'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { MyWithdrawals } from '#web/features/withdrawals/my-withdrawals.tsx'
import { WithdrawForm } from '#web/features/withdrawals/withdraw-form.tsx'
import { WithdrawableCoins } from '#web/features/withdrawals/withdrawable-coins.tsx'
import { formatCoinValue } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker'] }

/** Renders the withdrawal form and the user's withdrawals. */
export default function WithdrawalForm() {
  const { email, coin } = useUserData()
  const rate = useWithdrawalRate()
  return (
    <Screen title={t`Withdraw Form`} subtitle={t`Exchange your coins for money`}>
      <div className="grid grid-cols-1 items-start gap-5 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
        <WithdrawForm />
        <section aria-label={t`Available`} className="card p-5 @max-2xl:order-first">
          <p className="text-sm text-dim">{t`Available coins`}</p>
          <CoinAmount value={coin} className="mt-1 text-title" />
          <p className="text-sm text-dim">{t`worth ${{ amount: formatCoinValue(coin, rate) }}`}</p>
          <WithdrawableCoins balance={coin} />
          <p className="mt-4 border-t border-line pt-4 text-xs text-dim">
            {t`Coins are reserved when you submit the request. An Admin then pays it or declines it with a reason, and declined coins return to your balance.`}
          </p>
        </section>
      </div>
      <section aria-labelledby="withdrawals" className="mt-8">
        <h2 id="withdrawals" className="mb-3 text-lg">
          {t`Your withdrawals`}
        </h2>
        <ErrorBoundary>
          <Suspense fallback={<ListSkeleton rows={2} />}>
            <MyWithdrawals
              email={email}
              empty={<p className="card px-5 py-8 text-center text-dim">{t`You have no withdrawals yet.`}</p>}
            />
          </Suspense>
        </ErrorBoundary>
      </section>
    </Screen>
  )
}
