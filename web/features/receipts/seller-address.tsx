import type { PrintedSeller } from '#contract/receipts.ts'
import { useSiteName } from '#web/features/site/site.ts'

/** Renders the seller of receipts and statements; nothing where only the name of the site is set, which the header shows. */
export function SellerAddress({ seller, tax = '' }: { seller: PrintedSeller; tax?: string }) {
  const siteName = useSiteName()
  const lines = [seller.address, seller.email, seller.taxNumber, tax].filter((line) => line !== '').join('\n')
  if (seller.name === siteName && lines === '') return null
  return (
    <address className="mt-3 text-sm whitespace-pre-line text-dim not-italic">
      <span className="block text-ink">{seller.name}</span>
      {lines}
    </address>
  )
}
