import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Speaks the part of Stripe's protocol (2026-10-28.endive) that card payments need, over HTTP, to the official library
 * and to a browser: keys, form encoding, idempotency keys, errors with their codes, refusal of unknown parameters.
 * Nothing of our own code is in it.
 */
export type StripeStandIn = {
  url: string
  secretKey: string
  publishableKey: string
  intents: Map<string, StoredIntent>
  /** Method and path of every request it has seen, with the idempotency key. */
  requests: { call: string; key: string | undefined }[]
  /** The fault it injects instead of a response. */
  weather:
    | 'fine'
    | 'error'
    | 'page'
    | 'silence'
    | 'reset'
    | 'busy'
    | 'key revoked'
    | 'no permission'
    | 'rejected'
  /** Changes the successful responses to requests. */
  alter: ((value: Record<string, unknown>) => unknown) | undefined
  /** Balance transactions beside those of the intents. */
  otherTransactions: Record<string, unknown>[]
  customers: Map<string, Record<string, string>>
  /** The saved cards of all customers. */
  cards: Map<string, StoredCard>
  /** The customer sessions, by their client secrets. */
  sessions: Map<string, { customer: string; features: Record<string, string> }>
  /** The account's webhook endpoints. */
  webhookEndpoints: Record<string, unknown>[]
  /** What becomes of new intents: `failed` stores an error under the key, `lost` too but creates the intent. */
  creation: 'fine' | 'failed' | 'lost'
  /** Waits for this before it returns a GET of an intent. */
  pause: Promise<void> | undefined
  /** `save`: the buyer has checked the box that saves the card. */
  confirm(clientSecret: string, number: string, save?: boolean): Tried
  confirmSaved(clientSecret: string, cardId: string): Tried
  authenticate(clientSecret: string, agreed: boolean): Tried
  close(): Promise<void>
}
type StoredCard = { id: string; customer: string; number: string }
type Tried = { status: string; error: { code: string; decline_code?: string; message: string } | null }

export type StoredIntent = {
  id: string
  client_secret: string
  amount: number
  currency: string
  status: string
  metadata: Record<string, string>
  description: string | null
  statement_descriptor_suffix: string | null
  customer: string | null
  card: { brand: string; last4: string; number: string } | null
  saves: boolean
  refunded: number
  refunds: { id: string; object: string; status: string; amount: number; metadata: Record<string, string> }[]
  disputes: { amount: number; status: string; evidence?: Record<string, string> }[]
  created: number
}

const VERSION = '2026-10-28.endive'
const KNOWN_ON_CREATE =
  /^(amount|currency|customer|description|statement_descriptor_suffix|allowed_payment_method_types\[\d\]|metadata\[\w+\]|expand\[\d\])$/

const KNOWN_FEATURE =
  /^components\[payment_element\]\[features\]\[(payment_method_(?:save|save_usage|redisplay|remove))\]$/

const KNOWN_EVIDENCE =
  /^evidence\[(customer_name|customer_email_address|customer_purchase_ip|service_date|product_description|access_activity_log|uncategorized_text)\]$/

const DECLINES: Record<string, [code: string, declineCode: string | undefined, message: string]> = {
  '4000000000000002': ['card_declined', 'generic_decline', 'Your card was declined.'],
  '4000000000009995': ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  '4000008260003178': ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
}
const CHALLENGED = new Set(['4000002500003155', '4000008260003178'])

