import Stripe from 'stripe'
import type { Evidence } from '#contract/card-disputes.ts'
import { nullIfRefused, Refusal } from '#server/http/refusal.ts'
import { type FailureEvents, reportFailure } from './failures.ts'
import {
  type CardOrder,
  type CardProvider,
  type CustomerDetails,
  type EvidenceFile,
  type Intent,
  MissingPermission,
  orderKey,
  type PaidTax,
  StoredFailure,
} from './provider.ts'
import { readSignedEvent } from './signed-event.ts'
import { checkStripe } from './stripe-check.ts'
import { createClient, type StripeSettings } from './stripe-client.ts'
import {
  describeFailure,
  InvalidResponse,
  isMissing,
  isStoredError,
  unavailable,
  withTimeout,
} from './stripe-failure.ts'
import {
  readCards,
  readCustomerId,
  readCustomerSession,
  readDisputes,
  readFileId,
  readIntent,
  readMadeRefund,
  readPage,
  readRefunds,
  readTransactions,
  requireDeletedCustomer,
  requirePaymentMethod,
  requireSubmittedEvidence,
} from './stripe-responses.ts'

/**
 * Requests of users give up after `USER_TIMEOUT_MS`; the idempotency key finds what was created. Jobs wait for Stripe's
 * own timeout and one retry, about 17 seconds.
 */
type TimeoutProfile = 'user' | 'job'
const USER_TIMEOUT_MS = 1_800
/** How much the clocks of this server and of Stripe may differ. */
const CLOCK_DIFFERENCE_SECONDS = 300
/** A search for an intent gives up after this many. */
const SEARCHED_MAX = 1_000
/** Writes whose failure is final: Stripe stores it under the key, or the write is repeated as a new one. */
const WRITES = new Set(['create', 'create customer', 'update customer', 'refund'])
/** Requests about what may be deleted in Stripe's dashboard, or named by a user. Other ids are ours, and Stripe has them. */
const MAY_BE_MISSING = new Set(['update customer', 'delete customer', 'cards', 'remove card'])
/** Buyers choose whether to save a card. They pay with it themselves, so that the bank may authenticate them. */
const CARD_FEATURES = {
  payment_method_save: 'enabled',
  payment_method_save_usage: 'on_session',
  payment_method_redisplay: 'enabled',
  payment_method_remove: 'enabled',
} as const
const EXPAND = { expand: ['latest_charge'] }

