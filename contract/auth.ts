import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Locale } from './locales.ts'
import { ADMIN_PASSWORD_MIN, PASSWORD_MAX, PASSWORD_MIN } from './product.ts'
import { Email, Name, Time } from './shapes.ts'

const passwordOf = (lengthMin: number) =>
  z
    .string()
    .check(
      z.minLength(1, 'Password is required'),
      z.minLength(lengthMin, `Minimum ${lengthMin} characters`),
      z.maxLength(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters`),
      z.regex(/\p{Lu}/u, 'Must include uppercase letter'),
      z.regex(/\p{Ll}/u, 'Must include lowercase letter'),
      z.regex(/[^\p{L}\p{N}\s]/u, 'Must include special character'),
    )

/** The password rules with their prescribed messages (docs/specification/identity.md). */
export const NewPassword = passwordOf(PASSWORD_MIN)
/** The password rules for Admins. */
export const AdminPassword = passwordOf(ADMIN_PASSWORD_MIN)

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
  summary: 'Create an identity with email and password, and start a session',
  access: { who: 'anyone' },
  limit: { perNetwork: 30 },
  // The language of the verification email; by default, that of Accept-Language.
  body: z.extend(SignUp, { locale: z.optional(Locale) }),
  reply: SignedIn,
  status: 201,
  idempotency: 'own',
  form: {
    page: '/sign-up',
    success: '/dashboard',
    // The rest of the sign-up is completed there (web/features/auth/complete-profile.tsx).
    successQuery: z.object({ role: z.enum(['Worker', 'Buyer']) }),
    errors: [
      'email_taken',
      'invalid_fields',
      'invalid_fields.email',
      'invalid_fields.password',
      'too_many_requests',
      'unavailable',
    ],
  },
})

export const signIn = endpoint({
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Start a session',
  access: { who: 'anyone' },
  limit: { perNetwork: 2000 },
  body: SignIn,
  reply: SignedIn,
  idempotency: 'own',
  form: {
    page: '/login',
    success: '/dashboard',
    honoursReturnTo: true,
    errors: [
      'wrong_credentials',
      'second_factor_required',
      'email_not_verified',
      'invalid_fields',
      'too_many_requests',
      'unavailable',
    ],
  },
})

/** Returns 204 without a body when nobody is signed in, so that an anonymous page load is not an error. */
export const issueToken = endpoint({
  method: 'POST',
  path: '/auth/token',
  summary: 'The short-lived ID token of the session in the cookie',
  access: { who: 'anyone' },
  limit: { perNetwork: 20_000 },
  reply: z.optional(z.object({ token: z.string(), expiresAt: Time })),
  idempotency: 'own',
})

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'End the session; its tokens stop working at once',
  access: { who: 'anyone' },
  limit: { perNetwork: 2000 },
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

export const identity = endpoint({
  method: 'GET',
  path: '/auth/identity',
  summary: "The caller's sign-in methods, and whether their email is verified",
  access: { who: 'session' },
  reply: z.object({
    email: z.string(),
    name: z.string(),
    emailVerified: z.boolean(),
    hasPassword: z.boolean(),
    hasSecondFactor: z.boolean(),
    /** The labels of the linked identity providers. */
    linkedTo: z.array(z.string()),
  }),
})

/** The same response whether or not the user exists, to prevent user enumeration. */
const Sent = z.object({ message: z.string() })
export const MailToken = z.string().check(z.minLength(1), z.maxLength(200))
const CurrentPassword = z.string().check(z.minLength(1, 'Password is required'), z.maxLength(PASSWORD_MAX))

export const requestVerification = endpoint({
  method: 'POST',
  path: '/auth/request-verification',
  summary: 'Send the verification email again',
  access: { who: 'session' },
  limit: { perUser: 30, perNetwork: 300 },
  reply: Sent,
  status: 202,
  idempotency: 'own',
})

/** Without a session, the password is required; it fails with `sign_in_required` otherwise. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verify',
  summary: 'Verify or change the email, with the one-time token from the mail',
  access: { who: 'anyone' },
  limit: { perNetwork: 300 },
  body: z.object({ token: MailToken, password: z.optional(CurrentPassword) }),
  reply: z.object({ email: z.string() }),
  idempotency: 'own',
})

export const requestReset = endpoint({
  method: 'POST',
  path: '/auth/request-reset',
  summary: 'Send a link to set a new password, if a user has this email',
  access: { who: 'anyone' },
  limit: { perNetwork: 30 },
  body: z.object({ email: Email }),
  reply: Sent,
  status: 202,
  idempotency: 'own',
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset',
  summary: 'Set a new password, with the token from the mail; ends every session',
  access: { who: 'anyone' },
  limit: { perNetwork: 100 },
  body: z.object({ token: MailToken, password: NewPassword }),
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

/** Confirms the password of the session's user, so that endpoints whose access rule is `fresh` admit it. */
export const stepUp = endpoint({
  method: 'POST',
  path: '/auth/step-up',
  summary: 'Confirm the password, before a request that needs a recent proof of identity',
  access: { who: 'session' },
  limit: { perUser: 60, perNetwork: 600 },
  body: z.object({ currentPassword: CurrentPassword }),
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/change-password',
  summary: 'Change the password; ends every other session',
  access: { who: 'session', fresh: 'with-second-factor' },
  limit: { perUser: 30, perNetwork: 300 },
  body: z.object({ currentPassword: CurrentPassword, password: NewPassword }),
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

export const changeEmail = endpoint({
  method: 'POST',
  path: '/auth/change-email',
  summary: 'Change the email; takes effect when the link sent to it is followed',
  access: { who: 'session', fresh: 'with-second-factor' },
  limit: { perUser: 30, perNetwork: 300 },
  body: z.object({ email: Email, currentPassword: CurrentPassword }),
  reply: Sent,
  status: 202,
  idempotency: 'own',
})

/** Returns whether a path can be returned to after signing in; never a URL of another site. */
export const isReturnPath = (path: string) => path.length <= 2000 && /^\/(?![/\\])[^\s\\\p{C}]*$/u.test(path)

/** Redirects to the issuer. A failure redirects to `/login?error=…` with one of `OPENID_ERRORS` (contract/openid-errors.en.ts). */
export const startOpenid = endpoint({
  method: 'GET',
  path: '/auth/oidc/:id/start',
  summary: 'Redirect to an identity provider (for navigation, not for fetch)',
  access: { who: 'anyone' },
  params: z.object({ id: z.string() }),
  query: z.object({ returnTo: z.optional(z.string()) }),
  reply: z.undefined(),
  status: 303,
})

export const finishOpenid = endpoint({
  method: 'GET',
  path: '/auth/oidc/:id/callback',
  summary: 'The redirect URI of an identity provider',
  access: { who: 'anyone' },
  params: z.object({ id: z.string() }),
  reply: z.undefined(),
  status: 303,
})
