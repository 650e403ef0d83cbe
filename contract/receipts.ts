import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Coins, Id, Time } from './shapes.ts'

const Kind = z.enum(['purchase', 'refund', 'payout'])

export const ReceiptSummary = z.object({
  _id: Id,
  number: z.string(),
  kind: Kind,
  date: Time,
  /** In dollars. */
  total: z.number(),
  /** The part of `total` that is tax. */
  taxAmount: z.number(),
})
export type ReceiptSummary = z.infer<typeof ReceiptSummary>

/** Who sells the coins: the name of the site where no legal name is set, and empty texts for what is not set. `taxNumber` has its label. */
export const PrintedSeller = z.object({
  name: z.string(),
  address: z.string(),
  email: z.string(),
  taxNumber: z.string(),
})
export type PrintedSeller = z.infer<typeof PrintedSeller>

/**
 * A receipt with the seller and the customer as they were. Amounts are in dollars. `tax` is the part of `total` that is tax,
 * or null. `related` are the other receipts of the same payment, in order.
 */
export const ReceiptDocument = z.extend(ReceiptSummary, {
  seller: PrintedSeller,
  customer: z.object({ name: z.string(), email: z.string() }),
  lines: z.array(z.object({ text: z.string(), coins: Coins, amount: z.number() })),
  tax: z.nullable(
    z.object({
      name: z.string(),
      percent: z.number(),
      amount: z.number(),
      /** The lines are without the tax, which was added to the price; otherwise they include it. */
      added: z.boolean(),
    }),
  ),
  method: z.string(),
  transactionId: z.nullable(z.string()),
  /** A payout in taka, with the rate in taka per dollar and the provider's fee; null for one in dollars. */
  taka: z.nullable(z.object({ poisha: z.int(), rate: z.string(), feePoisha: z.nullable(z.int()) })),
  /** False where no money moved: the sandbox and the provider's test mode. */
  real: z.boolean(),
  related: z.array(ReceiptSummary),
})
export type ReceiptDocument = z.infer<typeof ReceiptDocument>

/** `id` is that of the receipt, or of the payment or withdrawal that it is for. */
export const receipt = endpoint({
  method: 'GET',
  path: '/receipts/:id',
  summary: 'A receipt, for its owner or an Admin',
  access: { who: 'signed-in' },
  scope: 'payments:read',
  params: ById,
  reply: ReceiptDocument,
})

/** The response is a file (application/pdf), not JSON. `id` is as in `receipt`. */
export const receiptFile = endpoint({
  method: 'GET',
  path: '/receipts/:id/pdf',
  summary: 'A receipt as a PDF file, for its owner or an Admin',
  access: { who: 'signed-in', fresh: 'for-admins' },
  scope: 'payments:read',
  params: ById,
  reply: z.unknown(),
})
