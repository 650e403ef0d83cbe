import {
  type Account,
  type Handler,
  missing,
  type Reply,
  refuse,
  type StripeRequest,
  send,
  serverError,
  storeReply,
  token,
} from './state.ts'

export const handleRefunds: Handler = (account, request) => {
  const { method, path, query } = request
  if (path !== '/v1/refunds') return undefined
  if (method === 'POST') return refund(account, request)
  const intent = account.intents.get(query.get('payment_intent') ?? '')
  if (intent === undefined) return missing('payment_intent')
  const data = intent.refunds
  return send({ object: 'list', data, has_more: false, url: path })
}

function refund(account: Account, request: StripeRequest): Reply {
  const { body, key } = request
  const intent = account.intents.get(body.get('payment_intent') ?? '')
  if (intent === undefined) return missing('payment_intent')
  const earlier = key === undefined ? undefined : account.replies.get(key)
  if (earlier !== undefined) return earlier.reply
  const left = intent.amount - intent.refunded
  const amount = Number(body.get('amount') ?? left)
  if (intent.disputes.some(({ status }) => status === 'needs_response'))
    return refuse(400, 'charge_disputed', 'Charge has been charged back.')
  if (left <= 0) return refuse(400, 'charge_already_refunded', 'Charge has been refunded.')
  if (amount > left)
    return refuse(400, 'parameter_invalid', 'Refund amount is greater than unrefunded amount')
  const made = {
    id: `re_${token(14)}`,
    object: 'refund',
    status: 'succeeded',
    amount,
    metadata: { refund_id: body.get('metadata[refund_id]') ?? '' },
  }
  if (account.refunding !== 'failed') {
    intent.refunded += amount
    intent.refunds.push(made)
  }
  return storeReply(account, request, account.refunding === 'fine' ? send(made) : serverError())
}
