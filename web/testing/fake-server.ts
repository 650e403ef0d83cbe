import assert from 'node:assert/strict'
import { issueToken } from '#contract/auth.ts'
import { listDestinations } from '#contract/destinations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { type ErrorCode, STATUS_OF } from '#contract/errors.ts'
import { exchangeRate } from '#contract/exchange-rates.ts'
import { statement } from '#contract/ledger.ts'
import { live } from '#contract/live.ts'
import { mailPreferences } from '#contract/mail.ts'
import { notifications } from '#contract/notifications.ts'
import { checkLink } from '#contract/one-time-links.ts'
import { paymentTotals } from '#contract/payments.ts'
import { payoutBatchTotals } from '#contract/payouts.ts'
import { PACKAGES } from '#contract/product.ts'
import { qualifications } from '#contract/qualifications.ts'
import { rejectionRule } from '#contract/rejections.ts'
import { myReservations } from '#contract/reservations.ts'
import { savedCards } from '#contract/saved-cards.ts'
import { site } from '#contract/site.ts'
import {
  adminFirstSteps,
  buyerStats,
  coinFlow,
  statsSeries,
  statsWeeks,
  workerStats,
} from '#contract/stats.ts'
import { mySubmissionCounts, myTaskStates } from '#contract/submissions.ts'
import {
  myIneligibleTasks,
  myLanguages,
  myQualifications,
  tasksForFavourites,
} from '#contract/task-access.ts'
import { taskFilters } from '#contract/task-filters.ts'
import { myTaskProgress, myTaskTotals } from '#contract/tasks.ts'
import { userTotals } from '#contract/user-table.ts'
import { coinRole, type User, userDetails } from '#contract/users.ts'
import { waiting } from '#contract/waiting.ts'
import { withdrawable } from '#contract/withdrawals.ts'
import type { Reply } from '#web/lib/api.ts'

/** A request as the server parsed it: each part has the type that the endpoint declares. */
export type Received = {
  params: Record<string, string>
  query: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: the schema of the endpoint has checked it
  body: any
  headers: Headers
}
type Handler = (request: Received) => unknown
type Route = { endpoint: Endpoint; pattern: RegExp; handler: Handler; received: Received[] }

/** An error response of the API. */
export class Refused extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  constructor(code: ErrorCode, message: string, fields?: Record<string, string>) {
    super(message)
    this.code = code
    this.fields = fields
  }
}

/** The response to an earlier request with the same idempotency key: a reply, or a `Refused`. */
export class Replay {
  readonly reply: unknown
  constructor(reply: unknown) {
    this.reply = reply
  }
}

const REPLAYED = { 'idempotency-replayed': 'true' }

/** A reply of the previous version of the server, which lacks fields that the contract has now. */
export class EarlierReply {
  readonly reply: unknown
  constructor(reply: unknown) {
    this.reply = reply
  }
}

/** A page of a list, with the headers that describe it. */
export class ListPage {
  readonly rows: unknown[]
  readonly next: string | null
  readonly total: number
  readonly headers: Record<string, string>
  constructor(rows: unknown[], next: string | null, total: number, headers: Record<string, string> = {}) {
    this.rows = rows
    this.next = next
    this.total = total
    this.headers = headers
  }
}

/**
 * The API behind `fetch`, without a network. Each request must match the contract of an endpoint that the test serves,
 * and each reply too; what does not is a problem that fails the test.
 */
export class FakeServer {
  /** Requests and replies that break the contract, and requests that nothing serves. */
  readonly problems: string[] = []
  /** While true, every request fails as without a network. */
  offline = false
  /** How many requests failed for lack of a network. */
  failedRequests = 0
  /** Milliseconds until the next ID tokens end. */
  tokenLifetimeMs = 600_000
  /** The Last-Event-ID header of each connection to the live stream. */
  readonly connections: (string | null)[] = []
  private user: User | null = null
  private tokens = new Set<string>()
  /** How many ID tokens were issued. */
  tokensIssued = 0
  private routes: Route[] = []
  private streams = new Set<ReadableStreamDefaultController<Uint8Array>>()

