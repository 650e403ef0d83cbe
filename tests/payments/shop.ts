import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import type { Database } from '#server/database/database.ts'
import { type StoredNotification, textOf } from '#server/notifications/present.ts'
import { eventually } from '#tests/support/eventually.ts'
import type { TestUser } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import type { Processor } from './processor.ts'

export type Response = { status: number; body: Record<string, unknown>; code: string | undefined }
export type Shop = Awaited<ReturnType<typeof aShop>>

type Message = { id?: string; type?: string; secret?: string; secondsAgo?: number; payload?: string }

/** The server with this card provider, and the requests a scenario makes. */
export async function aShop(
  database: Database,
  processor: Pick<Processor, 'card' | 'wrap'> & Partial<Pick<Processor, 'pay'>>,
) {
  const instance = await anInstance(database, { card: processor.card })
  const { app, context } = instance
  context.cards = processor.wrap(context.cards)
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (user: TestUser) => {
    const token = tokens.get(user.id) ?? instance.signIn(user)
    tokens.set(user.id, token)
    return token
  }

  async function ask(
    user: TestUser | null,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const headers = { ...more, ...(user !== null && { authorization: await tokenOf(user) }) }
    const reply = await app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) })
    const body = reply.body === '' ? {} : reply.json()
    return { status: reply.statusCode, body, code: body.error?.code }
  }

  /** Uploads a file as the multipart field `file`. */
  async function upload(user: TestUser, path: string, content: Buffer, field = 'file'): Promise<Response> {
    const boundary = 'x-boundary'
    const payload = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="a"\r\ncontent-type: text/plain\r\n\r\n`,
      ),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      authorization: await tokenOf(user),
    }
    const reply = await app.inject({ method: 'PUT', url: `/api${path}`, headers, payload })
    const body = reply.json()
    return { status: reply.statusCode, body, code: body.error?.code }
  }

  const begin = (user: TestUser | null, price = 10) => ask(user, 'POST', '/create-payment-intent', { price })

  /** The user has chosen a package and sees the card form. */
  async function startIntent(user: TestUser, price = 10): Promise<{ secret: string; id: string }> {
    const { status, body } = await begin(user, price)
    assert.equal(status, 200, JSON.stringify(body))
    const secret = body.clientSecret as string
    return { secret, id: secret.split('_secret_')[0] ?? '' }
  }

  async function payPackage(user: TestUser, price = 10): Promise<string> {
    const { secret, id } = await startIntent(user, price)
    assert.equal((await processor.pay?.(secret, '4242424242424242'))?.status, 'succeeded')
    return id
  }

  const confirm = (user: TestUser | null, transactionId: string, claims: object = {}) =>
    ask(user, 'POST', '/payment-success', { transactionId, ...claims })

  /** A message to the webhook, signed unless said otherwise. */
  async function send(intentId: string, message: Message = {}): Promise<number> {
    const type = message.type ?? 'payment_intent.succeeded'
    const object = type.startsWith('payment_intent')
      ? { id: intentId, object: 'payment_intent' }
      : { id: `${type.split('.')[0]?.slice(0, 2)}_1`, object: type.split('.')[0], payment_intent: intentId }
    const id = message.id ?? `evt_${randomUUID().replaceAll('-', '')}`
    const payload = message.payload ?? JSON.stringify({ id, object: 'event', type, data: { object } })
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: message.secret ?? processor.card.webhookSecret,
      timestamp: Math.floor(Date.now() / 1000) - (message.secondsAgo ?? 0),
    })
    const reply = await app.inject({
      method: 'POST',
      url: '/api/webhooks/card',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload,
    })
    return reply.statusCode
  }

  /** Waits until every event of the provider is processed. */
  async function waitForEvents(): Promise<void> {
    const open = 'select from card_events where processed_at is null'
    await eventually(async () => (await database.pool.query(open)).rowCount === 0)
  }

  /** Lets this much time pass for everything that is still open. */
  async function wait(interval: string): Promise<void> {
    await database.pool.query(
      `update purchases set created_at = created_at - $1::interval, checked_at = checked_at - $1::interval,
              attempt_started_at = attempt_started_at - $1::interval
        where state = 'open'`,
      [interval],
    )
    await database.pool.query(
      `update card_events set next_try_at = next_try_at - $1::interval where processed_at is null`,
      [interval],
    )
  }

  return {
    app,
    context,
    authorization: tokenOf,
    ask,
    upload,
    begin,
    startIntent,
    payPackage,
    confirm,
    send,
    waitForEvents,
    wait,
    close: () => instance.close(),
  }
}

/** The sentences of a user's notifications of one kind, oldest first. */
export async function notificationsOf(database: Database, user: TestUser, kind: string): Promise<string[]> {
  const { rows } = await database.pool.query<StoredNotification>(
    'select kind, params, message, action_route, ref from notifications where user_id = $1 and kind = $2 order by id',
    [user.id, kind],
  )
  return rows.map((row) => textOf(row, 'en').message)
}

export async function debtOf(database: Database, user: TestUser): Promise<number> {
  const { rows } = await database.pool.query<{ debt: number }>(
    'select debt from ledger_accounts where id = $1',
    [user.accountId],
  )
  return Number(rows[0]?.debt)
}

export async function purchasesOf(database: Database, user: TestUser): Promise<string[]> {
  const { rows } = await database.pool.query<{ state: string }>(
    'select state from purchases where user_id = $1 order by id',
    [user.id],
  )
  return rows.map(({ state }) => state)
}