export async function startStripeStandIn(): Promise<StripeStandIn> {
  const secretKey = `sk_test_${token(24)}`
  const publishableKey = `pk_test_${token(24)}`
  const intents = new Map<string, StoredIntent>()
  const createdCustomers = new Set<string>()
  const replies = new Map<string, { body: string; status: number; text: string }>()

  const state: StripeStandIn = {
    url: '',
    secretKey,
    publishableKey,
    intents,
    requests: [],
    weather: 'fine',
    creation: 'fine',
    alter: undefined,
    otherTransactions: [],
    customers: new Map(),
    cards: new Map(),
    sessions: new Map(),
    webhookEndpoints: [],
    pause: undefined,
    confirm(clientSecret, number, save = false) {
      const intent = bySecret(clientSecret)
      intent.saves = save
      return saveIfPaid(intent, attempt(intent, number))
    },
    confirmSaved(clientSecret, cardId) {
      const intent = bySecret(clientSecret)
      const card = state.cards.get(cardId)
      if (card === undefined || card.customer !== intent.customer)
        return failed('resource_missing', undefined, `No such PaymentMethod: '${cardId}'`)
      return attempt(intent, card.number)
    },
    authenticate(clientSecret, agreed) {
      const intent = bySecret(clientSecret)
      if (intent.status !== 'requires_action') throw new Error(`${intent.id} is ${intent.status}`)
      if (agreed) return saveIfPaid(intent, finish(intent))
      intent.status = 'requires_payment_method'
      return failed('payment_intent_authentication_failure', undefined, CHALLENGE_FAILED)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function bySecret(clientSecret: string): StoredIntent {
    const intent = [...intents.values()].find((one) => one.client_secret === clientSecret)
    if (intent === undefined) throw new Error('No such client secret')
    return intent
  }

  function saveIfPaid(intent: StoredIntent, tried: Tried): Tried {
    const { customer, card, saves } = intent
    if (tried.status === 'succeeded' && saves && card && customer !== null && state.customers.has(customer)) {
      const id = `pm_${token(24)}`
      state.cards.set(id, { id, customer, number: card.number })
    }
    return tried
  }

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    const body = new URLSearchParams(await text(request))
    const key = request.headers['idempotency-key'] as string | undefined
    state.requests.push({ call: `${request.method} ${url.pathname}`, key })

    const send = (status: number, value: unknown) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'request-id': `req_${token(14)}`,
      })
      const shown = typeof value === 'string' ? JSON.parse(value) : value
      response.end(JSON.stringify(status === 200 && state.alter ? state.alter(shown) : shown))
    }
    const refuse = (status: number, type: string, code: string, message: string) =>
      send(status, { error: { type, code, message } })

    if (state.weather === 'error')
      return refuse(500, 'api_error', 'internal', 'Something went wrong on our end')
    if (state.weather === 'busy')
      return refuse(429, 'invalid_request_error', 'rate_limit', 'Too many requests')
    if (state.weather === 'page') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
      return
    }
    if (state.weather === 'reset') {
      request.socket.destroy()
      return
    }
    if (state.weather === 'silence') return

    if (state.weather === 'key revoked')
      return refuse(401, 'invalid_request_error', 'api_key_expired', `Expired API Key provided: ${secretKey}`)
    if (state.weather === 'no permission')
      return refuse(403, 'invalid_request_error', 'more_permissions_required', 'The key lacks permissions')
    if (state.weather === 'rejected')
      return refuse(400, 'invalid_request_error', 'parameter_invalid', 'Invalid parameter')

    const browserReads = /^\/v1\/payment_intents\/(\w+)$/.exec(url.pathname)
    const isBrowser =
      request.headers.authorization === `Bearer ${state.publishableKey}` &&
      intents.get(browserReads?.[1] ?? '')?.client_secret === url.searchParams.get('client_secret')
    if (request.headers.authorization !== `Bearer ${secretKey}` && !isBrowser)
      return refuse(401, 'invalid_request_error', 'api_key_invalid', 'Invalid API Key provided')
    if (request.headers['stripe-version'] !== VERSION)
      return refuse(400, 'invalid_request_error', 'version', `Expected version ${VERSION}`)

    const [, id, action] = /^\/v1\/payment_intents(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    if (request.method === 'POST' && url.pathname === '/v1/payment_intents') {
      const stored = key === undefined ? undefined : replies.get(key)
      if (stored !== undefined) {
        if (stored.body !== body.toString())
          return refuse(400, 'idempotency_error', 'idempotency', 'Keys for idempotent requests …')
        response.setHeader('idempotent-replayed', 'true')
        return send(stored.status, stored.text)
      }
      const unknown = [...body.keys()].find((name) => !KNOWN_ON_CREATE.test(name))
      if (unknown !== undefined)
        return refuse(
          400,
          'invalid_request_error',
          'parameter_unknown',
          `Received unknown parameter: ${unknown}`,
        )
      if (Number(body.get('amount')) < 50)
        return refuse(400, 'invalid_request_error', 'amount_too_small', 'Amount must be at least $0.50 usd')
      const customer = body.get('customer')
      if (customer !== null && !state.customers.has(customer))
        return refuse(400, 'invalid_request_error', 'resource_missing', `No such customer: '${customer}'`)
      const intent = makeIntent(body)
      if (state.creation !== 'failed') intents.set(intent.id, intent)
      const [status, shown] =
        state.creation === 'fine'
          ? [200, show(intent)]
          : [500, { error: { type: 'api_error', message: 'An unknown error occurred' } }]
      if (key !== undefined) replies.set(key, { body: body.toString(), status, text: JSON.stringify(shown) })
      return send(status, shown)
    }
    if (url.pathname === '/v1/customer_sessions') {
      const customer = body.get('customer') ?? ''
      if (!state.customers.has(customer))
        return refuse(400, 'invalid_request_error', 'resource_missing', `No such customer: '${customer}'`)
      const features = Object.fromEntries(
        [...body].flatMap(([name, value]) => {
          const [, feature] = KNOWN_FEATURE.exec(name) ?? []
          return feature === undefined ? [] : [[feature, value]]
        }),
      )
      if (Object.keys(features).length !== body.size - 2)
        return refuse(400, 'invalid_request_error', 'parameter_unknown', 'Received unknown parameter')
      const secret = `cuss_secret_${token(40)}`
      state.sessions.set(secret, { customer, features })
      return send(200, { object: 'customer_session', client_secret: secret, customer, livemode: false })
    }
    const [, ownerId, cardId] =
      /^\/v1\/customers\/(\w+)\/payment_methods(?:\/(\w+))?$/.exec(url.pathname) ?? []
    if (ownerId !== undefined) {
      const owned = [...state.cards.values()].filter(({ customer }) => customer === ownerId)
      if (cardId === undefined && state.customers.has(ownerId))
        return send(200, { object: 'list', data: owned.map(showCard), has_more: false, url: url.pathname })
      const card = owned.find(({ id }) => id === cardId)
      return card === undefined
        ? refuse(404, 'invalid_request_error', 'resource_missing', 'No such customer or payment method')
        : send(200, showCard(card))
    }
    const [, detached] = /^\/v1\/payment_methods\/(\w+)\/detach$/.exec(url.pathname) ?? []
    if (detached !== undefined) {
      const card = state.cards.get(detached)
      if (card === undefined)
        return refuse(404, 'invalid_request_error', 'resource_missing', 'No such payment method')
      state.cards.delete(detached)
      return send(200, { ...showCard(card), customer: null })
    }
    if (url.pathname.startsWith('/v1/customers')) {
      const [, , , named] = url.pathname.split('/')
      const known = named ?? `cus_${key?.replaceAll(/\W/g, '')}`
      if (request.method === 'POST' && named !== undefined && !state.customers.has(named))
        return refuse(404, 'invalid_request_error', 'resource_missing', `No such customer: '${named}'`)
      // A key that comes again returns the first response, also after the customer was deleted.
      if (named === undefined && key !== undefined && createdCustomers.has(key))
        return send(200, { id: known, object: 'customer' })
      if (named === undefined && key !== undefined) createdCustomers.add(key)
      if (request.method === 'DELETE') {
        state.customers.delete(known)
        for (const { id, customer } of state.cards.values()) if (customer === known) state.cards.delete(id)
      } else state.customers.set(known, Object.fromEntries(body))
      return send(200, { id: known, object: 'customer' })
    }
    if (request.method === 'POST' && url.pathname === '/v1/refunds') {
      const refunded = intents.get(body.get('payment_intent') ?? '')
      if (refunded === undefined)
        return refuse(404, 'invalid_request_error', 'resource_missing', 'No such payment_intent')
      const earlier = key === undefined ? undefined : replies.get(key)
      if (earlier !== undefined) return send(earlier.status, earlier.text)
      const amount = Number(body.get('amount') ?? refunded.amount - refunded.refunded)
      if (refunded.disputes.some(({ status }) => status === 'needs_response'))
        return refuse(400, 'invalid_request_error', 'charge_disputed', 'Charge has been charged back.')
      if (amount > refunded.amount - refunded.refunded && refunded.refunded < refunded.amount)
        return refuse(
          400,
          'invalid_request_error',
          'parameter_invalid',
          'Refund amount is greater than unrefunded amount',
        )
      if (refunded.refunded >= refunded.amount)
        return refuse(400, 'invalid_request_error', 'charge_already_refunded', 'Charge has been refunded.')
      const refund = {
        id: `re_${token(14)}`,
        object: 'refund',
        status: 'succeeded',
        amount,
        metadata: { refund_id: body.get('metadata[refund_id]') ?? '' },
      }
      refunded.refunded += amount
      refunded.refunds.push(refund)
      if (key !== undefined)
        replies.set(key, { body: body.toString(), status: 200, text: JSON.stringify(refund) })
      return send(200, refund)
    }
    if (url.pathname === '/v1/refunds')
      return send(200, {
        object: 'list',
        data: intents.get(url.searchParams.get('payment_intent') ?? '')?.refunds ?? [],
        has_more: false,
        url: url.pathname,
      })
    if (url.pathname === '/v1/balance')
      return send(200, { object: 'balance', livemode: false, available: [] })
    if (url.pathname === '/v1/balance_transactions') {
      const since = Number(url.searchParams.get('created[gte]') ?? 0)
      const limit = Number(url.searchParams.get('limit') ?? 10)
      const all = [...[...intents.values()].flatMap(transactionsOf), ...state.otherTransactions]
        .filter((one) => Number(one.created) >= since)
        .toReversed()
      const from = all.findIndex((one) => one.id === url.searchParams.get('starting_after')) + 1
      return send(200, {
        object: 'list',
        data: all.slice(from, from + limit),
        has_more: all.length > from + limit,
        url: url.pathname,
      })
    }
    if (url.pathname === '/v1/webhook_endpoints')
      return send(200, { object: 'list', data: state.webhookEndpoints, has_more: false, url: url.pathname })
    const [, ofIntent, number] = /^\/v1\/disputes\/dp_(\w+)(\d)$/.exec(url.pathname) ?? []
    if (request.method === 'POST' && ofIntent !== undefined) {
      const dispute = intents.get(`pi_${ofIntent}`)?.disputes[Number(number)]
      if (dispute === undefined)
        return refuse(404, 'invalid_request_error', 'resource_missing', 'No such dispute')
      const unknown = [...body.keys()].find((name) => name !== 'submit' && !KNOWN_EVIDENCE.test(name))
      if (unknown !== undefined)
        return refuse(
          400,
          'invalid_request_error',
          'parameter_unknown',
          `Received unknown parameter: ${unknown}`,
        )
      dispute.evidence = Object.fromEntries(body)
      if (body.get('submit') === 'true') dispute.status = 'under_review'
      return send(200, { id: url.pathname.slice('/v1/disputes/'.length), object: 'dispute', ...dispute })
    }
    if (url.pathname === '/v1/disputes') {
      const intent = intents.get(url.searchParams.get('payment_intent') ?? '')
      const data = (intent?.disputes ?? []).map((dispute, index) => ({
        id: `dp_${intent?.id.slice(3)}${index}`,
        object: 'dispute',
        payment_intent: intent?.id,
        reason: 'fraudulent',
        created: intent?.created,
        evidence_details: { due_by: (intent?.created ?? 0) + 7 * 86_400 },
        ...dispute,
      }))
      return send(200, { object: 'list', data, has_more: false, url: '/v1/disputes' })
    }
    if (request.method === 'GET' && url.pathname === '/v1/payment_intents') {
      const since = Number(url.searchParams.get('created[gte]') ?? 0)
      const limit = Number(url.searchParams.get('limit') ?? 10)
      const all = [...intents.values()].filter(({ created }) => created >= since).toReversed()
      const from = all.findIndex((one) => one.id === url.searchParams.get('starting_after')) + 1
      const data = all.slice(from, from + limit).map(show)
      return send(200, {
        object: 'list',
        data,
        has_more: all.length > from + limit,
        url: '/v1/payment_intents',
      })
    }
    const intent = intents.get(id ?? '')
    if (intent === undefined)
      return refuse(404, 'invalid_request_error', 'resource_missing', `No such payment_intent: '${id}'`)
    if (request.method === 'GET') {
      const shown = show(intent)
      await state.pause
      return send(200, shown)
    }
    if (request.method === 'POST' && action === 'cancel') {
      if (!intent.status.startsWith('requires_'))
        return refuse(
          400,
          'invalid_request_error',
          'payment_intent_unexpected_state',
          `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        )
      intent.status = 'canceled'
      return send(200, show(intent))
    }
    return refuse(404, 'invalid_request_error', 'url_invalid', `Unrecognized request URL (${url.pathname})`)
  }

  const server = createServer((request, response) => void reply(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}

const CHALLENGE_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

function attempt(intent: StoredIntent, number: string): Tried {
  if (!intent.status.startsWith('requires_')) throw new Error(`${intent.id} is ${intent.status}`)
  intent.card = { brand: number.startsWith('5') ? 'mastercard' : 'visa', last4: number.slice(-4), number }
  if (CHALLENGED.has(number)) {
    intent.status = 'requires_action'
    return { status: 'requires_action', error: null }
  }
  return finish(intent)
}

function finish(intent: StoredIntent): Tried {
  const decline = DECLINES[intent.card?.number ?? '']
  if (decline === undefined) {
    intent.status = 'succeeded'
    return { status: 'succeeded', error: null }
  }
  intent.status = 'requires_payment_method'
  return failed(...decline)
}

function failed(code: string, declineCode: string | undefined, message: string): Tried {
  return {
    status: 'requires_payment_method',
    error: { code, message, ...(declineCode && { decline_code: declineCode }) },
  }
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

function showCard({ id, customer, number }: StoredCard) {
  const card = { brand: 'visa', last4: number.slice(-4), exp_month: 12, exp_year: 2040 }
  return { id, object: 'payment_method', type: 'card', allow_redisplay: 'always', customer, card }
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

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function token(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length)
}
