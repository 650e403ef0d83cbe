import type { CardCase } from '#contract/card-reconciliation.ts'
import type { AdminPayment, Payment, Receipt } from '#contract/payments.ts'
import type { Refund } from '#contract/refunds.ts'
import type { UnmatchedPayment } from '#contract/unmatched-payments.ts'
import type { CardCaseRow } from './card-transactions.ts'
import type { PaymentRow } from './queries.ts'
import type { RefundRow } from './refunds.ts'
import type { UnmatchedRow } from './unmatched.ts'

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

export function presentPaymentReceipt(row: PaymentRow): Receipt {
  return { ...presentPayment(row), name: row.name }
}

export function presentForAdmin(row: PaymentRow): AdminPayment {
  return { ...presentPaymentReceipt(row), userId: row.user_id, unclaimed: row.unclaimed }
}

export function presentUnmatched(row: UnmatchedRow): UnmatchedPayment {
  const { buyer_id: _id, buyer_name: name, buyer_email: email, decided_at: date } = row
  return {
    _id: row.id,
    transactionId: row.intent_id,
    cause: row.cause,
    price: row.cents / 100,
    refunded: row.refunded_cents / 100,
    currency: row.currency,
    fraudWarningAt: row.fraud_warning_at,
    disputes: row.disputes.map(({ id, cents, status, isOpen, respondBy }) => ({
      _id: id,
      amount: cents / 100,
      status,
      isOpen,
      respondBy,
    })),
    date: row.paid_at,
    card: row.card_last4 === '' ? null : { brand: row.card_brand, last4: row.card_last4 },
    buyer: _id === null || name === null || email === null ? null : { _id, name, email },
    coins: row.currency === 'usd' ? row.coins : null,
    status: row.state === 'open' && row.requested_decision !== null ? 'waiting' : row.state,
    requested:
      row.requested_decision === null || row.requested_at === null
        ? null
        : {
            decision: row.requested_decision,
            date: row.requested_at,
            admin: row.requester_name,
            adminId: row.requester_id,
          },
    decision:
      date === null ? null : { date, admin: row.admin_name, adminId: row.admin_id, reason: row.reason },
    real: row.mode === 'live',
  }
}

export function presentCardCase(row: CardCaseRow): CardCase {
  return {
    _id: row.id,
    kind: row.kind,
    transactionId: row.intent_id,
    provider: row.provider_cents / 100,
    ours: row.our_cents / 100,
    date: row.opened_at,
    resolved:
      row.resolved_at === null
        ? null
        : { date: row.resolved_at, admin: row.admin_name, adminId: row.admin_id, note: row.note },
  }
}

export function presentRefund(row: RefundRow): Refund {
  return {
    _id: row.id,
    transactionId: row.transaction_id,
    buyer: row.buyer_name,
    buyerId: row.buyer_id,
    amount: row.cents / 100,
    reason: row.reason,
    status: row.state,
    date: row.requested_at,
    requestedBy: row.requested_by,
    requestedById: row.requested_by_id,
    decidedBy: row.decided_by,
  }
}
