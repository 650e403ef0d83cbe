import { dollarsText } from '#contract/amounts.en.ts'
import type { EmailedKind } from '#contract/notification-kinds.ts'
import { EMAIL_SUBJECTS } from '#contract/notification-texts.en.ts'
import type { ReceiptDocument } from '#contract/receipts.ts'
import { RECEIPT_TITLES } from '#server/receipts/receipt-texts.en.ts'
import type { Mail } from './queue.ts'
import type { EmailContent } from './render.ts'

export type Data = Mail['data']
/** The content of an email in one language. */
export type EmailText = Omit<EmailContent, 'locale'>
type Template = (data: Data, link: string | undefined, marketplace: string) => EmailText

const button = (label: string, url: string | undefined) => (url === undefined ? undefined : { label, url })
/** Returns whether mail programs would show a name as a link: a stranger may have signed up with the recipient's email. */
export const isLink = (name: string) => /[:/@\\]|\.\p{L}{2}/u.test(name)
const greeting = ({ name = '' }: Data) => (isLink(String(name)) ? 'Hello,' : `Hello ${name},`)
const FACTOR_CHANGES: Record<string, string> = {
  'authenticator-added': 'An authenticator app was added to the two-step sign-in of your account.',
  'passkey-added': 'A passkey was added to your account.',
  'factor-removed': 'An authenticator app or passkey was removed from your account.',
  'recovery-codes-replaced':
    'The recovery codes of your account were replaced. The previous ones no longer work.',
  'recovery-code-used': 'A recovery code was used to sign in to your account. It cannot be used again.',
  'all-removed':
    'The two-step sign-in of your account was turned off, and all its recovery codes were deleted.',
}
const PASSWORD_CHANGES: Record<string, string> = {
  link: 'Your password was changed with a link sent by email. All devices were signed out and API keys were revoked.',
  provider:
    'A sign-in service confirmed your email, so the earlier password was removed. All other devices were signed out; two-step sign-in, API keys and webhook endpoints were removed.',
}
const duration = (amount: unknown, unit: string) => `${amount} ${unit}${Number(amount) === 1 ? '' : 's'}`

