import { domainToASCII } from 'node:url'

/** Controls, unassigned characters, and those that show nothing: two addresses that look the same are the same. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\s]/u
/** `domainToASCII` would cut a domain at a slash or a colon. */
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u

/**
 * The form in which two email addresses are compared (docs/specification/users.md): trimmed, NFKC, lower-case, the
 * domain in punycode. Answers undefined for what cannot be an address: no single @, control or invisible characters.
 */
export function emailKey(email: string): string | undefined {
  const text = email.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
  const [local = '', domain = '', ...more] = text.split('@')
  if (local === '' || more.length > 0 || UNSEEN.test(text) || !DOMAIN.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  return ascii === '' ? undefined : `${local}@${ascii}`
}
