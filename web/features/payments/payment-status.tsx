import { t } from '@lingui/core/macro'
import { cardBrandName } from '#contract/card-brands.ts'
import type { Payment } from '#contract/payments.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const WORDS = { Success: t`Success`, Refunded: t`Refunded`, Disputed: t`Disputed` }
const TONES = { Success: 'success', Refunded: 'neutral', Disputed: 'error' } as const

/** Renders the status of a payment; a paid one shows the prescribed "Success" (docs/specification/screens.md). */
export function PaymentStatus({ payment }: { payment: Payment }) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <StatusBadge tone={TONES[payment.status]}>{WORDS[payment.status]}</StatusBadge>
      {!payment.real && <StatusBadge tone="warning">{t`Test`}</StatusBadge>}
    </span>
  )
}

/** Returns a card's label: "Visa ending in 4242". */
export function cardLabel({ card }: Pick<Payment, 'card'>): string {
  if (card === null) return t`Card`
  const brand = cardBrandName(card.brand)
  return t`${brand} ending in ${{ digits: card.last4 }}`
}

/** Returns the refunded or disputed amount as text; null when there is none. */
export function refundLabel({ returned, price }: Payment): string | null {
  if (returned.price === 0) return null
  const coins = formatCoins(returned.coins)
  return returned.price === price
    ? t`Full amount returned, ${coins} deducted`
    : t`${{ amount: formatDollars(returned.price) }} returned, ${coins} deducted`
}
