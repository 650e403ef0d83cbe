import type { Locale } from '#contract/locales.ts'
import * as bangla from './card-error-texts.bn.ts'
import * as english from './card-error-texts.en.ts'

/** The reason why a card was not charged, with the provider's published codes and messages. */
export type CardError = { code: string; declineCode?: string; message: string }

/** A published test card. `challenge`: the bank authenticates the cardholder first. `after`: the result of the payment. */
export type TestCard = { brand: string; challenge?: true; after: 'succeeds' | 'disputed' | CardError }

const TEXTS: Record<Locale, Record<string, string>> = {
  en: english.CARD_ERROR_TEXTS,
  bn: bangla.CARD_ERROR_TEXTS,
}

/** Returns a card error with its message in a language. */
export function inLanguage(error: CardError, locale: Locale): CardError {
  const texts = TEXTS[locale]
  return { ...error, message: texts[error.declineCode ?? ''] ?? texts[error.code] ?? error.message }
}

const cardError = (code: keyof typeof english.CARD_ERROR_TEXTS): CardError => ({
  code,
  message: english.CARD_ERROR_TEXTS[code],
})
const declined = (declineCode: string): CardError =>
  inLanguage({ ...cardError('card_declined'), declineCode }, 'en')
const NO_FUNDS = declined('insufficient_funds')

/** The only numbers that the sandbox accepts, so that no real card is used in it. */
const TEST_CARDS: Record<string, TestCard> = {
  '4242424242424242': { brand: 'visa', after: 'succeeds' },
  '5555555555554444': { brand: 'mastercard', after: 'succeeds' },
  '378282246310005': { brand: 'amex', after: 'succeeds' },
  '4000000000000002': { brand: 'visa', after: declined('generic_decline') },
  '4000000000009995': { brand: 'visa', after: NO_FUNDS },
  '4000000000009987': { brand: 'visa', after: declined('lost_card') },
  '4000000000009979': { brand: 'visa', after: declined('stolen_card') },
  '4000000000000069': { brand: 'visa', after: cardError('expired_card') },
  '4000000000000127': { brand: 'visa', after: cardError('incorrect_cvc') },
  '4000000000000119': { brand: 'visa', after: cardError('processing_error') },
  '4000002500003155': { brand: 'visa', challenge: true, after: 'succeeds' },
  '4000002760003184': { brand: 'visa', challenge: true, after: 'succeeds' },
  '4000000000003220': { brand: 'visa', challenge: true, after: 'succeeds' },
  '4000008260003178': { brand: 'visa', challenge: true, after: NO_FUNDS },
  '4000008400001629': { brand: 'visa', challenge: true, after: declined('generic_decline') },
  '4000000000000259': { brand: 'visa', after: 'disputed' },
}

export const CHALLENGE_FAILED = cardError('payment_intent_authentication_failure')

/** A card without its number. `after` is the result of a payment: a word of `TestCard`, or a card error as JSON. */
export type SandboxCard = {
  brand: string
  last4: string
  expMonth: number
  expYear: number
  after: string
  challenge: boolean
}

export type CardInput = { number: string; expMonth: number; expYear: number; cvc: string }

/** Validates a card like the provider's form. Returns the test card, or the error that the form shows. */
export function readCard({ number, expMonth, expYear, cvc }: CardInput): TestCard | CardError {
  const digits = number.replace(/[\s-]/g, '')
  if (!/^\d{13,19}$/.test(digits)) return cardError('incomplete_number')
  if (!passesLuhn(digits)) return cardError('invalid_number')
  if (expMonth < 1 || expMonth > 12) return cardError('invalid_expiry_month')
  const now = new Date()
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth()
  if (expYear * 12 + expMonth - 1 < month) return cardError('invalid_expiry_year_past')
  const card = TEST_CARDS[digits]
  if (!new RegExp(card?.brand === 'amex' ? '^\\d{4}$' : '^\\d{3,4}$').test(cvc))
    return cardError('incomplete_cvc')
  return card ?? declined('test_mode_live_card')
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
