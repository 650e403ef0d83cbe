import { type Handler, pageOf, type StoredIntent, send } from './state.ts'

export const handleBalance: Handler = ({ intents, otherTransactions, webhookEndpoints }, request) => {
  const { path, query } = request
  if (path === '/v1/balance') return send({ object: 'balance', livemode: false, available: [] })
  if (path === '/v1/webhook_endpoints')
    return send({ object: 'list', data: webhookEndpoints, has_more: false, url: path })
  if (path !== '/v1/balance_transactions') return undefined
  const since = Number(query.get('created[gte]') ?? 0)
  const all = [...[...intents.values()].flatMap(transactionsOf), ...otherTransactions]
  return pageOf(all.filter((one) => Number(one.created) >= since).toReversed(), request)
}

const DISPUTE_FEE = 1500

/** The balance transactions of an intent: its charge, its refund and its disputes, with Stripe's usual fees. */
function transactionsOf(intent: StoredIntent): Record<string, unknown>[] {
  const { id, amount, refunded, disputes, status, created, currency } = intent
  if (status !== 'succeeded') return []
  const transaction = (type: string, category: string, cents: number, fee: number) => ({
    id: `txn_${category}_${id.slice(3)}`,
    object: 'balance_transaction',
    type,
    reporting_category: category,
    amount: cents,
    fee,
    net: cents - fee,
    currency,
    created,
    available_on: created,
    source: { id: `${category}_${id}`, payment_intent: id },
  })
  const disputed = disputes.reduce((sum, dispute) => sum + dispute.amount, 0)
  return [
    transaction('charge', 'charge', amount, Math.round(amount * 0.029) + 30),
    ...(refunded > 0 ? [transaction('refund', 'refund', -refunded, 0)] : []),
    ...(disputed > 0 ? [transaction('adjustment', 'dispute', -disputed, DISPUTE_FEE)] : []),
  ]
}
