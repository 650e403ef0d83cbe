/** The reason why a card was not charged, with the provider's published codes and messages. */
export type CardError = { code: string; declineCode?: string; message: string }

/** A published test card. `challenge`: the bank authenticates the cardholder first. `after`: the result of the payment. */
export type TestCard = { brand: string; challenge?: true; after: 'succeeds' | 'disputed' | CardError }

const declined = (declineCode: string, message = 'Your card was declined.'): CardError => ({
  code: 'card_declined',
  declineCode,
  message,
})
const NO_FUNDS = declined('insufficient_funds', 'Your card has insufficient funds.')

/** The only numbers that the sandbox accepts, so that no real card is used in it. */
const TEST_CARDS: Record<string, TestCard> = {
  '4242424242424242': { brand: 'visa', after: 'succeeds' },
  '5555555555554444': { brand: 'mastercard', after: 'succeeds' },
  '378282246310005': { brand: 'amex', after: 'succeeds' },
  '4000000000000002': { brand: 'visa', after: declined('generic_decline') },
  '4000000000009995': { brand: 'visa', after: NO_FUNDS },
  '4000000000009987': { brand: 'visa', after: declined('lost_card') },
  '4000000000009979': { brand: 'visa', after: declined('stolen_card') },
  '4000000000000069': { brand: 'visa', after: { code: 'expired_card', message: 'Your card has expired.' } },
  '4000000000000127': {
    brand: 'visa',
    after: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  },
  '4000000000000119': {
    brand: 'visa',
    after: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  '4000002500003155': { brand: 'visa', challenge: true, after: 'succeeds' },
  '4000002760003184': { brand: 'visa', challenge: true, after: 'succeeds' },
  '4000000000003220': { brand: 'visa', challenge: true, after: 'succeeds' },
  '4000008260003178': { brand: 'visa', challenge: true, after: NO_FUNDS },
  '4000008400001629': { brand: 'visa', challenge: true, after: declined('generic_decline') },
  '4000000000000259': { brand: 'visa', after: 'disputed' },
}

export const CHALLENGE_FAILED: CardError = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

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
  const cardError = (code: string, message: string) => ({ code, message })
  if (!/^\d{13,19}$/.test(digits)) return cardError('incomplete_number', 'Your card number is incomplete.')
  if (!passesLuhn(digits)) return cardError('invalid_number', 'Your card number is invalid.')
  if (expMonth < 1 || expMonth > 12)
    return cardError('invalid_expiry_month', "Your card's expiration month is invalid.")
  const now = new Date()
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth()
  if (expYear * 12 + expMonth - 1 < month)
    return cardError('invalid_expiry_year_past', "Your card's expiration year is in the past.")
  const card = TEST_CARDS[digits]
  if (!new RegExp(card?.brand === 'amex' ? '^\\d{4}$' : '^\\d{3,4}$').test(cvc))
    return cardError('incomplete_cvc', "Your card's security code is incomplete.")
  return (
    card ?? { ...declined('test_mode_live_card'), message: 'Your card was declined. Use a test card here.' }
  )
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
