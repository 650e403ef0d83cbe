import * as z from 'zod/mini'
import { SignedIn } from './auth.ts'
import { latinDigits } from './digits.ts'
import { endpoint } from './endpoint.ts'
import { Id, line, Time } from './shapes.ts'

export const Factor = z.object({
  _id: Id,
  kind: z.enum(['authenticator', 'passkey']),
  name: z.string(),
  createdAt: Time,
  usedAt: z.nullable(Time),
})
export type Factor = z.infer<typeof Factor>

/** A code of an authenticator app, with digits of either script, or a recovery code. Spaces and hyphens are ignored. */
const Code = z
  .string()
  .check(z.overwrite(latinDigits), z.trim(), z.minLength(1, 'Code is required'), z.maxLength(40))
export const EnterCode = z.object({ code: Code })

/** The codes are shown once. Null when the identity has recovery codes already. */
const Added = z.object({ recoveryCodes: z.nullable(z.array(z.string())) })

export const secondFactor = endpoint({
  method: 'GET',
  path: '/auth/second-factor',
  summary: "The caller's second factors",
  access: { who: 'session' },
  reply: z.object({
    factors: z.array(Factor),
    recoveryCodesLeft: z.int(),
    /** Whether the caller's role requires a second factor here. */
    required: z.boolean(),
  }),
})

export const beginAuthenticator = endpoint({
  method: 'POST',
  path: '/auth/second-factor/authenticator',
  summary: 'Create the secret of an authenticator app; it counts once a code is confirmed',
  access: { who: 'session', fresh: true },
  limit: { perUser: 30, perNetwork: 300 },
  reply: z.object({ _id: Id, secret: z.string(), uri: z.string() }),
  idempotency: 'own',
})

export const confirmAuthenticator = endpoint({
  method: 'POST',
  path: '/auth/second-factor/authenticator/:id/confirm',
  summary: 'Add the authenticator app by its first code',
  access: { who: 'session', fresh: true },
  limit: { perUser: 60, perNetwork: 600 },
  params: z.object({ id: Id }),
  body: EnterCode,
  reply: Added,
  idempotency: 'own',
})

export const removeFactor = endpoint({
  method: 'DELETE',
  path: '/auth/second-factor/:id',
  summary: 'Remove a second factor; with the last one the recovery codes are deleted',
  access: { who: 'session', fresh: true },
  limit: { perUser: 30, perNetwork: 300 },
  params: z.object({ id: Id }),
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

export const replaceRecoveryCodes = endpoint({
  method: 'POST',
  path: '/auth/second-factor/recovery-codes',
  summary: 'Replace all recovery codes',
  access: { who: 'session', fresh: true },
  limit: { perUser: 20, perNetwork: 200 },
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
  idempotency: 'own',
})

/** Empty when this browser has no sign-in that waits for its second factor. */
export const pendingSignIn = endpoint({
  method: 'GET',
  path: '/auth/sign-in/second-factor',
  summary: "How this browser's pending sign-in can be completed",
  access: { who: 'anyone' },
  reply: z.object({ methods: z.array(z.enum(['authenticator', 'passkey', 'recovery-code'])) }),
})

export const signInWithCode = endpoint({
  method: 'POST',
  path: '/auth/sign-in/code',
  summary: 'Complete a pending sign-in with a code of an authenticator app or a recovery code',
  access: { who: 'anyone' },
  limit: { perNetwork: 1200 },
  body: EnterCode,
  reply: SignedIn,
  idempotency: 'own',
})

/** A session of a user with a second factor is proved by it; the password alone does not prove it. */
export const stepUpWithCode = endpoint({
  method: 'POST',
  path: '/auth/step-up/code',
  summary:
    'Confirm a code of an authenticator app or a recovery code, before a request that needs a recent proof',
  access: { who: 'session' },
  limit: { perUser: 60, perNetwork: 600 },
  body: EnterCode,
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

/** WebAuthn's own structures, which the browser's authenticator reads and writes. */
const WebAuthnOptions = z.record(z.string(), z.unknown())
const Base64Url = z.string().check(z.minLength(1), z.maxLength(8000), z.regex(/^[\w-]+$/))
const credential = {
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()),
}
const RegistrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
})
export type RegistrationResponse = z.infer<typeof RegistrationResponse>
const AuthenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: z.optional(z.string().check(z.maxLength(200))),
  }),
})
export type AuthenticationResponse = z.infer<typeof AuthenticationResponse>
const PasskeyProof = z.object({ response: AuthenticationResponse })

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/auth/second-factor/passkey-options',
  summary: 'The options for navigator.credentials.create',
  access: { who: 'session', fresh: true },
  limit: { perUser: 30, perNetwork: 300 },
  reply: WebAuthnOptions,
  idempotency: 'own',
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/auth/second-factor/passkeys',
  summary: 'Add the passkey that the browser created',
  access: { who: 'session', fresh: true },
  limit: { perUser: 30, perNetwork: 300 },
  body: z.object({ name: line(60, 'Name is required'), response: RegistrationResponse }),
  reply: Added,
  idempotency: 'own',
})

/** For a browser with a pending sign-in, its user's passkeys; otherwise any passkey, which signs in without a password. */
export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/auth/sign-in/passkey-options',
  summary: 'The options for navigator.credentials.get, to sign in',
  access: { who: 'anyone' },
  limit: { perNetwork: 1200 },
  reply: WebAuthnOptions,
  idempotency: 'own',
})

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/auth/sign-in/passkey',
  summary: 'Complete a pending sign-in with a passkey, or sign in with a passkey alone',
  access: { who: 'anyone' },
  limit: { perNetwork: 1200 },
  body: PasskeyProof,
  reply: SignedIn,
  idempotency: 'own',
})

export const beginPasskeyStepUp = endpoint({
  method: 'POST',
  path: '/auth/step-up/passkey-options',
  summary: 'The options for navigator.credentials.get, to prove the identity again',
  access: { who: 'session' },
  limit: { perUser: 60, perNetwork: 600 },
  reply: WebAuthnOptions,
  idempotency: 'own',
})

export const stepUpWithPasskey = endpoint({
  method: 'POST',
  path: '/auth/step-up/passkey',
  summary: 'Confirm with a passkey, before a request that needs a recent proof',
  access: { who: 'session' },
  limit: { perUser: 60, perNetwork: 600 },
  body: PasskeyProof,
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})
