import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/users.ts'
import type { Db } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import { emailKey } from '#server/identity/email-key.ts'
import { presentCoinRole, presentUser } from './present.ts'
import { type UserRow, userByEmailKey } from './queries.ts'
import { register } from './register.ts'

export function userRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, contract.registerUser, async ({ db, body, caller }) => {
    const { made, user } = await register(db, caller, {
      ...body,
      role: body.role ?? body.roll,
      image: body.image ?? '',
    })
    return { acknowledged: true, insertedId: made ? user.id : null, user: presentUser(user) }
  })

  serve(app, services, contract.userDetails, async ({ db, params }) =>
    presentUser(await named(db, params.email)),
  )

  serve(app, services, contract.coinRole, async ({ db, params }) =>
    presentCoinRole(await named(db, params.email)),
  )
}

async function named(db: Db, email: string): Promise<UserRow> {
  const [user] = await userByEmailKey(db, emailKey(email) ?? '')
  if (user === undefined) throw new Refusal('user_not_found', 'Nobody is registered with this address.')
  return user
}
