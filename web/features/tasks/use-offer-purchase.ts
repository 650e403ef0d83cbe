import { t } from '@lingui/core/macro'
import { useLocation, useNavigate } from 'react-router'
import type { ReturnToTask } from '#web/features/payments/return-to-task.ts'
import { confirm } from '#web/ui/dialogs.tsx'

/** Returns a function that says that the coins do not suffice, and leads to the purchase page. */
export function useOfferPurchase() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return async (cancelLabel: string): Promise<void> => {
    const confirmed = await confirm({
      title: t`Insufficient Coin`,
      text: t`Not available Coin. Purchase Coin`,
      confirmLabel: t`Go to Purchase Page`,
      cancelLabel,
    })
    const state: ReturnToTask = { returnTo: pathname + search }
    if (confirmed) await navigate('/dashboard/purchase-coin', { state })
  }
}
