import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { REASON_MAX } from './rejections.ts'
import { Acknowledged, ById, LongText, text } from './shapes.ts'

/** What a buyer asks for or says. */
const Statement = z.object({ text: text(REASON_MAX) })

export const requestRevision = endpoint({
  method: 'POST',
  path: '/submissions/:id/revision',
  summary: 'Ask the worker once to revise pending work',
  access: { who: ['Buyer'] },
  scope: 'review',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: Statement,
  reply: Acknowledged,
  errors: ['submission_not_found', 'deadline_passed', 'state_conflict'],
})

export const reviseSubmission = endpoint({
  method: 'PUT',
  path: '/submissions/:id',
  summary: 'Hand in revised work',
  access: { who: 'signed-in' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ submissoin_data: LongText }),
  reply: Acknowledged,
})
