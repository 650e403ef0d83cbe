import { CardPayments } from '#web/features/payments/card-payments.tsx'
import { MyWithdrawals } from '#web/features/withdrawals/my-withdrawals.tsx'
import { useUserData } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Money that came and went: a worker's payouts, a buyer's purchases; of the other kind what there is, below. */
export default function PaymentHistory() {
  const { email, role } = useUserData()
  if (role === 'Worker') {
    return (
      <Screen title="Payment History" subtitle="What was paid out to you, newest first">
        <div className="space-y-8">
          <MyWithdrawals email={email} empty={<NoPayouts />} />
          <CardPayments email={email} title="Coins you bought" />
        </div>
      </Screen>
    )
  }
  return (
    <Screen title="Payment History" subtitle="Your card payments, newest first">
      <div className="space-y-8">
        <CardPayments email={email} empty={<NoPurchases buyer={role === 'Buyer'} />} />
        <MyWithdrawals email={email} title="Paid out to you" empty={null} />
      </div>
    </Screen>
  )
}

function NoPayouts() {
  return (
    <EmptyState
      title="No payments found."
      action={<LinkButton to="/dashboard/withDrawal-form">Withdraw coins</LinkButton>}
    >
      Your withdrawals are listed here, with what became of each.
    </EmptyState>
  )
}

function NoPurchases({ buyer }: { buyer: boolean }) {
  return (
    <EmptyState
      title="No payments found."
      action={buyer && <LinkButton to="/dashboard/purchase-coin">Purchase coins</LinkButton>}
    >
      {buyer
        ? 'Coins that you buy by card are listed here, with a receipt for each payment.'
        : 'Buyers buy coins by card; what you pay by card would be listed here.'}
    </EmptyState>
  )
}
