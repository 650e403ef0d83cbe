import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/auth.ts'
import { changeProfile as changeProfileEndpoint } from '#contract/users.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { throwRateLimited } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { presentUser } from '#server/users/present.ts'
import { userById } from '#server/users/queries.ts'
import * as bangla from './account-texts.bn.ts'
import * as english from './account-texts.en.ts'
import { changeEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { changeProfile } from './change-profile.ts'
import { knownClients } from './known-clients.ts'
import { presentIdentity } from './present.ts'
import { requestReset, resetPassword } from './reset-password.ts'
import { currentSession } from './sessions.ts'
import { stepUp } from './step-up.ts'
import { resendVerification, verifyEmail } from './verify-email.ts'

const TEXTS = { en: english.ACCOUNT_TEXTS, bn: bangla.ACCOUNT_TEXTS }

/** Registers the routes of the user's own account: password and email. */
export function accountRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context
  const known = knownClients(database, config)

  serve(app, context, contract.identity, async ({ db, caller }) => presentIdentity(db, config, caller))

  serve(app, context, contract.requestVerification, async ({ caller, request }) => {
    const locale = requestLocale(request)
    const resetsAt = await resendVerification(database, config, { ...caller, id: caller.identityId }, locale)
    if (resetsAt) throwRateLimited(resetsAt)
    return { message: TEXTS[locale].verificationSent }
  })

  serve(
    app,
    { ...context, knownClient: known.ofLink('verify') },
    contract.verifyEmail,
    async ({ body, ...exchange }) => {
      const session = await currentSession(config, exchange)
      const [client, locale] = [clientOf(exchange.request), requestLocale(exchange.request)]
      return { email: await verifyEmail(database, config, client, body, session?.identity_id, locale) }
    },
  )

  serve(app, { ...context, knownClient: known.ofEmail }, contract.requestReset, async ({ body, request }) => {
    const locale = requestLocale(request)
    await requestReset(database, config, clientOf(request), body.email, locale)
    return { message: TEXTS[locale].resetSent }
  })

  serve(
    app,
    { ...context, knownClient: known.ofLink('reset') },
    contract.resetPassword,
    async ({ body, request }) => {
      await resetPassword(database, config, request, body, requestLocale(request))
      return undefined
    },
  )

  serve(app, context, contract.stepUp, async ({ body, caller, request }) => {
    await stepUp(database, clientOf(request), caller, body.currentPassword)
    return undefined
  })

  serve(app, context, contract.changePassword, async ({ body, caller, request }) => {
    await changePassword(database, config, clientOf(request), caller, body, requestLocale(request))
    return undefined
  })

  serve(app, context, changeProfileEndpoint, async ({ body, viewer, request }) => {
    await changeProfile(database, clientOf(request), viewer.id, body)
    const [user] = await userById(database, viewer.id)
    if (user === undefined) throw new Refusal('user_not_found')
    return presentUser(user)
  })

  serve(app, context, contract.changeEmail, async ({ body, caller, request }) => {
    const locale = requestLocale(request)
    await changeEmail(database, config, clientOf(request), caller, body, locale)
    return { message: TEXTS[locale].changeSent }
  })
}
