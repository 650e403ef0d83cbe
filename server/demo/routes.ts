import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/site.ts'
import type { Context } from '#server/context.ts'
import { query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { startSessionAfterSecondFactor } from '#server/identity/sessions.ts'
import { demoEmailOf } from './users.ts'

const readDemoUser = query<{ id: string; name: string; email: string }, [email: string]>(
  'demo_user',
  `select id, name, email from users where email_key = $1 and deleted_at is null
      and exists (select from installation where name = 'demo_world')`,
)

/** Registers "Try as Worker / Buyer / Admin" of the login screen. Only called where demo data is enabled. */
export function demoRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.tryAs, async ({ body, request, reply }) => {
    const [user] = await readDemoUser(context.database, demoEmailOf(body.role))
    if (user === undefined) throw new Refusal('user_not_found.demo')
    const exchange = { db: context.database, request, reply }
    await startSessionAfterSecondFactor(context.config, exchange, user.id, { method: 'demo' })
    return { user: { email: user.email, name: user.name } }
  })
}
