import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/mail.ts'
import type { Context, RouteContext } from '#server/context.ts'
import { escapeHtml } from '#server/escape-html.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { createWriteLimit } from '#server/http/write-limit.ts'
import { HTML_PAGE_CSP, htmlPage } from './html-page.ts'
import { emailLocaleOf, preferencesOf, setPreferences, unsubscribeFrom } from './preferences.ts'
import { verifyUnsubscribeToken } from './unsubscribe.ts'
import * as bangla from './unsubscribe-texts.bn.ts'
import * as english from './unsubscribe-texts.en.ts'

const PATH = '/unsubscribe'
const BODY_MAX_BYTES = 2000
/** Providers of mail request it for their users, from few networks. */
const WRITES_PER_HOUR = { perNetwork: 6_000 }

const TEXTS = { en: english, bn: bangla }

/** Registers the email preferences. */
export function mailRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.mailPreferences, ({ db, viewer }) => preferencesOf(db, viewer.id))

  serve(app, context, contract.setMailPreferences, async ({ db, viewer, body }) => {
    await setPreferences(db, viewer.id, body)
    return body
  })
}

/** Registers the unsubscribe page that optional emails link to. */
export function unsubscribeRoutes(app: FastifyInstance, { config, database }: Context): void {
  const countWrite = createWriteLimit(database, config, {
    method: 'POST',
    path: PATH,
    limit: WRITES_PER_HOUR,
  })

  // A separate scope, because mail programs post a form here (RFC 8058). A GET only shows the page.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      async (request: FastifyRequest, payload: IncomingMessage) => {
        await app.readBody(request, payload, BODY_MAX_BYTES)
      },
    )
    scope.route<{ Querystring: { token?: unknown } }>({
      method: ['GET', 'POST'],
      url: PATH,
      handler: async (request, reply) => {
        reply.type('text/html; charset=utf-8').headers({
          'content-security-policy': HTML_PAGE_CSP,
          'cache-control': 'no-store',
          // With `no-referrer` browsers send `Origin: null` with the form, which the origin check rejects.
          'referrer-policy': 'same-origin',
        })
        const { token } = request.query
        const claim = typeof token === 'string' ? verifyUnsubscribeToken(config, token) : undefined
        // The page has the language of the email, whatever the browser prefers.
        const locale = (claim && (await emailLocaleOf(database, claim.userId))) ?? requestLocale(request)
        const { UNSUBSCRIBE_TEXTS: texts, UNSUBSCRIBE_EFFECTS: effects } = TEXTS[locale]
        if (claim === undefined) {
          reply.status(404)
          return htmlPage(texts.invalid, `<p>${texts.instead}</p>`, locale)
        }
        const effect = `<p>${effects[claim.category]}</p>`
        if (request.method === 'POST') {
          await countWrite(request.ip, undefined, async () => undefined)
          await unsubscribeFrom(database, claim.userId, claim.category)
          return htmlPage(texts.done, effect, locale)
        }
        const action = `${PATH}?token=${escapeHtml(encodeURIComponent(String(token)))}`
        const form = `<form method="post" action="${action}"><button>${texts.button}</button></form>`
        return htmlPage(texts.question, effect + form, locale)
      },
    })
  })
}
