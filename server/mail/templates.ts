import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Mail } from './queue.ts'
import type { EmailContent } from './render.ts'
import * as bangla from './templates.bn.ts'
import * as english from './templates.en.ts'

const TEXTS = { en: english, bn: bangla }

type Texts = typeof english
type Parameter<Name extends 'notificationEmail' | 'receiptEmail' | 'reviewDigestEmail'> = Parameters<
  Texts[Name]
>[0]

/** Returns the content of a queued email. @throws Error for a template that does not exist. */
export function emailContentOf(mail: Mail, marketplace: string): EmailContent {
  const { template, data, link } = mail
  const locale = mail.locale ?? DEFAULT_LOCALE
  const contentOf = TEXTS[locale].TEMPLATES[template]
  if (contentOf === undefined) throw new Error(`Unknown mail template: ${template}`)
  return { ...contentOf(data, link, marketplace), locale }
}

/** Returns the email of a notification: its sentence, and a button that opens its page. */
export function notificationEmail(
  locale: Locale,
  notification: Parameter<'notificationEmail'>,
): EmailContent {
  return { ...TEXTS[locale].notificationEmail(notification), locale }
}

/** Returns the email that a receipt is attached to. */
export function receiptEmail(locale: Locale, receipt: Parameter<'receiptEmail'>): EmailContent {
  return { ...TEXTS[locale].receiptEmail(receipt), locale }
}

/** Returns the email that lists the work waiting for a buyer's review. */
export function reviewDigestEmail(locale: Locale, pending: Parameter<'reviewDigestEmail'>): EmailContent {
  return { ...TEXTS[locale].reviewDigestEmail(pending), locale }
}
