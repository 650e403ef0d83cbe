import type { Payment } from '#contract/payments.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const TONES = { Success: 'success', Refunded: 'neutral', Disputed: 'error' } as const

/** The status of a payment; a paid one shows the prescribed "Success" (docs/specification/screens.md). */
export function PaymentStatus({ payment }: { payment: Payment }) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <StatusBadge tone={TONES[payment.status]}>{payment.status}</StatusBadge>
      {!payment.real && <StatusBadge tone="warning">Test</StatusBadge>}
    </span>
  )
}

/** "Visa ending in 4242". */
export function cardLabel({ card }: Payment): string {
  if (card === null) return 'Card'
  return `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} ending in ${card.last4}`
}

/** What was given back or taken back, in words; null when nothing was. */
export function refundLabel({ returned, price }: Payment, dollars: (value: number) => string): string | null {
  if (returned.price === 0) return null
  return `${returned.price === price ? 'All' : dollars(returned.price)} returned, ${returned.coins} coins taken back`
}
