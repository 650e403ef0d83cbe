import type { Locale } from '#contract/locales.ts'
import { escapeHtml } from '#server/escape-html.ts'

/** Returns a plain HTML page for screens outside of the web app: unsubscribing, and the emails of development. */
export function htmlPage(title: string, body: string, locale: Locale): string {
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark }
body { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem; font: 16px/1.5 system-ui, sans-serif }
button { min-height: 44px; padding: 0 1.25rem; font: inherit; cursor: pointer }
li { margin: 0 0 1rem } pre { white-space: pre-wrap; overflow-wrap: anywhere } iframe { width: 100%; height: 36rem; border: 1px solid #8888; border-radius: 8px; background: #fff }
</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
}

export const HTML_PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'"
