import type { AdminPayment, Payment, Receipt } from '#contract/payments.ts'
import type { PaymentRow } from './queries.ts'

const STATUS = { paid: 'Success', refunded: 'Refunded', disputed: 'Disputed' } as const

export function presentPayment(row: PaymentRow): Payment {
  return {
    _id: row.id,
    receipt: row.number,
    email: row.email,
    coins: row.coins,
    price: row.amount_cents / 100,
    transactionId: row.transaction_id,
    date: row.paid_at,
    status: STATUS[row.status],
    card: row.card_last4 === '' ? null : { brand: row.card_brand, last4: row.card_last4 },
    returned: { price: row.reversed_cents / 100, coins: row.reversed_coins },
    real: row.mode === 'live',
  }
}

export function presentReceipt(row: PaymentRow): Receipt {
  return { ...presentPayment(row), name: row.name }
}

export function presentForAdmin(row: PaymentRow): AdminPayment {
  return { ...presentReceipt(row), unclaimed: row.unclaimed }
}
