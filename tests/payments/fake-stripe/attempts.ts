import { type Account, type StoredIntent, type Tried, token } from './state.ts'

const DECLINES: Record<string, [code: string, declineCode: string | undefined, message: string]> = {
  '4000000000000002': ['card_declined', 'generic_decline', 'Your card was declined.'],
  '4000000000009995': ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  '4000008260003178': ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
}
const CHALLENGED = new Set(['4000002500003155', '4000008260003178'])

/** Pays an intent as a browser does with Stripe.js. `save`: the buyer has checked the box that saves the card. */
export function confirm(account: Account, clientSecret: string, number: string, save = false): Tried {
  const intent = bySecret(account, clientSecret)
  intent.saves = save
  return saveIfPaid(account, intent, attempt(intent, number))
}

export function confirmSaved(account: Account, clientSecret: string, cardId: string): Tried {
  const intent = bySecret(account, clientSecret)
  const card = account.cards.get(cardId)
  if (card === undefined || card.customer !== intent.customer)
    return failed('resource_missing', undefined, `No such PaymentMethod: '${cardId}'`)
  return attempt(intent, card.number)
}

export function authenticate(account: Account, clientSecret: string, agreed: boolean): Tried {
  const intent = bySecret(account, clientSecret)
  if (intent.status !== 'requires_action') throw new Error(`${intent.id} is ${intent.status}`)
  if (agreed) return saveIfPaid(account, intent, finish(intent))
  intent.status = 'requires_payment_method'
  return failed('payment_intent_authentication_failure', undefined, CHALLENGE_FAILED)
}

function bySecret({ intents }: Account, clientSecret: string): StoredIntent {
  const intent = [...intents.values()].find((one) => one.client_secret === clientSecret)
  if (intent === undefined) throw new Error('No such client secret')
  return intent
}

function saveIfPaid(account: Account, intent: StoredIntent, tried: Tried): Tried {
  const { customer, card, saves } = intent
  if (tried.status === 'succeeded' && saves && card && customer !== null && account.customers.has(customer)) {
    const id = `pm_${token(24)}`
    account.cards.set(id, { id, customer, number: card.number })
  }
  return tried
}

const CHALLENGE_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

function attempt(intent: StoredIntent, number: string): Tried {
  if (!intent.status.startsWith('requires_')) throw new Error(`${intent.id} is ${intent.status}`)
  intent.card = { brand: number.startsWith('5') ? 'mastercard' : 'visa', last4: number.slice(-4), number }
  if (CHALLENGED.has(number)) {
    intent.status = 'requires_action'
    return { status: 'requires_action', error: null }
  }
  return finish(intent)
}

function finish(intent: StoredIntent): Tried {
  const decline = DECLINES[intent.card?.number ?? '']
  if (decline === undefined) {
    intent.status = 'succeeded'
    return { status: 'succeeded', error: null }
  }
  intent.status = 'requires_payment_method'
  return failed(...decline)
}

function failed(code: string, declineCode: string | undefined, message: string): Tried {
  return {
    status: 'requires_payment_method',
    error: { code, message, ...(declineCode && { decline_code: declineCode }) },
  }
}