/** Creates the adapter to Stripe's library. Card data goes from the browser to Stripe and never reaches this server. */
export function createStripeProvider(
  settings: StripeSettings,
  failures: FailureEvents,
  webhookUrl: string,
  profile: TimeoutProfile = 'user',
): CardProvider {
  const stripe = createClient(settings)

  /** Sends a request. Every error becomes a refusal: Stripe's messages are for developers and are not sent to clients. */
  async function request<Result>(operation: string, send: () => Promise<Result>): Promise<Result> {
    try {
      return await (profile === 'job' ? send() : withTimeout(send(), USER_TIMEOUT_MS))
    } catch (error) {
      if (error instanceof Refusal) throw error
      const isUnknown = !operation.startsWith('create') && isMissing(error)
      const failure = describeFailure(operation, error)
      if (!isUnknown || !MAY_BE_MISSING.has(operation)) reportFailure(failures, failure)
      if (isUnknown) throw new Refusal('payment_not_found')
      if (failure.kind === 'permission') throw new MissingPermission()
      const hasKey = WRITES.has(operation)
      throw hasKey && isStoredError(error) ? new StoredFailure() : unavailable()
    }
  }

  async function read(response: unknown, id?: string): Promise<Intent> {
    const { isDisputed, ...intent } = readIntent(response, id)
    const disputes = isDisputed ? await stripe.disputes.list({ payment_intent: intent.id, limit: 100 }) : null
    return { ...intent, disputes: disputes === null ? [] : readDisputes(disputes) }
  }

  const retrieve = (id: string) =>
    request('retrieve', async () => read(await stripe.paymentIntents.retrieve(id, EXPAND), id))

  return {
    mode: settings.mode,
    publishableKey: settings.publishableKey,
    failures,
    check: () => checkStripe(settings, failures, webhookUrl),
    forJobs: () => createStripeProvider(settings, failures, webhookUrl, 'job'),
    createCustomer: (details, deletedId) =>
      request('create customer', async () => {
        const key = ['customer', details.userId, ...(deletedId === null ? [] : [deletedId])]
        const options = { idempotencyKey: key.join(':') }
        return readCustomerId(await stripe.customers.create(customerFields(details), options))
      }),
    updateCustomer: async (id, details) => {
      const update = request('update customer', async () =>
        readCustomerId(await stripe.customers.update(id, customerFields(details)), id),
      )
      return (await nullIfRefused(update, 'payment_not_found')) !== null
    },
    deleteCustomer: async (id) => {
      await nullIfRefused(
        request('delete customer', async () => requireDeletedCustomer(await stripe.customers.del(id), id)),
        'payment_not_found',
      )
    },
    createCustomerSession: (customer) =>
      request('create session', async () =>
        readCustomerSession(
          await stripe.customerSessions.create({
            customer,
            components: { payment_element: { enabled: true, features: CARD_FEATURES } },
          }),
          customer,
        ),
      ),
    listCards: (customer) =>
      request('cards', async () =>
        readCards(await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 })),
      ),
    removeCard: (customer, card) =>
      request('remove card', async () => {
        requirePaymentMethod(await stripe.customers.retrievePaymentMethod(customer, card), card)
        requirePaymentMethod(await stripe.paymentMethods.detach(card), card)
      }),
    create: (order: CardOrder) =>
      request('create', async () => {
        const { purchaseId, userId, coins, amountCents, tax, customerId } = order
        const response = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: 'usd',
            allowed_payment_method_types: ['card'],
            description: `${coins} coins`,
            ...(customerId !== null && { customer: customerId }),
            ...(settings.statementSuffix && { statement_descriptor_suffix: settings.statementSuffix }),
            metadata: { purchase_id: purchaseId, user_id: userId, coins: String(coins), ...taxMetadata(tax) },
            ...EXPAND,
          },
          { idempotencyKey: orderKey(order) },
        )
        const intent = await read(response)
        if (intent.purchaseId !== purchaseId || intent.amountCents !== amountCents)
          throw new InvalidResponse(`${intent.id} is not for ${purchaseId}`, response.lastResponse.requestId)
        return intent
      }),
    find: (purchaseId, since, until) =>
      request('find', async () => {
        const gte = Math.floor(Date.parse(since) / 1000) - CLOCK_DIFFERENCE_SECONDS
        const lte = Math.ceil(Date.parse(until) / 1000) + CLOCK_DIFFERENCE_SECONDS
        const window = { created: { gte, lte }, limit: 100, expand: ['data.latest_charge'] }
        let searched = 0
        for await (const intent of stripe.paymentIntents.list(window)) {
          if (intent.metadata.purchase_id === purchaseId) return read(intent)
          if (++searched === SEARCHED_MAX) throw unavailable()
        }
        return null
      }),
    listPaid: (since, after) =>
      request('list', async () => {
        const page = readPage(
          await stripe.paymentIntents.list({
            created: { gte: Math.floor(Date.parse(since) / 1000) },
            limit: 100,
            expand: ['data.latest_charge'],
            ...(after !== null && { starting_after: after }),
          }),
        )
        return { intents: page.ours.map((intent) => readIntent(intent)), next: page.next }
      }),
    listTransactions: (since, after) =>
      request('balance', async () =>
        readTransactions(
          await stripe.balanceTransactions.list({
            created: { gte: Math.floor(Date.parse(since) / 1000) },
            limit: 100,
            expand: ['data.source'],
            ...(after !== null && { starting_after: after }),
          }),
        ),
      ),
    refund: (id, wanted) =>
      request('refund', async () => {
        const { key, refundId, cents } = wanted
        try {
          const order = { payment_intent: id, metadata: { refund_id: refundId } }
          const amount = cents === undefined ? {} : { amount: cents }
          const response = await stripe.refunds.create({ ...order, ...amount }, { idempotencyKey: key })
          return readMadeRefund(response, wanted)
        } catch (error) {
          if (codeOf(error) !== 'charge_already_refunded') throw error
          return { refundId, cents: 0, status: 'already_refunded' }
        }
      }),
    listRefunds: (id) =>
      request('refunds', async () =>
        readRefunds(await stripe.refunds.list({ payment_intent: id, limit: 100 })),
      ),
    uploadEvidence: ({ name, type, content }) =>
      request('create file', async () => {
        const file = { data: content, name, type }
        try {
          return readFileId(await stripe.files.create({ purpose: 'dispute_evidence', file }))
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          reportFailure(failures, describeFailure('create file', error))
          throw new Refusal('invalid_fields.dispute_file_rejected', { field: 'file' })
        }
      }),
    submitEvidence: ({ disputeId, evidence, files }) =>
      request('evidence', async () => {
        const fields = { ...evidenceFields(evidence), ...fileFields(files) }
        const response = await stripe.disputes.update(disputeId, { evidence: fields, submit: true })
        requireSubmittedEvidence(response, disputeId)
      }),
    retrieve,
    cancel: (id) =>
      request('cancel', async () => {
        try {
          return await read(await stripe.paymentIntents.cancel(id, EXPAND), id)
        } catch (error) {
          if (codeOf(error) !== 'payment_intent_unexpected_state') throw error
          return retrieve(id)
        }
      }),
    async readEvent(body, signature) {
      try {
        return await readSignedEvent(body, signature, settings.webhookSecret)
      } catch (error) {
        const failure = {
          operation: 'webhook',
          kind: 'webhook',
          status: 400,
          code: null,
          requestId: null,
        } as const
        // Without the header it is not from Stripe.
        if (signature !== undefined && error instanceof Refusal)
          reportFailure(failures, { ...failure, message: String(error.cause) })
        throw error
      }
    },
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Stripe.errors.StripeError ? error.code : undefined
}

