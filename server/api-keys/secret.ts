import { API_KEY_MARK as MARK } from '#contract/api-keys.ts'
import { newSecret } from '#server/secrets.ts'

const SHOWN = MARK.length + 6
const FORM = /^tw_[\w-]{43}$/

/** Returns a new secret of 256 bits. */
export function newApiKeySecret(): string {
  return MARK + newSecret()
}

/** Returns the beginning of a secret, by which its user recognizes it. */
export function prefixOf(secret: string): string {
  return secret.slice(0, SHOWN)
}

/** Returns whether a token has the form of an API key. */
export function hasKeyForm(token: string): boolean {
  return FORM.test(token)
}
