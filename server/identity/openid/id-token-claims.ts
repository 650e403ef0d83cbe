import * as z from 'zod'
import type { Issuer } from '#server/identity/providers.ts'

/** What an issuer says of a person, as far as we believe it. */
export type IdTokenClaims = {
  issuer: string
  subject: string
  email: string
  name: string
  /** The issuer says that it checked the address. */
  verified: boolean
  /** The address is the issuer's own to give, so whoever signs in there is its owner now. */
  authoritative: boolean
}

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  // Only the boolean counts: some issuers send the text "false", which is a true value to a careless reader.
  email_verified: z.optional(z.unknown()).transform((value) => value === true),
  name: z.string().trim().min(1).max(100).catch(''),
  hd: z.string().optional().catch(undefined),
})

/** Reads the claims of a verified ID token; undefined when they name nobody we could know. */
export function idTokenClaims(issuer: Issuer, claims: unknown): IdTokenClaims | undefined {
  const parsed = Claims.safeParse(claims)
  if (!parsed.success) return undefined
  const { iss, sub, email, email_verified: verified, name, hd } = parsed.data
  return {
    issuer: iss,
    subject: sub,
    email,
    name: storable(name) || (email.split('@')[0] ?? email),
    verified,
    authoritative: verified && (issuer.id !== 'google' || isGooglesOwn(email, hd)),
  }
}

/**
 * Google checks other addresses once, when the account is made; who holds them today it does not know. Its own are
 * gmail.com and those of the organisations it names in `hd`.
 */
function isGooglesOwn(email: string, hd: string | undefined): boolean {
  return hd !== undefined || /@(gmail|googlemail)\.com$/i.test(email)
}

function storable(text: string): string {
  return text.isWellFormed() ? text.replaceAll('\u0000', '') : ''
}