  constructor() {
    this.serve(issueToken, () => this.newToken())
    this.serve(site, SITE)
    this.serve(checkLink, { usable: true })
    this.serve(notifications, [])
    this.serve(paymentTotals, { payments: 2, price: 40, returned: 0, coins: 1000 })
    this.serve(payoutBatchTotals, { batches: 1, payouts: 2, coins: 400, cents: 2000 })
    this.serve(userTotals, { users: 2, coins: 240, debt: 0 })
    this.serve(waiting, [])
    this.serve(statsSeries, [])
    this.serve(statsWeeks, { weeks: [], categories: [], tasks: [] })
    this.serve(coinFlow, [])
    this.serve(adminFirstSteps, {
      cardPayments: true,
      seller: true,
      exchangeRate: true,
      secondAdmin: true,
      payoutRules: true,
      backupAt: '2026-11-20T02:00:00.000Z',
    })
    this.serve(statement, [])
    this.serve(savedCards, [])
    this.serve(myReservations, [])
    this.serve(myTaskStates, [])
    this.serve(myIneligibleTasks, [])
    this.serve(tasksForFavourites, [])
    this.serve(myQualifications, [])
    this.serve(myLanguages, { languages: [] })
    this.serve(qualifications, [])
    this.serve(taskFilters, { filters: [] })
    this.serve(mySubmissionCounts, [])
    this.serve(rejectionRule, { needsReviewer: false })
    this.serve(myTaskProgress, [])
    this.serve(myTaskTotals, { all: 0, review: 0, open: 0, filled: 0, ended: 0, escrow: 0 })
    this.serve(exchangeRate, { rate: null })
    this.serve(listDestinations, [])
    this.serve(withdrawable, () => {
      const coins = this.user?.coin ?? 0
      return { verified: coins, unverified: coins, later: [] }
    })
    this.serve(mailPreferences, { workReceived: true, workDecided: true, payouts: true })
    this.serve(workerStats, {
      allTask: 12,
      pendingTask: 3,
      totalEarning: 275,
      totalWithdrawn: 200,
      withdrawnDollars: 10,
    })
    this.serve(buyerStats, {
      totalPaid: 400,
      pendingWorkers: 7,
      totalTasks: 5,
      wallet: 100,
      totalSubmissions: 6,
      pendingReviews: 2,
      inEscrow: 175,
    })
  }

  /** Starts a session: tokens are of this user, who finds their own record. */
  signIn(user: User): void {
    this.user = user
    this.tokens.clear()
    this.serve(userDetails, () => this.user)
    this.serve(coinRole, () => this.user)
  }

  /** Starts a session of an identity without a record. */
  signInUnregistered(user: User): void {
    this.signIn(user)
    this.serve(userDetails, () => {
      throw new Refused('not_registered', 'You are not registered.')
    })
  }

  signOut(): void {
    this.user = null
    this.tokens.clear()
  }

  /** Changes the record of the signed-in user. */
  change(change: Partial<User>): void {
    assert.ok(this.user)
    this.user = { ...this.user, ...change }
  }

  /** Tokens issued before this are no longer accepted. */
  expireTokens(): void {
    this.tokens.clear()
  }

  /** Serves an endpoint with a reply, or with what a function of the request returns or throws. */
  serve<E extends Endpoint>(endpoint: E, reply: Reply<E> | ((request: Received) => unknown)): void {
    const handler = typeof reply === 'function' ? (reply as Handler) : () => reply
    const pattern = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const received = this.find(endpoint)?.received ?? []
    this.routes = this.routes.filter((route) => route.endpoint !== endpoint)
    this.routes.unshift({ endpoint, pattern, handler, received })
  }

  /** Serves a list by its `limit` and `cursor`, with its total. */
  serveList<E extends Endpoint>(endpoint: E, rows: Reply<E> & unknown[]): void {
    this.serve(endpoint, ({ query }) => {
      const from = Number(query.cursor ?? 0)
      const to = from + Number(query.limit ?? 100)
      return new ListPage(rows.slice(from, to), to < rows.length ? String(to) : null, rows.length)
    })
  }

  /** Serves an endpoint with an error response. */
  refuse(endpoint: Endpoint, code: ErrorCode, message = 'Refused.', fields?: Record<string, string>): void {
    this.serve(endpoint, () => {
      throw new Refused(code, message, fields)
    })
  }

  /** Serves nothing for an endpoint until `release` is called; then its former reply. */
  hold(endpoint: Endpoint): { release: () => void } {
    const former = this.find(endpoint)?.handler
    assert.ok(former, 'Serve the endpoint before holding it')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.serve(endpoint, async (request) => {
      await promise
      return former(request)
    })
    return { release: resolve }
  }

  /** The requests to an endpoint so far. */
  received(endpoint: Endpoint): Received[] {
    return this.find(endpoint)?.received ?? []
  }

