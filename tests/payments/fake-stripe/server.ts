import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authenticate, confirm, confirmSaved } from './attempts.ts'
import { handleBalance } from './balance.ts'
import { handleCustomers, handleSavedCards, handleSessions } from './customers.ts'
import { handleDisputes } from './disputes.ts'
import { handleFiles } from './files.ts'
import { handleIntents } from './intents.ts'
import { handleRefunds } from './refunds.ts'
import {
  type Account,
  createAccount,
  type Reply,
  refuse,
  type StripeRequest,
  type Tried,
  token,
} from './state.ts'

/**
 * Speaks the part of Stripe's protocol (2026-10-28.endive) that card payments need, over HTTP, to the official library
 * and to a browser: keys, form encoding, idempotency keys, errors with their codes, refusal of unknown parameters.
 * Nothing of our own code is in it.
 */
export type FakeStripe = Account & {
  url: string
  confirm(clientSecret: string, number: string, save?: boolean): Tried
  confirmSaved(clientSecret: string, cardId: string): Tried
  authenticate(clientSecret: string, agreed: boolean): Tried
  close(): Promise<void>
}

const VERSION = '2026-10-28.endive'
const HANDLERS = [
  handleIntents,
  handleSessions,
  handleSavedCards,
  handleCustomers,
  handleRefunds,
  handleDisputes,
  handleBalance,
  handleFiles,
]

export async function startFakeStripe(): Promise<FakeStripe> {
  const account = createAccount()
  const server = createServer((request, response) => void respond(fake, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeStripe = Object.assign(account, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    confirm: (clientSecret: string, number: string, save?: boolean) =>
      confirm(account, clientSecret, number, save),
    confirmSaved: (clientSecret: string, cardId: string) => confirmSaved(account, clientSecret, cardId),
    authenticate: (clientSecret: string, agreed: boolean) => authenticate(account, clientSecret, agreed),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return fake
}

async function respond(account: Account, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://fake')
  const content = await read(request)
  const contentType = request.headers['content-type'] ?? ''
  const key = request.headers['idempotency-key'] as string | undefined
  const method = request.method ?? 'GET'
  account.requests.push({ call: `${method} ${url.pathname}`, key })
  if (account.fault === 'page') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
    return
  }
  if (account.fault === 'reset') {
    request.socket.destroy()
    return
  }
  if (account.fault === 'silence') return

  const body = new URLSearchParams(contentType.startsWith('multipart') ? '' : content.toString())
  const asked = { method, path: url.pathname, query: url.searchParams, body, content, contentType, key }
  const reply = faultOf(account) ?? refuseAccess(account, request, asked) ?? (await route(account, asked))
  const { status, value, isReplay } = reply
  response.writeHead(status, {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'request-id': `req_${token(14)}`,
    ...(isReplay && { 'idempotent-replayed': 'true' }),
  })
  const { alter } = account
  const shown = alter && status === 200 ? alter(structuredClone(value) as Record<string, unknown>) : value
  response.end(JSON.stringify(shown))
}

function faultOf({ fault, secretKey }: Account): Reply | undefined {
  if (fault === 'error') return refuse(500, 'internal', 'Something went wrong on our end', 'api_error')
  if (fault === 'busy') return refuse(429, 'rate_limit', 'Too many requests')
  if (fault === 'key revoked') return refuse(401, 'api_key_expired', `Expired API Key provided: ${secretKey}`)
  if (fault === 'no permission') return refuse(403, 'more_permissions_required', 'The key lacks permissions')
  if (fault === 'rejected') return refuse(400, 'parameter_invalid', 'Invalid parameter')
  return undefined
}

/** A browser may read an intent with the publishable key and its client secret. */
function refuseAccess(
  { secretKey, publishableKey, intents }: Account,
  { headers }: IncomingMessage,
  { path, query }: StripeRequest,
): Reply | undefined {
  const [, read] = /^\/v1\/payment_intents\/(\w+)$/.exec(path) ?? []
  const isBrowser =
    headers.authorization === `Bearer ${publishableKey}` &&
    intents.get(read ?? '')?.client_secret === query.get('client_secret')
  if (headers.authorization !== `Bearer ${secretKey}` && !isBrowser)
    return refuse(401, 'api_key_invalid', 'Invalid API Key provided')
  if (headers['stripe-version'] !== VERSION) return refuse(400, 'version', `Expected version ${VERSION}`)
  return undefined
}

async function route(account: Account, request: StripeRequest): Promise<Reply> {
  for (const handle of HANDLERS) {
    const reply = await handle(account, request)
    if (reply !== undefined) return reply
  }
  return refuse(404, 'url_invalid', `Unrecognized request URL (${request.path})`)
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
