import { ERROR_GUIDE } from '#contract/error-guide.en.ts'
import { type ErrorCode, STATUS_OF } from '#contract/errors.ts'
import { REFUSAL_TEXTS } from '#contract/refusals.en.ts'
import { escapeHtml } from '#server/escape-html.ts'
import { markdown } from './render-guide.ts'

/** Returns the HTML that explains every error code: its status, meaning, remedy and an example of its message. */
export function errorsPage(): string {
  const codes = Object.keys(STATUS_OF) as ErrorCode[]
  const sections = [...Map.groupBy(codes, (code) => STATUS_OF[code])].map(
    ([status, ofStatus]) =>
      `<section><h2 id="status-${status}">${status}</h2><dl>${ofStatus.map(entryOf).join('')}</dl></section>`,
  )
  return `<h1>Errors</h1>
<p>An error has the body <code>{ "error": { "code", "message", "fields" } }</code>. Decide by <code>code</code>, which does not
change. <code>message</code> is a sentence that you can show to a user; its wording can change. <code>fields</code>, where it is
present, maps the path of each wrong value to its message.</p>
<p>Retry 429, 500 and 503 with the same <a href="/api/docs/idempotency"><code>Idempotency-Key</code></a>. All other errors need a
changed request.</p>
${sections.join('')}`
}

function entryOf(code: ErrorCode): string {
  const { meaning, remedy } = ERROR_GUIDE[code]
  const message = exampleMessage(code)
  return `<dt id="${code}"><code>${code}</code></dt>
<dd>${markdown.renderInline(meaning)}</dd><dd>${markdown.renderInline(remedy)}</dd>
${message === undefined ? '' : `<dd class="dim">Message: “${escapeHtml(message)}”</dd>`}`
}

/** Returns a message of this code that has no parameters. */
function exampleMessage(code: ErrorCode): string | undefined {
  const texts = Object.entries(REFUSAL_TEXTS)
    .filter(([key]) => key === code || key.startsWith(`${code}.`))
    .map(([, text]) => text)
  return texts.find((text) => typeof text === 'string')
}
