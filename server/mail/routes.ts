import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/mail.ts'
import type { Context, RouteContext } from '#server/context.ts'
import { escapeHtml } from '#server/escape-html.ts'
import { serve } from '#server/http/serve.ts'
import { HTML_PAGE_CSP, htmlPage } from './html-page.ts'
import { type EmailCategory, preferencesOf, setPreferences, unsubscribeFrom } from './preferences.ts'
import { verifyUnsubscribeToken } from './unsubscribe.ts'

const DESCRIPTIONS: Record<EmailCategory, string> = {
  workReceived: 'about new submissions for your tasks',
  workDecided: 'about decisions on your work',
  payouts: 'about your withdrawals',
}

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
  // A separate scope, because mail programs post a form here (RFC 8058). A GET only shows the page.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'buffer', bodyLimit: 2000 },
      (_request, _body, done) => done(null),
    )
    scope.route<{ Querystring: { token?: unknown } }>({
      method: ['GET', 'POST'],
      url: '/unsubscribe',
      handler: async (request, reply) => {
        reply.type('text/html; charset=utf-8').headers({
          'content-security-policy': HTML_PAGE_CSP,
          'cache-control': 'no-store',
          // With `no-referrer` browsers send `Origin: null` with the form, which the origin check rejects.
          'referrer-policy': 'same-origin',
        })
        const { token } = request.query
        const claim = typeof token === 'string' ? verifyUnsubscribeToken(config, token) : undefined
        if (claim === undefined) {
          reply.status(404)
          return htmlPage(
            'This link is not valid',
            '<p>Choose the emails you receive in your profile instead.</p>',
          )
        }
        const description = DESCRIPTIONS[claim.category]
        if (request.method === 'POST') {
          await unsubscribeFrom(database, claim.userId, claim.category)
          return htmlPage('Unsubscribed', `<p>You will no longer receive emails ${description}.</p>`)
        }
        const action = `/unsubscribe?token=${escapeHtml(encodeURIComponent(String(token)))}`
        return htmlPage(
          'Unsubscribe?',
          `<p>You will no longer receive emails ${description}.</p><form method="post" action="${action}"><button>Unsubscribe</button></form>`,
        )
      },
    })
  })
}
