import * as z from 'zod'
import { type SavedCard, SavedCardId } from '#contract/saved-cards.ts'
import type { Dispute } from './disputes.ts'
import type { Intent, MadeRefund, PaidTax, RefundOrder } from './provider.ts'
import { isIntentId } from './signed-event.ts'
import { InvalidResponse } from './stripe-failure.ts'

/** A reference to an object, which may be expanded. */
const Reference = z.union([z.string(), z.object({ id: z.string() })])
const Cents = z.int().nonnegative()
const Seconds = z.int().nonnegative()

const Charge = z.object({
  amount_refunded: Cents,
  disputed: z.boolean(),
  payment_method_details: z
    .object({
      card: z
        .object({
          brand: z.string().nullish(),
          last4: z.string().nullish(),
          fingerprint: z.string().nullish(),
        })
        .nullish(),
    })
    .nullish(),
})
const STATES = {
  requires_payment_method: 'waiting',
  requires_confirmation: 'waiting',
  requires_action: 'waiting',
  requires_capture: 'waiting',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
} as const satisfies Record<string, Intent['state']>

const PaymentIntent = z.object({
  object: z.literal('payment_intent'),
  id: z.string().refine(isIntentId),
  client_secret: z.string().min(1),
  status: z.enum(Object.keys(STATES) as [keyof typeof STATES]),
  amount: Cents,
  amount_received: Cents,
  currency: z.string(),
  livemode: z.boolean(),
  metadata: z.record(z.string(), z.string()),
  latest_charge: Charge.nullish(),
  customer: Reference.nullish(),
  created: Seconds,
})
const Page = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string(),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  ),
  has_more: z.boolean(),
})
const Disputes = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      amount: Cents,
      status: z.string().min(1),
      reason: z.string().nullish(),
      created: Seconds,
      evidence_details: z.object({ due_by: Seconds.nullish() }).nullish(),
    }),
  ),
})

const Cards = z.object({
  data: z.array(
    z.object({
      id: SavedCardId,
      card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }),
    }),
  ),
})
const CustomerSession = z.object({
  object: z.literal('customer_session'),
  client_secret: z.string().min(1),
  customer: Reference,
})

const UploadedFile = z.object({
  object: z.literal('file'),
  id: z.string().min(1),
  purpose: z.literal('dispute_evidence'),
})

const Customer = z.object({ object: z.literal('customer'), id: z.string().min(1) })
const DeletedCustomer = Customer.extend({ deleted: z.literal(true) })
const PaymentMethod = z.object({ object: z.literal('payment_method'), id: z.string().min(1) })
const SubmittedDispute = z.object({
  object: z.literal('dispute'),
  id: z.string().min(1),
  evidence_details: z.object({ submission_count: z.int().positive() }),
})

const Refund = z.object({
  object: z.literal('refund'),
  amount: Cents,
  status: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
const Refunds = z.object({ data: z.array(z.unknown()) })

const Transactions = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      type: z.string(),
      reporting_category: z.string(),
      amount: z.int(),
      fee: z.int(),
      net: z.int(),
      currency: z.string(),
      created: Seconds,
      available_on: Seconds,
      source: z
        .union([z.string(), z.object({ id: z.string(), payment_intent: Reference.nullish() })])
        .nullish(),
    }),
  ),
  has_more: z.boolean(),
})

/** Parses a response of Stripe. @throws InvalidResponse. */
export function parseResponse<Schema extends z.ZodType>(schema: Schema, response: unknown): z.output<Schema> {
  const parsed = schema.safeParse(response)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(response, `${issue?.path.join('.') || 'response'}: ${issue?.message}`)
}

function invalid(response: unknown, message: string): InvalidResponse {
  const { lastResponse } = (response ?? {}) as { lastResponse?: { requestId?: string } }
  return new InvalidResponse(message, lastResponse?.requestId ?? null)
}

/** Parses an intent with its charge, without its disputes. @throws InvalidResponse, also for another intent than `id`. */
export function readIntent(
  response: unknown,
  id?: string,
): Omit<Intent, 'disputes'> & { isDisputed: boolean } {
  const intent = parseResponse(PaymentIntent, response)
  if (id !== undefined && intent.id !== id) throw invalid(response, `id: ${intent.id} was not requested`)
  const charge = intent.latest_charge
  const card = charge?.payment_method_details?.card
  const { purchase_id, user_id, coins } = intent.metadata
  return {
    id: intent.id,
    clientSecret: intent.client_secret,
    state: STATES[intent.status],
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    currency: intent.currency,
    live: intent.livemode,
    purchaseId: purchase_id ?? null,
    userId: user_id ?? null,
    customerId: idOf(intent.customer),
    coins: coins === undefined ? null : Number(coins),
    tax: readTax(intent.metadata),
    card: card
      ? { brand: card.brand ?? 'card', last4: card.last4 ?? '', fingerprint: card.fingerprint ?? '' }
      : null,
    refundedCents: charge?.amount_refunded ?? 0,
    createdAt: timeOf(intent.created),
    isDisputed: charge?.disputed ?? false,
  }
}

