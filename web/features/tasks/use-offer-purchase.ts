import { useNavigate } from 'react-router'
import { confirm } from '#web/ui/dialogs.tsx'

/** Returns a function that says that the coins do not suffice, and leads to the purchase page. */
export function useOfferPurchase() {
  const navigate = useNavigate()
  return async (cancelLabel: string): Promise<void> => {
    const confirmed = await confirm({
      title: 'Insufficient Coin',
      text: 'Not available Coin. Purchase Coin',
      confirmLabel: 'Go to Purchase Page',
      cancelLabel,
    })
    if (confirmed) await navigate('/dashboard/purchase-coin')
  }
}
