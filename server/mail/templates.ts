import type { EmailedKind } from '#contract/notification-kinds.ts'
import { EMAIL_SUBJECTS } from '#contract/notification-texts.en.ts'
import type { Mail } from './queue.ts'
import type { EmailContent } from './render.ts'

type Data = Mail['data']
type Template = (data: Data, link: string | undefined, marketplace: string) => EmailContent

const button = (label: string, url: string | undefined) => (url === undefined ? undefined : { label, url })
/** A stranger may have signed up with this address: a name that a mail program would show as a link is left out. */
const hello = ({ name = '' }: Data) =>
  /[:/@\\]|\.\p{L}{2}/u.test(String(name)) ? 'Hello,' : `Hello ${name},`
const time = (amount: unknown, unit: string) => `${amount} ${unit}${Number(amount) === 1 ? '' : 's'}`

/** Emails about the security of an account, which cannot be switched off. */
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

/** Returns the content of a queued email. @throws Error for a template that does not exist. */
export function emailContentOf({ template, data, link }: Mail, marketplace: string): EmailContent {
  const write = TEMPLATES[template]
  if (write === undefined) throw new Error(`There is no mail template ${template}`)
  return write(data, link, marketplace)
}

/** Returns the email of a notification: its sentence, and a button that opens its page. */
export function notificationEmail(notification: {
  name: string
  kind: EmailedKind
  message: string
  url: string
}): EmailContent {
  const { kind, message, url } = notification
  return {
    subject: EMAIL_SUBJECTS[kind],
    paragraphs: [hello(notification), message],
    button: { label: 'Open', url },
    note: 'You get this mail because of your settings.',
  }
}

/** Returns the email that lists the work waiting for a buyer's review. */
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
      `${many} for your review. Work that is not reviewed in time is approved automatically.`,
      ...titles.map((title) => `• ${title}`),
    ],
    button: { label: 'Review now', url },
    note: 'You get this mail because of your settings.',
  }
}
