/** A message's words, before they are laid out. */
export type EmailContent = {
  subject: string
  paragraphs: string[]
  button?: { label: string; url: string } | undefined
  /** Small print below, and the link of optional mails that ends them. */
  note: string
  unsubscribeUrl?: string | undefined
}

export type Message = { subject: string; text: string; html: string }

/** Lays a letter out as plain text and as simple HTML that a phone shows without zooming. Everything is escaped. */
export function render(letter: EmailContent, name: string): Message {
  const { subject, paragraphs, button, note, unsubscribeUrl } = letter
  const text = [
    ...paragraphs,
    ...(button ? [`${button.label}: ${button.url}`] : []),
    `-- \n${name}\n${note}${unsubscribeUrl ? `\nStop these mails: ${unsubscribeUrl}` : ''}`,
  ].join('\n\n')

  const body = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`)
  const link = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5d4c;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#5b6660;word-break:break-all">${escapeHtml(button.url)}</p>`
    : ''
  const stop = unsubscribeUrl
    ? `<br><a href="${escapeHtml(unsubscribeUrl)}" style="color:#5b6660">Stop these mails</a>`
    : ''
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f6f5;color:#1c2420;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 20px;font-weight:700">${escapeHtml(name)}</p>
${body.join('\n')}
${link}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dde3e0;font-size:14px;color:#5b6660">${escapeHtml(note)}${stop}</p>
</div></body></html>`
  return { subject: oneLine(subject), text, html }
}

/** A subject is one line, whatever a title holds. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
