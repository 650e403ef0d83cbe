import { t } from '@lingui/core/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { statement } from '#contract/ledger.ts'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { DownloadStatement } from '#web/features/statement/download-statement.tsx'
import { useCurrentMonth } from '#web/features/statement/months.ts'
import { StatementList } from '#web/features/statement/statement-list.tsx'
import { formatCoins, formatCoinValue } from '#web/lib/format.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the user's coin statement. */
export default function Statement() {
  const { email, coin, debt, role } = useUserData()
  const rate = useWithdrawalRate()
  const currentMonth = useCurrentMonth()
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(statement, { params: { email } }, 50))
  const lines = query.data.pages.flatMap((page) => page.reply)
  const coins = formatCoins(coin)
  const balance =
    role === 'Worker'
      ? t`You have ${coins}, worth ${{ amount: formatCoinValue(coin, rate) }}`
      : t`You have ${coins}`
  return (
    <Screen
      title={t`Coin Statement`}
      subtitle={
        debt > 0
          ? t`${balance}. You owe ${{ coins: formatCoins(debt) }}, which the next coins you receive repay.`
          : balance
      }
      action={
        lines.length > 0 && (
          <div className="flex flex-wrap gap-3">
            <LinkButton variant="default" to={`/dashboard/statement/${currentMonth}`}>
              {t`Monthly statements`}
            </LinkButton>
            <DownloadStatement email={email} />
          </div>
        )
      }
    >
      {lines.length === 0 ? (
        <EmptyState
          title={t`No transactions yet`}
        >{t`Every change of your coin balance is listed here.`}</EmptyState>
      ) : (
        <>
          <StatementList lines={lines} />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}
