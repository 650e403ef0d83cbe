import {
  type Account,
  type Handler,
  missing,
  pageOf,
  type Reply,
  refuse,
  refuseUnknown,
  replayOf,
  type StoredIntent,
  type StripeRequest,
  send,
  serverError,
  storeReply,
  token,
} from './state.ts'

const KNOWN_ON_CREATE =
  /^(amount|currency|customer|description|statement_descriptor_suffix|allowed_payment_method_types\[\d\]|metadata\[\w+\]|expand\[\d\])$/

export const handleIntents: Handler = (account, request) => {
  const [matched, id, action] = /^\/v1\/payment_intents(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(request.path) ?? []
  if (matched === undefined) return undefined
  if (id === undefined) return request.method === 'POST' ? create(account, request) : list(account, request)
  const intent = account.intents.get(id)
  if (intent === undefined) return missing(`payment_intent: '${id}'`)
  if (request.method === 'GET') return retrieve(account, intent)
  return action === 'cancel' ? cancel(intent) : undefined
}

function create(account: Account, request: StripeRequest): Reply {
  const { body } = request
  const known = replayOf(account, request) ?? refuseUnknown(body, KNOWN_ON_CREATE)
  if (known !== undefined) return known
  if (Number(body.get('amount')) < 50)
    return refuse(400, 'amount_too_small', 'Amount must be at least $0.50 usd')
  const customer = body.get('customer')
  // Stripe stores errors of the parameters' values under the key too.
  if (customer !== null && !account.customers.has(customer))
    return storeReply(account, request, refuse(400, 'resource_missing', `No such customer: '${customer}'`))
  const intent = makeIntent(body)
  if (account.creation !== 'failed') account.intents.set(intent.id, intent)
  const reply = account.creation === 'fine' ? send(show(intent)) : serverError()
  return storeReply(account, request, reply)
}

function list({ intents }: Account, request: StripeRequest): Reply {
  const since = Number(request.query.get('created[gte]') ?? 0)
  const until = Number(request.query.get('created[lte]') ?? Number.POSITIVE_INFINITY)
  const all = [...intents.values()].filter(({ created }) => created >= since && created <= until).toReversed()
  return pageOf(all.map(show), request)
}

async function retrieve({ pause }: Account, intent: StoredIntent): Promise<Reply> {
  const shown = show(intent)
  await pause
  return send(shown)
}

function cancel(intent: StoredIntent): Reply {
  if (!intent.status.startsWith('requires_'))
    return refuse(
      400,
      'payment_intent_unexpected_state',
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
    )
  intent.status = 'canceled'
  return send(show(intent))
}

function makeIntent(body: URLSearchParams): StoredIntent {
  const id = `pi_${token(24)}`
  const metadata = Object.fromEntries(
    [...body].flatMap(([name, value]) => {
      const [, field] = /^metadata\[(\w+)\]$/.exec(name) ?? []
      return field === undefined ? [] : [[field, value]]
    }),
  )
  return {
    id,
    client_secret: `${id}_secret_${token(25)}`,
    amount: Number(body.get('amount')),
    currency: body.get('currency') ?? '',
    status: 'requires_payment_method',
    metadata,
    description: body.get('description'),
    statement_descriptor_suffix: body.get('statement_descriptor_suffix'),
    customer: body.get('customer'),
    card: null,
    saves: false,
    refunded: 0,
    refunds: [],
    disputes: [],
    created: Math.floor(Date.now() / 1000),
  }
}

function show(intent: StoredIntent) {
  const { id, client_secret, amount, currency, status, metadata, card, refunded, disputes, created } = intent
  const { customer } = intent
  const charge = card !== null &&
    status === 'succeeded' && {
      id: id.replace('pi_', 'ch_'),
      object: 'charge',
      amount,
      amount_refunded: refunded,
      refunded: refunded >= amount,
      disputed: disputes.length > 0,
      payment_intent: id,
      payment_method_details: {
        type: 'card',
        card: { brand: card.brand, last4: card.last4, fingerprint: `fp${card.number}` },
      },
    }
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_received: status === 'succeeded' ? amount : 0,
    client_secret,
    created,
    currency,
    customer,
    latest_charge: charge || null,
    livemode: false,
    metadata,
    status,
  }
}
