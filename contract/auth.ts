import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './product.ts'
import { Email, Name, Time } from './shapes.ts'

/** The specification's password rules, message by message (§5). */
export const NewPassword = z
  .string()
  .check(
    z.minLength(1, 'Password is required'),
    z.minLength(PASSWORD_MIN, 'Minimum 6 characters'),
    z.maxLength(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters`),
    z.regex(/\p{Lu}/u, 'Must include uppercase letter'),
    z.regex(/\p{Ll}/u, 'Must include lowercase letter'),
    z.regex(/[^\p{L}\p{N}\s]/u, 'Must include special character'),
  )

export const SignUp = z.object({ name: Name, email: Email, password: NewPassword })
export const SignIn = z.object({
  email: Email,
  password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(PASSWORD_MAX)),
})

export const Identity = z.object({ email: z.string(), name: z.string() })
export const SignedIn = z.object({ user: Identity })

export const signUp = endpoint({
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Make an identity with e-mail and password, and a session',
  access: { who: 'anyone' },
  body: SignUp,
  reply: SignedIn,
  status: 201,
  idempotency: 'own',
})

export const signIn = endpoint({
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Start a session',
  access: { who: 'anyone' },
  body: SignIn,
  reply: SignedIn,
  idempotency: 'own',
})

/** Answers 204 without a body when nobody is signed in, so that an anonymous page load is not an error. */
export const issueToken = endpoint({
  method: 'POST',
  path: '/auth/token',
  summary: 'The short-lived ID token of the session in the cookie',
  access: { who: 'anyone' },
  reply: z.optional(z.object({ token: z.string(), expiresAt: Time })),
  idempotency: 'own',
})

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'End the session; its tokens stop working at once',
  access: { who: 'anyone' },
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

export const jwks = endpoint({
  method: 'GET',
  path: '/auth/jwks',
  summary: 'The public keys that verify ID tokens',
  access: { who: 'anyone' },
  reply: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
})