/** Emails that a user cannot switch off, because they protect the account. */
export const TEMPLATES: Record<string, Template> = {
  'verify-email': (data, link, marketplace) => {
    const replaces = data.purpose === 'change-email'
    return {
      subject: `Confirm your ${replaces ? 'new email' : 'email'} for ${marketplace}`,
      paragraphs: [
        greeting(data),
        `${replaces ? 'Open the link to make this the email of your account.' : 'Please confirm that this email is yours.'} The link works once and expires after ${duration(data.hours, 'hour')}.`,
      ],
      button: button('Confirm email', link),
      note: replaces
        ? 'If you did not request this change, ignore this email.'
        : 'If you did not sign up, you can ignore this email.',
    }
  },
  'reset-password': (data, link, marketplace) => ({
    subject: `Reset your password for ${marketplace}`,
    paragraphs: [
      greeting(data),
      `We received a request to reset the password of your account. The link works once and expires after ${duration(data.minutes, 'minute')}.`,
    ],
    button: button('Choose a new password', link),
    note: 'If you did not request this, ignore this email. Your password has not changed.',
  }),
  'password-changed': (data, link, marketplace) => ({
    subject: `Your password for ${marketplace} was ${data.method === 'provider' ? 'removed' : 'changed'}`,
    paragraphs: [
      greeting(data),
      PASSWORD_CHANGES[String(data.method)] ??
        'Your password has been changed, and you have been signed out on all other devices.',
      'If this was not you, reset your password immediately.',
    ],
    button: button('Reset my password', link),
    note: 'We send this email to protect your account. You cannot unsubscribe from it.',
  }),
  'second-factor-changed': (data, link, marketplace) => ({
    subject: `Your two-step sign-in for ${marketplace} was changed`,
    paragraphs: [
      greeting(data),
      FACTOR_CHANGES[String(data.change)] ?? 'The two-step sign-in of your account was changed.',
      'If this was not you, reset your password immediately and contact us through our contact page.',
    ],
    button: button('Reset my password', link),
    note: 'We send this email to protect your account. You cannot unsubscribe from it.',
  }),
  'payout-destination-changed': (data, link, marketplace) => ({
    subject: `A payout destination for ${marketplace} was ${data.change}`,
    paragraphs: [
      greeting(data),
      `The payout destination ${data.account} of your account was ${data.change}.`,
      ...(Number(data.hours) > 0 ? [`You can withdraw to it in ${duration(data.hours, 'hour')}.`] : []),
      'If this was not you, reset your password immediately and contact us through our contact page.',
    ],
    button: button('Reset my password', link),
    note: 'We send this email to protect your account. You cannot unsubscribe from it.',
  }),
  'api-key-created': (data, link, marketplace) => ({
    subject: `An API key for ${marketplace} was created`,
    paragraphs: [
      greeting(data),
      `The API key “${data.key}” was created for your account. Its scopes: ${data.scopes}.`,
      'If this was not you, revoke the key, reset your password and contact us through our contact page.',
    ],
    button: button('View my API keys', link),
    note: 'We send this email to protect your account. You cannot unsubscribe from it.',
  }),
  'webhook-changed': (data, link, marketplace) => ({
    subject: `A webhook endpoint for ${marketplace} was ${data.change === 'created' ? 'created' : 'changed'}`,
    paragraphs: [
      greeting(data),
      data.change === 'secret_rotated'
        ? `The webhook endpoint “${data.endpoint}” has a new secret. The previous one works for another 24 hours.`
        : `The webhook endpoint “${data.endpoint}” of your account was ${data.change}. Events from your account are sent to ${data.host}.`,
      'If this was not you, delete the endpoint, reset your password and contact us through our contact page.',
    ],
    button: button('View the endpoint', link),
    note: 'We send this email to protect your account. You cannot unsubscribe from it.',
  }),
  'webhook-stopped': (data, link, marketplace) => ({
    subject: `A webhook endpoint for ${marketplace} was ${data.outcome}`,
    paragraphs: [
      greeting(data),
      data.outcome === 'ended'
        ? `The webhook endpoint “${data.endpoint}” at ${data.host} responded with 410 Gone. No more events will be sent to it.`
        : `Every delivery to the webhook endpoint “${data.endpoint}” at ${data.host} failed for three days, so it was paused. New events are kept for up to 30 days until you resume it.`,
    ],
    button: button('View the endpoint', link),
    note: 'We send this email about a service that you set up. You cannot unsubscribe from it.',
  }),
  'email-changed': (data, _link, marketplace) => ({
    subject: `Your email for ${marketplace} was changed`,
    paragraphs: [
      greeting(data),
      `The email of your account is now ${data.email}.`,
      'If this was not you, contact us immediately through our contact page.',
    ],
    note: 'We send this message to your previous email to protect your account. You cannot unsubscribe from it.',
  }),
}

/** Returns the email of a notification: its sentence, and a button that opens its page. */
export function notificationEmail(notification: {
  name: string
  kind: EmailedKind
  message: string
  url: string
  /** Whether it cannot be switched off. */
  always: boolean
}): EmailText {
  const { name, kind, message, url, always } = notification
  return {
    subject: EMAIL_SUBJECTS[kind],
    paragraphs: [greeting({ name }), message],
    button: { label: 'View details', url },
    note: always
      ? 'We send this email to protect the marketplace. You cannot unsubscribe from it.'
      : 'You receive this email because of your email settings.',
  }
}

/** Returns the email that a receipt is attached to. */
export function receiptEmail(receipt: {
  name: string
  kind: ReceiptDocument['kind']
  number: string
  lines: Pick<ReceiptDocument['lines'][number], 'text'>[]
  cents: number
  url: string
}): EmailText {
  const { kind, number, lines, cents, url } = receipt
  const total = dollarsText(cents)
  return {
    subject: `${RECEIPT_TITLES[kind]} ${number} for ${total}`,
    paragraphs: [
      greeting({ name: receipt.name }),
      ...lines.map(({ text }) => text),
      `Total: ${total}. The document is attached as a PDF file.`,
    ],
    button: { label: 'View online', url },
    note: 'We send this email for every payment. You cannot unsubscribe from it.',
  }
}

/** Returns the email that lists the work waiting for a buyer's review. */
export function reviewDigestEmail(pending: {
  name: string
  count: number
  titles: string[]
  url: string
}): EmailText {
  const { name, count, titles, url } = pending
  const submissions = count === 1 ? 'One submission is waiting' : `${count} submissions are waiting`
  return {
    subject: `${submissions} for your review`,
    paragraphs: [
      greeting({ name }),
      `${submissions} for your review. Work that is not reviewed in time is approved automatically.`,
      ...titles.map((title) => `• ${title}`),
    ],
    button: { label: 'Review now', url },
    note: 'You receive this email because of your email settings.',
  }
}