/** Returns metadata by which a payment whose purchase is lost, as after the restore of a backup, keeps its tax. */
function taxMetadata(tax: PaidTax | null): Record<string, string> {
  if (tax === null) return {}
  const { name, percent, cents } = tax
  return { tax_name: name, tax_percent: String(percent), tax_cents: String(cents) }
}

/** Returns a customer's fields. Radar's rules can compare the metadata (docs/payments.md#fraud-signals). */
function customerFields({ userId, name, email, createdOn }: CustomerDetails): Stripe.CustomerUpdateParams {
  return { name, email, metadata: { user_id: userId, account_created: createdOn } }
}

/** Returns the evidence under Stripe's names, without empty fields. */
function evidenceFields(evidence: Evidence): Stripe.DisputeUpdateParams.Evidence {
  const fields = {
    customer_name: evidence.customerName,
    customer_email_address: evidence.customerEmail,
    customer_purchase_ip: evidence.customerIp,
    service_date: evidence.serviceDate,
    product_description: evidence.productDescription,
    access_activity_log: evidence.accessLog,
    uncategorized_text: evidence.explanation,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''))
}

const FILE_FIELDS = {
  receipt: 'receipt',
  serviceDocumentation: 'service_documentation',
  customerCommunication: 'customer_communication',
  other: 'uncategorized_file',
} as const satisfies Record<EvidenceFile['field'], keyof Stripe.DisputeUpdateParams.Evidence>

function fileFields(files: EvidenceFile[]): Stripe.DisputeUpdateParams.Evidence {
  return Object.fromEntries(files.map(({ field, id }) => [FILE_FIELDS[field], id]))
}