function readTax({ tax_name: name, tax_percent, tax_cents }: Record<string, string>): PaidTax | null {
  const [percent, cents] = [Number(tax_percent), Number(tax_cents)]
  return name !== undefined && percent > 0 && Number.isSafeInteger(cents) && cents > 0
    ? { name, percent, cents }
    : null
}

/** Parses a page of intents and returns those that are paid and have our metadata. @throws InvalidResponse. */
export function readPage(response: unknown): { ours: unknown[]; next: string | null } {
  const { data, has_more: hasMore } = parseResponse(Page, response)
  return {
    ours: data.filter(
      ({ status, metadata }) => status === 'succeeded' && metadata?.purchase_id !== undefined,
    ),
    next: hasMore ? (data.at(-1)?.id ?? null) : null,
  }
}

const idOf = (value: string | { id: string } | null | undefined) =>
  (typeof value === 'object' ? value?.id : value) ?? null

/** Parses a page of balance transactions. @throws InvalidResponse. */
export function readTransactions(response: unknown) {
  const { data, has_more: hasMore } = parseResponse(Transactions, response)
  const transactions = data.map(
    ({
      id,
      type,
      reporting_category: category,
      amount,
      fee,
      net,
      currency,
      created,
      available_on,
      source,
    }) => ({
      id,
      type,
      category,
      sourceId: idOf(source),
      intentId: typeof source === 'object' ? idOf(source?.payment_intent) : null,
      cents: amount,
      feeCents: fee,
      netCents: net,
      currency,
      createdAt: timeOf(created),
      availableAt: timeOf(available_on),
    }),
  )
  return { transactions, next: hasMore ? (data.at(-1)?.id ?? null) : null }
}

/** Parses a list of disputes. @throws InvalidResponse. */
export function readDisputes(response: unknown): Dispute[] {
  return parseResponse(Disputes, response).data.map((dispute) => ({
    id: dispute.id,
    cents: dispute.amount,
    status: dispute.status,
    reason: dispute.reason ?? '',
    respondBy: dispute.evidence_details?.due_by ? timeOf(dispute.evidence_details.due_by) : null,
    openedAt: timeOf(dispute.created),
  }))
}

/** Parses a list of saved cards. @throws InvalidResponse. */
export function readCards(response: unknown): SavedCard[] {
  return parseResponse(Cards, response).data.map(({ id, card }) => ({
    _id: id,
    brand: card.brand,
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
  }))
}

/** Parses a customer session and returns its secret. @throws InvalidResponse, also for another customer's. */
export function readCustomerSession(response: unknown, customerId: string): string {
  const { client_secret: secret, customer } = parseResponse(CustomerSession, response)
  if (idOf(customer) !== customerId) throw invalid(response, 'customer: another than requested')
  return secret
}

/** Parses an uploaded file of evidence and returns its id. @throws InvalidResponse. */
export function readFileId(response: unknown): string {
  return parseResponse(UploadedFile, response).id
}

/** Parses a customer and returns their id. @throws InvalidResponse, also for another customer than `id`. */
export function readCustomerId(response: unknown, id?: string): string {
  return requireId(response, parseResponse(Customer, response), id)
}

/** @throws InvalidResponse, unless this customer was deleted. */
export function requireDeletedCustomer(response: unknown, id: string): void {
  requireId(response, parseResponse(DeletedCustomer, response), id)
}

/** @throws InvalidResponse, unless the response is this payment method. */
export function requirePaymentMethod(response: unknown, id: string): void {
  requireId(response, parseResponse(PaymentMethod, response), id)
}

/** @throws InvalidResponse, unless the evidence for this dispute was submitted. */
export function requireSubmittedEvidence(response: unknown, id: string): void {
  requireId(response, parseResponse(SubmittedDispute, response), id)
}

function requireId(response: unknown, object: { id: string }, id: string | undefined): string {
  if (id !== undefined && object.id !== id) throw invalid(response, `id: ${object.id} was not requested`)
  return object.id
}

/** Parses the refund that was ordered. @throws InvalidResponse, also for another order's or amount. */
export function readMadeRefund(response: unknown, { refundId, cents }: RefundOrder): MadeRefund {
  const refund = readRefund(response)
  if (refund.refundId !== refundId) throw invalid(response, 'metadata.refund_id: another than requested')
  if (cents !== undefined && refund.cents !== cents) throw invalid(response, 'amount: another than requested')
  return refund
}

/** Parses a refund. @throws InvalidResponse. */
function readRefund(response: unknown): MadeRefund {
  const { amount, status, metadata } = parseResponse(Refund, response)
  return { refundId: metadata?.refund_id ?? null, cents: amount, status: status ?? 'pending' }
}

/** Parses a list of refunds. @throws InvalidResponse. */
export function readRefunds(response: unknown): MadeRefund[] {
  return parseResponse(Refunds, response).data.map(readRefund)
}

/** Returns the time of a Unix timestamp in seconds. */
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
