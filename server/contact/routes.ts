import type { FastifyInstance } from 'fastify'
import { v7 as newId } from 'uuid'
import * as contract from '#contract/contact.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { createContactMessage, listContactMessages, markAnswered } from './queries.ts'

export function contactRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.sendContact, async ({ db, body }) => {
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
