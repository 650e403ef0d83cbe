import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/mail.ts'
import type { Context } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import { HTML_PAGE_CSP, htmlPage } from './html-page.ts'
import { type Kind, preferencesOf, setPreferences, unsubscribeFrom } from './preferences.ts'
import { escapeHtml } from './render.ts'
import { readUnsubscribe } from './unsubscribe.ts'

const WORDS: Record<Kind, string> = {
  workReceived: 'about work that arrived on your tasks',
  workDecided: 'about decisions on your work',
  payouts: 'about your withdrawals',
}

/** Which mails a person gets, and the link in each optional mail that ends its kind. */
export function mailRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context

  serve(app, context, contract.mailPreferences, ({ db, viewer }) => preferencesOf(db, viewer.id))

  serve(app, context, contract.setMailPreferences, async ({ db, viewer, body }) => {
    await setPreferences(db, viewer.id, body)
    return body
  })

  // A scope of its own: a mail program posts a form here (RFC 8058). Looking at the page changes nothing.
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
          // With no referrer at all a browser says of its form that it comes from nowhere, which no write may.
          'referrer-policy': 'same-origin',
        })
        const { token } = request.query
        const known = typeof token === 'string' ? readUnsubscribe(config, token) : undefined
        if (known === undefined) {
          reply.status(404)
          return htmlPage('This link does not work', '<p>Choose your mails in your profile instead.</p>')
        }
        if (request.method === 'POST') {
          await unsubscribeFrom(database, known.userId, known.kind)
          return htmlPage('Done', `<p>You get no more mails ${WORDS[known.kind]}.</p>`)
        }
        const action = `/unsubscribe?token=${escapeHtml(encodeURIComponent(String(token)))}`
        return htmlPage(
          'Stop these mails?',
          `<p>You will get no more mails ${WORDS[known.kind]}.</p><form method="post" action="${action}"><button>Stop these mails</button></form>`,
        )
      },
    })
  })
}
