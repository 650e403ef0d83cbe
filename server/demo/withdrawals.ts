import type { PaymentSystem } from '#contract/product.ts'

/** A withdrawal request of a demo worker and, unless it is pending, the Admin's decision. */
export type DemoWithdrawal = {
  by: string
  daysAgo: number
  coins: number
  system: PaymentSystem
  accountNumber: string
  outcome?: 'approved' | { declined: string }
}

export const DEMO_WITHDRAWALS: readonly DemoWithdrawal[] = [
  {
    by: 'farhana',
    daysAgo: 16,
    coins: 240,
    system: 'Bkash',
    accountNumber: '01712345678',
    outcome: 'approved',
  },
  {
    by: 'nusrat',
    daysAgo: 13,
    coins: 300,
    system: 'Nagad',
    accountNumber: '01812345678',
    outcome: 'approved',
  },
  {
    by: 'tanvir',
    daysAgo: 10,
    coins: 220,
    system: 'Rocket',
    accountNumber: '019123456785',
    outcome: { declined: 'This Rocket number is not registered. Please check it and ask again.' },
  },
  { by: 'tanvir', daysAgo: 1, coins: 220, system: 'Rocket', accountNumber: '019123456787' },
]
