import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/second-factor.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { serve } from '#server/http/serve.ts'
import { knownClients } from '../known-clients.ts'
import { confirmAuthenticator, createAuthenticator } from './authenticator.ts'
import {
  completeSignInWithCode,
  passkeySignInRequest,
  pendingMethods,
  signInWithPasskey,
} from './complete-sign-in.ts'
import { listFactors, removeFactor, replaceRecoveryCodes } from './factors.ts'
import { addPasskey, passkeyOptions, passkeyRequest } from './passkeys.ts'
import { countRecoveryCodes } from './recovery-codes.ts'
import { stepUpWithCode, stepUpWithPasskey } from './step-up.ts'

/** Registers the routes of the user's second factors, and those that complete a sign-in with one. */
export function secondFactorRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context
  const secondStep = { ...context, knownClient: knownClients(database, config).ofSecondStep }

  serve(app, context, contract.secondFactor, async ({ db, caller }) => {
    const factors = await listFactors(db, caller.identityId)
    return {
      factors: factors.map(({ id, kind, name, created_at, used_at }) => ({
        _id: id,
        kind,
        name,
        createdAt: created_at,
        usedAt: used_at,
      })),
      recoveryCodesLeft: await countRecoveryCodes(db, caller.identityId),
      required: config.adminSecondFactor === 'required' && caller.viewer?.role === 'Admin',
    }
  })

  serve(app, context, contract.beginAuthenticator, async ({ db, caller }) =>
    createAuthenticator(db, config, caller),
  )

  serve(app, context, contract.confirmAuthenticator, async ({ caller, params, body, request }) => ({
    recoveryCodes: await confirmAuthenticator(
      database,
      config,
      clientOf(request),
      caller,
      params.id,
      body.code,
    ),
  }))

  serve(app, context, contract.removeFactor, async ({ caller, params, request }) => {
    await removeFactor(database, config, clientOf(request), caller, params.id)
    return undefined
  })

  serve(app, context, contract.replaceRecoveryCodes, async ({ caller, request }) => ({
    recoveryCodes: await replaceRecoveryCodes(database, config, clientOf(request), caller),
  }))

  serve(app, context, contract.pendingSignIn, async ({ request }) => ({
    methods: await pendingMethods(database, config, request),
  }))

  serve(app, secondStep, contract.signInWithCode, async ({ body, request, reply }) => {
    const { email, name } = await completeSignInWithCode(database, config, { request, reply }, body.code)
    return { user: { email, name } }
  })

  serve(app, context, contract.stepUpWithCode, async ({ body, caller, request }) => {
    await stepUpWithCode(database, config, clientOf(request), caller, body.code)
    return undefined
  })

  serve(app, context, contract.beginPasskey, async ({ caller }) => passkeyOptions(database, config, caller))

  serve(app, context, contract.addPasskey, async ({ body, caller, request }) => ({
    recoveryCodes: await addPasskey(database, config, clientOf(request), caller, body),
  }))

  serve(app, secondStep, contract.beginPasskeySignIn, async ({ request }) =>
    passkeySignInRequest(database, config, request),
  )

  serve(app, secondStep, contract.signInWithPasskey, async ({ body, request, reply }) => {
    const { email, name } = await signInWithPasskey(database, config, { request, reply }, body.response)
    return { user: { email, name } }
  })

  serve(app, context, contract.beginPasskeyStepUp, async ({ caller }) =>
    passkeyRequest(database, config, 'step-up', caller.identityId),
  )

  serve(app, context, contract.stepUpWithPasskey, async ({ body, caller, request }) => {
    await stepUpWithPasskey(database, config, clientOf(request), caller, body.response)
    return undefined
  })
}
