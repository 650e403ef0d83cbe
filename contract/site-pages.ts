import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Locale } from './locales.ts'
import { TEXT_MAX } from './product.ts'
import { Id, Time, text, Version } from './shapes.ts'

/** Public pages whose text the operator edits. */
export const SITE_PAGES = ['terms', 'privacy', 'fees'] as const
export type SitePageName = (typeof SITE_PAGES)[number]

/** Marks the place in the built page where the server inserts the text. */
export const PAGE_TEXT_PLACEHOLDER = '<!--page-text-->'

/** What a text can name in double braces, as in `{{review_days}}`: the page shows the value in force. */
export const SITE_PAGE_VALUES = [
  'name',
  'operator',
  'contact',
  'email_visibility',
  'packages',
  'tax',
  'task_fee',
  'withdrawal_rate',
  'minimum_withdrawal',
  'minimum_withdrawal_pays',
  'holding_time',
  'worker_starting_coins',
  'buyer_starting_coins',
  'review_days',
  'review_period',
  'revision_days',
  'appeal_rule',
  'appeal_response_days',
  'unused_pictures_kept',
] as const
export type SitePageValue = (typeof SITE_PAGE_VALUES)[number]

const VALUE = /\{\{(.*?)\}\}/g
const isValue = (name: string) => SITE_PAGE_VALUES.some((value) => value === name)

/** Returns a text with each `{{name}}` replaced by its value. */
export function fillIn(source: string, values: Record<SitePageValue, string>): string {
  return source.replace(VALUE, (whole, name: string) =>
    isValue(name) ? values[name as SitePageValue] : whole,
  )
}

/** Markdown: headings, paragraphs, lists, tables, emphasis and links. HTML is shown as it is typed. */
export const SitePageText = text(TEXT_MAX, 'Enter the text of the page').check(
  z.refine(
    (typed) => [...typed.matchAll(VALUE)].every(([, name = '']) => isValue(name)),
    'Contains a value in double braces that does not exist',
  ),
)

/** Another name is 404. */
const ByPage = z.object({ page: z.string().check(z.maxLength(60)) })
const Html = z.object({ html: z.string() })

export const sitePage = endpoint({
  method: 'GET',
  path: '/pages/:page',
  summary: 'The text of a public page as HTML: terms, privacy or fees',
  access: { who: 'anyone' },
  params: ByPage,
  reply: Html,
})

/** The language of a text; English by default. */
const InLocale = { locale: z.optional(Locale) }

/**
 * `version` is 0 for the default text. `behindEnglish` is true where the English text was changed after this one; a page
 * without a text of its own then shows the English one. The history has the latest 20 changes, newest first.
 */
export const SitePageSource = z.object({
  page: z.enum(SITE_PAGES),
  locale: Locale,
  version: z.int(),
  text: z.string(),
  defaultText: z.string(),
  behindEnglish: z.boolean(),
  changes: z.array(
    z.object({
      version: z.int(),
      text: z.string(),
      changedBy: z.string(),
      changedById: Id,
      changedAt: Time,
      reason: z.string(),
    }),
  ),
})
export type SitePageSource = z.infer<typeof SitePageSource>

export const sitePageSource = endpoint({
  method: 'GET',
  path: '/pages/:page/source',
  summary: 'The text of a public page as Markdown, with its latest changes',
  access: { who: ['Admin'] },
  params: ByPage,
  query: z.object(InLocale),
  reply: SitePageSource,
})

export const previewSitePage = endpoint({
  method: 'POST',
  path: '/pages/:page/preview',
  summary: 'Render a text as the public page would show it; changes nothing',
  access: { who: ['Admin'] },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ByPage,
  body: z.object({ text: SitePageText, ...InLocale }),
  reply: Html,
  idempotency: 'own',
})

/** `version` is the one that the Admin saw: a text that was changed since is not overwritten. */
export const changeSitePage = endpoint({
  method: 'PUT',
  path: '/pages/:page',
  summary: 'Change the text of a public page',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 120, perNetwork: 1200 },
  params: ByPage,
  body: z.object({
    text: SitePageText,
    ...InLocale,
    version: Version,
    reason: text(2_000, 'Enter a reason for the audit log'),
  }),
  reply: SitePageSource,
})
