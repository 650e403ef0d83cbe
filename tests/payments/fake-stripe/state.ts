import { randomBytes } from 'node:crypto'

export type StoredCard = { id: string; customer: string; number: string }
export type Tried = {
  status: string
  error: { code: string; decline_code?: string; message: string } | null
}

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

/** What the account has, and the faults that a test injects. */
export type Account = {
  secretKey: string
  publishableKey: string
  intents: Map<string, StoredIntent>
  /** Method and path of every request it has seen, with the idempotency key. */
  requests: { call: string; key: string | undefined }[]
  /** The fault it injects instead of a response. */
  fault:
    | 'fine'
    | 'error'
    | 'page'
    | 'silence'
    | 'reset'
    | 'busy'
    | 'key revoked'
    | 'no permission'
    | 'no customers'
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
  /** Uploaded files. */
  files: Map<string, { purpose: string; name: string; type: string; content: Buffer }>
  /** The account's webhook endpoints. */
  webhookEndpoints: Record<string, unknown>[]
  /** What becomes of new intents: `failed` stores an error under the key, `lost` too but creates the intent. */
  creation: 'fine' | 'failed' | 'lost'
  /** What becomes of refunds, likewise. */
  refunding: 'fine' | 'failed' | 'lost'
  /** Waits for this before it returns a GET of an intent. */
  pause: Promise<void> | undefined
  /** The responses that are stored under idempotency keys. */
  replies: Map<string, { body: string; reply: Reply }>
}

export type StripeRequest = {
  method: string
  path: string
  query: URLSearchParams
  body: URLSearchParams
  content: Buffer
  contentType: string
  key: string | undefined
}
export type Reply = { status: number; value: unknown; isReplay?: boolean }
/** Returns the response to a request, or undefined when it is for another part of the API. */
export type Handler = (account: Account, request: StripeRequest) => Reply | undefined | Promise<Reply>

export function createAccount(): Account {
  return {
    secretKey: `sk_test_${token(24)}`,
    publishableKey: `pk_test_${token(24)}`,
    intents: new Map(),
    requests: [],
    fault: 'fine',
    creation: 'fine',
    refunding: 'fine',
    alter: undefined,
    otherTransactions: [],
    customers: new Map(),
    cards: new Map(),
    sessions: new Map(),
    files: new Map(),
    webhookEndpoints: [],
    pause: undefined,
    replies: new Map(),
  }
}

export const send = (value: unknown): Reply => ({ status: 200, value })

export const refuse = (
  status: number,
  code: string,
  message: string,
  type = 'invalid_request_error',
): Reply => ({ status, value: { error: { type, code, message } } })

export const serverError = (): Reply => ({
  status: 500,
  value: { error: { type: 'api_error', message: 'An unknown error occurred' } },
})

export const missing = (what: string) => refuse(404, 'resource_missing', `No such ${what}`)

/** Refuses parameters that the real API does not know. */
export function refuseUnknown(body: URLSearchParams, known: RegExp): Reply | undefined {
  const unknown = [...body.keys()].find((name) => !known.test(name))
  return unknown === undefined
    ? undefined
    : refuse(400, 'parameter_unknown', `Received unknown parameter: ${unknown}`)
}

/** Returns the response that is stored under the request's idempotency key. */
export function replayOf(account: Account, { key, body }: StripeRequest): Reply | undefined {
  const stored = key === undefined ? undefined : account.replies.get(key)
  if (stored === undefined) return undefined
  return stored.body === body.toString()
    ? { ...stored.reply, isReplay: true }
    : refuse(400, 'idempotency', 'Keys for idempotent requests …', 'idempotency_error')
}

export function storeReply(account: Account, { key, body }: StripeRequest, reply: Reply): Reply {
  if (key !== undefined) account.replies.set(key, { body: body.toString(), reply: structuredClone(reply) })
  return reply
}

/** Returns a page of a list, newest first, as the real API does with `limit` and `starting_after`. */
export function pageOf(all: Record<string, unknown>[], { query, path }: StripeRequest): Reply {
  const limit = Number(query.get('limit') ?? 10)
  const from = all.findIndex((one) => one.id === query.get('starting_after')) + 1
  return send({
    object: 'list',
    data: all.slice(from, from + limit),
    has_more: all.length > from + limit,
    url: path,
  })
}

export function token(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length)
}
