import { t } from '@lingui/core/macro'
import { Suspense } from 'react'
import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { CardPayments } from '#web/features/payments/card-payments.tsx'
import { SavedCards } from '#web/features/payments/saved-cards.tsx'
import { MyWithdrawals } from '#web/features/withdrawals/my-withdrawals.tsx'
import { useUserData } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Renders withdrawals and card payments: a worker's withdrawals first, a buyer's card payments first. */
export default function PaymentHistory() {
  const { email, role, coin } = useUserData()
  if (role === 'Worker') {
    return (
      <Screen title={t`Payment History`} subtitle={t`Your withdrawals and card payments, newest first`}>
        <div className="space-y-8">
          <MyWithdrawals email={email} empty={<NoWithdrawals coins={coin} />} />
          <CardPayments email={email} title={t`Your card payments`} />
          <Cards />
        </div>
      </Screen>
    )
  }
  return (
    <Screen title={t`Payment History`} subtitle={t`Your card payments, newest first`}>
      <div className="space-y-8">
        <CardPayments email={email} empty={<NoPurchases buyer={role === 'Buyer'} />} />
        <Cards />
        <MyWithdrawals email={email} title={t`Your withdrawals`} empty={null} />
      </div>
    </Screen>
  )
}

/** Renders the saved cards. They come from the card processor, whose failure does not hide the payments. */
function Cards() {
  return (
    <ErrorBoundary>
      <Suspense>
        <SavedCards />
      </Suspense>
    </ErrorBoundary>
  )
}

/** Renders the next step of a worker without withdrawals: to withdraw, once there are enough coins. */
function NoWithdrawals({ coins }: { coins: number }) {
  return (
    <EmptyState
      title={t`No payments found.`}
      action={
        coins >= WITHDRAWAL_COINS_MIN ? (
          <LinkButton to="/dashboard/withDrawal-form">{t`Withdraw coins`}</LinkButton>
        ) : (
          <LinkButton to="/dashboard/available-task">{t`Find a task`}</LinkButton>
        )
      }
    >
      {t`Your withdrawals and their status are listed here.`}
    </EmptyState>
  )
}

function NoPurchases({ buyer }: { buyer: boolean }) {
  return (
    <EmptyState
      title={t`No payments found.`}
      action={buyer && <LinkButton to="/dashboard/purchase-coin">{t`Purchase coins`}</LinkButton>}
    >
      {buyer
        ? t`Your card payments are listed here, with a receipt for each.`
        : t`Your card payments are listed here. Only buyers can buy coins.`}
    </EmptyState>
  )
}
