import type { Mail } from './queue.ts'
import type { EmailContent } from './render.ts'

type Data = Mail['data']
type Template = (data: Data, link: string | undefined, marketplace: string) => EmailContent

const button = (label: string, url: string | undefined) => (url === undefined ? undefined : { label, url })
/** Whoever signs up with somebody else's address writes the name: nothing in it becomes a link in a mail to them. */
const hello = ({ name = '' }: Data) =>
  /[:/@\\]|\.\p{L}{2}/u.test(String(name)) ? 'Hello,' : `Hello ${name},`
const time = (amount: unknown, unit: string) => `${amount} ${unit}${Number(amount) === 1 ? '' : 's'}`

/** Mails that a person cannot switch off, because their account's safety hangs on them. */
const TEMPLATES: Record<string, Template> = {
  'verify-email': (data, link, marketplace) => ({
    subject: `Confirm your address for ${marketplace}`,
    paragraphs: [
      hello(data),
      `Please confirm that this address is yours. The link works once, for ${time(data.hours, 'hour')}.`,
    ],
    button: button('Confirm my address', link),
    note: 'If you did not sign up, you can ignore this mail.',
  }),
  'reset-password': (data, link, marketplace) => ({
    subject: `A new password for ${marketplace}`,
    paragraphs: [
      hello(data),
      `Somebody asked for a new password for this address. The link works once, for ${time(data.minutes, 'minute')}.`,
    ],
    button: button('Choose a new password', link),
    note: 'If it was not you, ignore this mail: your password stays as it is.',
  }),
  'password-changed': (data, link, marketplace) => ({
    subject: `Your password for ${marketplace} was changed`,
    paragraphs: [
      hello(data),
      'Your password was changed just now, and all devices were signed out.',
      'If it was not you, choose a new one at once.',
    ],
    button: button('It was not me', link),
    note: 'This mail is sent for your safety and cannot be switched off.',
  }),
  'email-changed': (data, _link, marketplace) => ({
    subject: `Your address for ${marketplace} was changed`,
    paragraphs: [
      hello(data),
      `The address of your account is now ${data.email}.`,
      'If it was not you, write to us from our contact page at once.',
    ],
    note: 'This mail went to your earlier address for your safety and cannot be switched off.',
  }),
}

/** A queued mail's words. @throws Error for a template that does not exist. */
export function emailContentOf({ template, data, link }: Mail, marketplace: string): EmailContent {
  const write = TEMPLATES[template]
  if (write === undefined) throw new Error(`There is no mail template ${template}`)
  return write(data, link, marketplace)
}

const SUBJECTS: Record<string, string> = {
  submission_approved: 'Your work was approved',
  submission_rejected: 'Your work was not accepted',
  review_near: 'Work waits for your review',
  withdrawal_paid: 'Your withdrawal was paid',
  withdrawal_declined: 'Your withdrawal was declined',
}

/** A notice as a mail: the same sentence, and the way to the page it is about. */
export function notificationEmail(notice: {
  name: string
  kind: string
  message: string
  url: string
}): EmailContent {
  return {
    subject: SUBJECTS[notice.kind] ?? 'News for you',
    paragraphs: [hello(notice), notice.message],
    button: { label: 'Open', url: notice.url },
    note: 'You get this mail because of your settings.',
  }
}

/** What waits for a buyer's review, in one mail. */
export function reviewDigestEmail(waiting: {
  name: string
  count: number
  titles: string[]
  url: string
}): EmailContent {
  const { name, count, titles, url } = waiting
  const many = count === 1 ? 'One submission waits' : `${count} submissions wait`
  return {
    subject: `${many} for your review`,
    paragraphs: [
      hello({ name }),
      `${many} for your review. Work that nobody reviews is approved by itself after a while.`,
      ...titles.map((title) => `• ${title}`),
    ],
    button: { label: 'Review now', url },
    note: 'You get this mail because of your settings.',
  }
}
