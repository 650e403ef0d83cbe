import type { FastifyInstance } from 'fastify'
import { v7 as newId } from 'uuid'
import * as contract from '#contract/contact.ts'
import type { Context } from '#server/context.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { page } from '#server/http/pagination.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { createContactMessage, listContactMessages, markAnswered } from './queries.ts'

/** Messages per network and hour. Tests in development send many. */
const HOURLY_LIMIT = { production: 10, development: 2000 }

export function contactRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context

  serve(app, context, contract.sendContact, async ({ db, body, request }) => {
    const max = config.production ? HOURLY_LIMIT.production : HOURLY_LIMIT.development
    const key = `contact:${clientNetwork(request.ip)}`
    const [exceeded] = await consumeRateLimit(database, [{ key, max, seconds: 3600 }])
    if (exceeded) throwRateLimited(exceeded.resetsAt)
    const insertedId = newId()
    await createContactMessage(db, insertedId, body.name, body.email, body.subject, body.message)
    return { acknowledged: true, insertedId }
  })

  serve(app, context, contract.contactMessages, async ({ db, query, reply }) => {
    const rows = await page(
      reply,
      query,
      ['id'],
      ([after], count) => listContactMessages(db, after as string | null, count),
      (row) => [row.id],
    )
    return rows.map(({ id, created_at, ...message }) => ({ ...message, _id: id, createdAt: created_at }))
  })

  serve(app, context, contract.answerContact, async ({ db, params }) => {
    const { matched, modified } = await markAnswered(db, params.id)
    if (matched === 0) throw new Refusal('not_found.contact_message')
    return { acknowledged: true, matchedCount: matched, modifiedCount: modified }
  })
}
