import { type FreezeReason, reasonsIn } from './freeze-reasons.en.ts'

/** Reasons that the server gives for a freeze, or for its end. */
export const FREEZE_REASONS: Record<FreezeReason, string> = {
  card_disputed: 'আপনার একটি কার্ড পেমেন্ট নিয়ে বিরোধ চলছে।',
  dispute_ended: 'আপনার কার্ড পেমেন্ট নিয়ে বিরোধ শেষ হয়েছে।',
  card_purchases: 'আপনার কার্ড ২৪ ঘণ্টায় অনুমোদিত সংখ্যার চেয়ে বেশিবার ব্যবহার করা হয়েছে।',
  card_amount: 'আপনার কার্ডে ২৪ ঘণ্টায় অনুমোদিত পরিমাণের চেয়ে বেশি টাকা দেওয়া হয়েছে।',
  card_buyers: 'আপনার কার্ড অনুমোদিত সংখ্যার চেয়ে বেশি অ্যাকাউন্ট থেকে ব্যবহার করা হয়েছে।',
  card_limit: 'আপনি কার্ডে কেনাকাটার সীমা পার করেছেন।',
}

export { reasonsIn }
export const freezeReasonText = reasonsIn(FREEZE_REASONS)
