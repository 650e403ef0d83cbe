import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/site.ts'
import type { Context } from '#server/context.ts'
import { query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { startSession } from '#server/identity/sessions.ts'
import { demoUserOf } from './users.ts'

const demoPerson = query<{ id: string; name: string; email: string }, [email: string]>(
  'demo_person',
  `select id, name, email from users where email_key = $1 and deleted_at is null
      and exists (select from installation where name = 'demo_world')`,
)

/** "Try as Worker / Buyer / Admin" on the login screen. Registered only where the demo world is switched on. */
export function demoRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.tryAs, async ({ body, request, reply }) => {
    const [person] = await demoPerson(context.database, demoUserOf(body.role))
    if (person === undefined) throw new Refusal('user_not_found', 'This database has no demo world.')
    await startSession(context.config, { db: context.database, request, reply }, person.id)
    return { user: { email: person.email, name: person.name } }
  })
}
