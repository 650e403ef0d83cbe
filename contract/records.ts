import * as z from 'zod/mini'

/** Under this many decisions in 90 days a buyer is new: shares of few say little. */
export const NEW_BUYER_DECISIONS = 10
/** Above this share of rejected work, also where the rejection did not stand, workers are warned before they begin. */
export const REJECTED_PERCENT_WARNING = 30

/** What others see of a buyer: the last 90 days (docs/specification/records.md). */
export const BuyerRecord = z.object({
  decided: z.int(),
  approved: z.int(),
  /** Rejections, also those that are not final; unconfirmed ones are no decisions yet. */
  rejected: z.int(),
  /** Appeals against the buyer that ended in a payment without their concession. */
  appealsLost: z.int(),
  /** Medians; null without one. */
  decisionSeconds: z.nullable(z.int()),
  paymentSeconds: z.nullable(z.int()),
})
export type BuyerRecord = z.infer<typeof BuyerRecord>

/** What a buyer sees of a worker: work approved, and work whose rejection is final. */
export const WorkerRecord = z.object({ approved: z.int(), rejected: z.int() })
export type WorkerRecord = z.infer<typeof WorkerRecord>