  /** Sends an event to every live stream. */
  send(event: string, data: unknown, id?: string): void {
    const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const stream of this.streams) stream.enqueue(new TextEncoder().encode(text))
  }

  /** Closes every live stream, as a server that stops. */
  closeStreams(): void {
    for (const stream of this.streams) stream.close()
    this.streams.clear()
  }

  get openStreams(): number {
    return this.streams.size
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://localhost:3000')
    const headers = new Headers(init?.headers)
    const method = init?.method ?? 'GET'
    init?.signal?.throwIfAborted()
    if (this.offline) {
      this.failedRequests++
      throw new TypeError('fetch failed')
    }
    const path = url.pathname.replace(/^\/api/, '')
    if (path === live.path) return this.openStream(headers, init?.signal ?? null)
    const response = this.respond(method, path, url.searchParams, headers, init?.body)
    return init?.signal ? Promise.race([response, aborted(init.signal)]) : response
  }

  private find(endpoint: Endpoint): Route | undefined {
    return this.routes.find((route) => route.endpoint === endpoint)
  }

  private async respond(
    method: string,
    path: string,
    search: URLSearchParams,
    headers: Headers,
    content: unknown,
  ): Promise<Response> {
    const route = this.routes.find(
      ({ endpoint, pattern }) => endpoint.method === method && pattern.test(path),
    )
    if (route === undefined) return this.problem(`Nothing serves ${method} ${path}`)
    const { endpoint, pattern, handler, received } = route
    if (!this.isAllowed(endpoint, headers)) return refusal(new Refused('invalid_token', 'Sign in again.'))

    const request: Received = {
      params: decoded(pattern.exec(path)?.groups ?? {}),
      query: Object.fromEntries(search),
      body: typeof content === 'string' ? JSON.parse(content) : content,
      headers,
    }
    for (const part of ['params', 'query', 'body'] as const) {
      const checked = endpoint[part]?.safeParse(request[part])
      if (checked?.error) return this.problem(`${method} ${path} ${part}: ${checked.error.message}`)
    }
    received.push(request)
    try {
      const replied = await handler(request)
      if (replied instanceof Replay && replied.reply instanceof Refused)
        return refusal(replied.reply, REPLAYED)
      return this.success(endpoint, replied)
    } catch (error) {
      if (error instanceof Refused) return refusal(error)
      if (error instanceof TypeError) throw error // a broken connection
      return this.problem(`${method} ${path}: ${String(error)}`)
    }
  }

  private success(endpoint: Endpoint, replied: unknown): Response {
    if (replied instanceof EarlierReply) return Response.json(replied.reply)
    const page = replied instanceof ListPage ? replied : null
    const isReplay = replied instanceof Replay
    const reply = page ? page.rows : isReplay ? replied.reply : replied
    const checked = endpoint.reply.safeParse(reply)
    if (checked.error) return this.problem(`The reply of ${endpoint.path}: ${checked.error.message}`)
    if (reply === undefined) return new Response(null, { status: 204 })
    const headers = {
      ...(page?.next && { 'x-next-cursor': page.next }),
      ...(page && { 'x-total-count': String(page.total), ...page.headers }),
      ...(isReplay && REPLAYED),
    }
    return Response.json(checked.data, { status: endpoint.status ?? 200, headers })
  }

  private problem(text: string): Response {
    this.problems.push(text)
    return Response.json({ error: { code: 'invalid_request', message: text } }, { status: 400 })
  }

  private isAllowed(endpoint: Endpoint, headers: Headers): boolean {
    if (endpoint.access.who === 'anyone') return true
    return this.tokens.has(headers.get('authorization')?.replace('Bearer ', '') ?? '')
  }

  private newToken() {
    if (this.user === null) return undefined
    const { _id: sub, email, name } = this.user
    const iat = Math.floor(Date.now() / 1000)
    const claims = { sub, email, name, iat, exp: iat + this.tokenLifetimeMs / 1000, jti: ++this.tokensIssued }
    const token = `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`
    this.tokens.add(token)
    return { token, expiresAt: new Date(claims.exp * 1000).toISOString() }
  }

  private openStream(headers: Headers, signal: AbortSignal | null): Response {
    if (!this.isAllowed(live, headers)) return refusal(new Refused('invalid_token', 'Sign in again.'))
    this.connections.push(headers.get('last-event-id'))
    let opened: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        opened = controller
        this.streams.add(controller)
        signal?.addEventListener('abort', () => {
          if (this.streams.delete(opened)) opened.error(signal.reason)
        })
      },
      cancel: () => void this.streams.delete(opened),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

function refusal({ code, message, fields }: Refused, headers: Record<string, string> = {}): Response {
  const error = { code, message, ...(fields && { fields }) }
  return Response.json({ error }, { status: STATUS_OF[code], headers })
}

function decoded(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

export const SITE: Reply<typeof site> = {
  name: 'Tallywork',
  demo: false,
  timeZone: 'UTC',
  today: '2026-01-15',
  reviewDays: 7,
  appealDays: 7,
  feePercent: 0,
  packages: [...PACKAGES],
  addedTax: null,
  centsPerCoin: 5,
  card: 'sandbox',
  stripePublishableKey: null,
  providers: [],
}
