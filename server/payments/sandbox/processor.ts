import { randomBytes } from 'node:crypto'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Dispute } from '../disputes.ts'
import { createFailureEvents } from '../failures.ts'
import {
  type Attempt,
  type CardProvider,
  type Intent,
  orderKey,
  type Sandbox,
  StoredFailure,
} from '../provider.ts'
import { readSignedEvent, signEventBody } from '../signed-event.ts'
import {
  addCustomer,
  addFile,
  addIntent,
  addRefund,
  cancelIntent,
  cardsOfCustomer,
  customerById,
  filesById,
  type IntentRow,
  intentById,
  intentByKey,
  intentByPurchase,
  intentBySecret,
  paidIntents,
  recordAttempt,
  refundsOfIntent,
  removeCard,
  removeCustomer,
  reverseIntent,
  storeEvidence,
} from './queries.ts'
import { type CardError, CHALLENGE_FAILED, readCard, type SandboxCard } from './test-cards.ts'

/** Creates a simulated card processor with the provider's states, test cards and messages. No money moves. */
export function createSandboxProvider(
  database: Database,
  settings: Extract<Config['card'], { provider: 'sandbox' }>,
): CardProvider & { readonly sandbox: Sandbox } {
  const provider: CardProvider & { readonly sandbox: Sandbox } = {
    mode: 'sandbox',
    publishableKey: null,
    failures: createFailureEvents(),
    sandbox: createSandbox(database, settings.webhookSecret),
    check: async () => [],
    forJobs: () => provider,

    async createCustomer({ userId }, deletedId) {
      const id = deletedId === null ? `cus_${userId.replaceAll('-', '')}` : `cus_${token(24)}`
      await addCustomer(database, id)
      return id
    },
    updateCustomer: async (id) => (await customerById(database, id)).length > 0,
    deleteCustomer: async (id) => void (await removeCustomer(database, id)),
    createCustomerSession: async () => null,
    async listCards(customerId) {
      const rows = await cardsOfCustomer(database, customerId)
      return rows.map(({ id, card: { brand, last4, expMonth, expYear } }) => ({
        _id: id,
        brand,
        last4,
        expMonth,
        expYear,
      }))
    },
    async removeCard(customerId, cardId) {
      const [removed] = await removeCard(database, customerId, cardId)
      if (removed === undefined) throw new Refusal('payment_not_found')
    },

    async create(order) {
      const { purchaseId, userId, coins, amountCents, tax, customerId } = order
      if (customerId !== null && (await customerById(database, customerId)).length === 0)
        throw new StoredFailure()
      const id = `pi_${token(24)}`
      const key = orderKey(order)
      const metadata = { purchase_id: purchaseId, user_id: userId, coins, ...(tax && { tax }) }
      const secret = `${id}_secret_${token(25)}`
      await addIntent(database, id, secret, key, amountCents, metadata, customerId)
      const [intent] = await intentByKey(database, key)
      if (intent?.amount_cents !== amountCents) throw new Error(`${key} was used for another amount`)
      return presentIntent(intent)
    },

    async find(purchaseId) {
      const [intent] = await intentByPurchase(database, purchaseId)
      return intent === undefined ? null : presentIntent(intent)
    },

    async listPaid(since, after) {
      const rows = await paidIntents(database, since, after ?? '', PAGE)
      return { intents: rows.map(presentIntent), next: rows.length < PAGE ? null : (rows.at(-1)?.id ?? null) }
    },

    listTransactions: async () => ({ transactions: [], next: null }),

    async refund(id, { key, refundId, cents }) {
      requireIntent(await intentById(database, id))
      const [refund] = await addRefund(database, key, id, refundId, cents ?? null)
      if (refund !== undefined) return { refundId, cents: refund.cents, status: 'succeeded' }
      const earlier = (await refundsOfIntent(database, id)).find((one) => one.key === key)
      return { refundId, cents: earlier?.cents ?? 0, status: earlier ? 'succeeded' : 'already_refunded' }
    },

    async listRefunds(id) {
      const refunds = await refundsOfIntent(database, id)
      return refunds.map(({ refund_id, cents }) => ({ refundId: refund_id, cents, status: 'succeeded' }))
    },

    async uploadEvidence({ type, content }) {
      const id = `file_${token(24)}`
      await addFile(database, id, type, content.length)
      return id
    },

    async submitEvidence({ intentId, evidence, files }) {
      const ids = files.map((file) => file.id)
      const known = await filesById(database, ids)
      if (known.length !== ids.length) throw new StoredFailure()
      await storeEvidence(database, intentId, { ...evidence, files })
      await provider.sandbox.reverse(intentId, { kind: 'dispute', status: 'under_review' })
    },

    async retrieve(id) {
      return presentIntent(requireIntent(await intentById(database, id)))
    },

    async cancel(id) {
      const [cancelled] = await cancelIntent(database, id)
      return presentIntent(cancelled ?? requireIntent(await intentById(database, id)))
    },

    readEvent: (body, signature) => readSignedEvent(body, signature, settings.webhookSecret),
  }
  return provider
}

