import type { PaymentSystem } from '#contract/product.ts'

/** What the demo world's workers asked to be paid, how many days ago, and what an Admin said. */
export type DemoPayout = {
  by: string
  daysAgo: number
  coins: number
  system: PaymentSystem
  accountNumber: string
  fate?: 'approved' | { declined: string }
}

export const PAYOUTS: readonly DemoPayout[] = [
  { by: 'farhana', daysAgo: 16, coins: 240, system: 'Bkash', accountNumber: '01712345678', fate: 'approved' },
  { by: 'nusrat', daysAgo: 13, coins: 300, system: 'Nagad', accountNumber: '01812345678', fate: 'approved' },
  {
    by: 'tanvir',
    daysAgo: 10,
    coins: 220,
    system: 'Rocket',
    accountNumber: '019123456785',
    fate: { declined: 'This Rocket number is not registered. Please check it and ask again.' },
  },
  { by: 'tanvir', daysAgo: 1, coins: 220, system: 'Rocket', accountNumber: '019123456787' },
]
