import * as z from 'zod'
import type { Issuer } from '#server/identity/providers.ts'

/** The validated claims of an issuer's ID token. */
export type IdTokenClaims = {
  issuer: string
  subject: string
  email: string
  name: string
  /** Whether the issuer has verified the email. */
  verified: boolean
  /** Whether the issuer is authoritative for the email, so that the user of the token is its current owner. */
  authoritative: boolean
}

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  // Only the boolean true counts: some issuers send the string "false", which is truthy.
  email_verified: z.optional(z.unknown()).transform((value) => value === true),
  name: z.string().trim().min(1).max(100).catch(''),
  hd: z.string().optional().catch(undefined),
})

/** Parses the claims of a verified ID token. Returns undefined when the subject or a valid email is missing. */
export function idTokenClaims(issuer: Issuer, claims: unknown): IdTokenClaims | undefined {
  const parsed = Claims.safeParse(claims)
  if (!parsed.success) return undefined
  const { iss, sub, email, email_verified: verified, name, hd } = parsed.data
  return {
    issuer: iss,
    subject: sub,
    email,
    name: toStorableText(name) || (email.split('@')[0] ?? email),
    verified,
    authoritative: verified && (issuer.id !== 'google' || isGoogleAuthoritative(email, hd)),
  }
}

/**
 * Returns whether Google is authoritative for the email: gmail.com and the organisations in `hd`. It verifies other
 * emails only once, when the Google account is created; their owner may have changed since.
 */
function isGoogleAuthoritative(email: string, hd: string | undefined): boolean {
  return hd !== undefined || /@(gmail|googlemail)\.com$/i.test(email)
}

function toStorableText(text: string): string {
  return text.isWellFormed() ? text.replaceAll('\u0000', '') : ''
}