function createSandbox(database: Database, webhookSecret: string): Sandbox {
  const attempt = async (intent: IntentRow, card: SandboxCard, save: boolean) => {
    const { after, challenge, brand, last4 } = card
    const error = errorAfter(after)
    const status = challenge ? 'requires_action' : error === null ? 'succeeded' : 'requires_payment_method'
    const saved = save ? { id: `pm_${token(24)}`, card } : null
    const shown = challenge ? null : error
    return attemptOf(await recordAttempt(database, intent.id, status, after, brand, last4, shown, saved))
  }
  return {
    async confirm(clientSecret, input, save = false) {
      const intent = requirePayable(await intentBySecret(database, clientSecret))
      const card = readCard(input)
      if (!('after' in card)) return { id: intent.id, status: 'failed', error: card, thenDisputed: false }
      const last4 = input.number.replace(/\D/g, '').slice(-4)
      const after = typeof card.after === 'string' ? card.after : JSON.stringify(card.after)
      const { brand, challenge = false } = card
      const { expMonth, expYear } = input
      return attempt(intent, { brand, last4, expMonth, expYear, after, challenge }, save)
    },

    async confirmSaved(clientSecret, cardId) {
      const intent = requirePayable(await intentBySecret(database, clientSecret))
      const cards = intent.customer_id === null ? [] : await cardsOfCustomer(database, intent.customer_id)
      const saved = cards.find(({ id }) => id === cardId)
      if (saved === undefined) throw new Refusal('not_found.saved_card')
      return attempt(intent, saved.card, false)
    },

    async authenticate(clientSecret, agreed) {
      const intent = requirePayable(await intentBySecret(database, clientSecret))
      if (intent.status !== 'requires_action') throw wrongState()
      const { id, card, card_brand, card_last4, card_to_save } = intent
      const error = agreed ? errorAfter(card) : CHALLENGE_FAILED
      const status = error === null ? 'succeeded' : 'requires_payment_method'
      const saved = card_to_save === null ? null : { id: `pm_${token(24)}`, card: card_to_save }
      return attemptOf(await recordAttempt(database, id, status, card, card_brand, card_last4, error, saved))
    },

    async reverse(id, reversal) {
      const intent = requireIntent(await intentById(database, id))
      const { amount_cents, refunded_cents, disputed_cents, dispute_status } = intent
      const [reversed] =
        reversal.kind === 'refund'
          ? await reverseIntent(
              database,
              id,
              Math.min(amount_cents, refunded_cents + (reversal.cents ?? amount_cents)),
              disputed_cents,
              dispute_status,
            )
          : await reverseIntent(
              database,
              id,
              refunded_cents,
              disputed_cents === 0 ? amount_cents - refunded_cents : disputed_cents,
              reversal.kind === 'dispute_won' ? 'won' : (reversal.status ?? 'needs_response'),
            )
      if (reversed === undefined) throw wrongState()
    },

    async signEvent(type, intentId) {
      const payload = JSON.stringify({
        id: `evt_${token(24)}`,
        object: 'event',
        type,
        data: { object: { id: intentId, object: 'payment_intent' } },
      })
      return { body: Buffer.from(payload), signature: await signEventBody(payload, webhookSecret) }
    },
  }
}

/** Returns the error that a card's payments end with, or null. */
function errorAfter(after: string): CardError | null {
  return after.startsWith('{') ? (JSON.parse(after) as CardError) : null
}

function requireIntent([intent]: IntentRow[]): IntentRow {
  if (intent === undefined) throw new Refusal('payment_not_found')
  return intent
}

function requirePayable(rows: IntentRow[]): IntentRow {
  const intent = requireIntent(rows)
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action') throw wrongState()
  return intent
}

function wrongState(): Refusal {
  return new Refusal('state_conflict.sandbox')
}

function attemptOf([row]: IntentRow[]): Attempt {
  if (row === undefined) throw wrongState()
  const { id, status, card, last_error } = row
  const thenDisputed = status === 'succeeded' && card === 'disputed'
  if (status === 'succeeded' || status === 'requires_action') return { id, status, error: null, thenDisputed }
  return { id, status: 'failed', error: last_error, thenDisputed }
}

function presentIntent(row: IntentRow): Intent {
  const { id, amount_cents, metadata, status } = row
  return {
    id,
    clientSecret: row.client_secret,
    state:
      status === 'canceled'
        ? 'cancelled'
        : status === 'succeeded' || status === 'processing'
          ? status
          : 'waiting',
    amountCents: amount_cents,
    receivedCents: status === 'succeeded' ? amount_cents : 0,
    currency: 'usd',
    live: false,
    purchaseId: metadata.purchase_id,
    userId: metadata.user_id,
    customerId: row.customer_id,
    coins: metadata.coins,
    tax: metadata.tax ?? null,
    card: row.card_brand === '' ? null : { brand: row.card_brand, last4: row.card_last4, fingerprint: '' },
    refundedCents: row.refunded_cents,
    disputes: disputesOf(row),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

const PAGE = 100
const RESPONSE_DAYS = 7

function disputesOf(row: IntentRow): Dispute[] {
  const { id, disputed_cents, dispute_status, disputed_at, created_at } = row
  if (disputed_cents === 0) return []
  const openedAt = Date.parse(disputed_at ?? created_at)
  return [
    {
      id: id.replace('pi_', 'dp_'),
      cents: disputed_cents,
      status: dispute_status ?? 'needs_response',
      reason: 'fraudulent',
      respondBy: new Date(openedAt + RESPONSE_DAYS * 86_400_000).toISOString(),
      openedAt: new Date(openedAt).toISOString(),
    },
  ]
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function token(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
