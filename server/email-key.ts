import { domainToASCII } from 'node:url'

/** Control, unassigned and invisible characters. Without them, emails that look the same are the same. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\s]/u
/** `domainToASCII` truncates a domain at a slash or a colon, so those are rejected first. */
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u

/**
 * Returns the form in which emails are compared (docs/specification/users.md): trimmed, NFKC, lower-case, the domain in
 * punycode. Returns undefined for an invalid email: not exactly one @, or control or invisible characters.
 */
export function emailKey(email: string): string | undefined {
  const text = email.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
  const [local = '', domain = '', ...rest] = text.split('@')
  if (local === '' || rest.length > 0 || INVISIBLE.test(text) || !DOMAIN.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  return ascii === '' ? undefined : `${local}@${ascii}`
}
