import { domainToASCII } from 'node:url'

/**
 * The form in which two e-mail addresses are compared (decisions.md §2): trimmed, NFKC, lower-case, the domain in
 * punycode. Answers undefined for what cannot be an address: no single @, control or invisible characters.
 */
export function emailKey(email: string): string | undefined {
  const text = email.trim().normalize('NFKC').toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 1 || at === text.length - 1 || /[\p{C}\s]/u.test(text) || text.indexOf('@') !== at)
    return undefined
  const domain = domainToASCII(text.slice(at + 1))
  return domain === '' ? undefined : `${text.slice(0, at)}@${domain}`
}
