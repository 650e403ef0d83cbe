import type { Locale } from '#contract/locales.ts'
import { escapeHtml } from '#server/escape-html.ts'

/** The content of an email, before it is rendered. */
export type EmailContent = {
  locale: Locale
  subject: string
  paragraphs: string[]
  button?: { label: string; url: string } | undefined
  /** Small print below the content. */
  note: string
  unsubscribeUrl?: string | undefined
}

export type Message = { subject: string; text: string; html: string }

const UNSUBSCRIBE = { en: 'Unsubscribe', bn: 'এই ইমেইল বন্ধ করুন' }

/** Renders an email as plain text and as HTML for any screen width. All content is escaped. */
export function render(content: EmailContent, siteName: string): Message {
  const { locale, subject, paragraphs, button, note, unsubscribeUrl } = content
  const text = [
    ...paragraphs,
    ...(button ? [`${button.label}: ${button.url}`] : []),
    `-- \n${siteName}\n${note}${unsubscribeUrl ? `\n${UNSUBSCRIBE[locale]}: ${unsubscribeUrl}` : ''}`,
  ].join('\n\n')

  const body = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`)
  const link = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5d4c;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#5b6660;word-break:break-all">${escapeHtml(button.url)}</p>`
    : ''
  const unsubscribe = unsubscribeUrl
    ? `<br><a href="${escapeHtml(unsubscribeUrl)}" style="color:#5b6660">${UNSUBSCRIBE[locale]}</a>`
    : ''
  const html = `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f6f5;color:#1c2420;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 20px;font-weight:700">${escapeHtml(siteName)}</p>
${body.join('\n')}
${link}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dde3e0;font-size:14px;color:#5b6660">${escapeHtml(note)}${unsubscribe}</p>
</div></body></html>`
  return { subject: oneLine(subject), text, html }
}

/** Collapses line breaks, which are not allowed in a subject. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}
