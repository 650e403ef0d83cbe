import { timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { signText } from '#server/encryption.ts'
import type { EmailCategory } from './preferences.ts'

const CATEGORIES: readonly EmailCategory[] = ['workReceived', 'workDecided', 'payouts']

/** Returns the unsubscribe link of a user for one category. It needs no sign-in, and mail programs post to it. */
export function unsubscribeUrl(config: Config, userId: string, category: EmailCategory): string {
  const claim = `${userId}.${category}`
  return `${config.publicUrl}/unsubscribe?token=${claim}.${sign(config, claim)}`
}

/** Returns the user and category of an unsubscribe token, or undefined for an invalid token. */
export function verifyUnsubscribeToken(
  config: Config,
  token: string,
): { userId: string; category: EmailCategory } | undefined {
  const [userId = '', name, signature = '', ...rest] = token.split('.')
  const category = CATEGORIES.find((candidate) => candidate === name)
  if (category === undefined || rest.length > 0 || !/^[0-9a-f-]{36}$/.test(userId)) return undefined
  const expected = Buffer.from(sign(config, `${userId}.${category}`))
  const actual = Buffer.from(signature)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  return { userId, category }
}

function sign(config: Config, claim: string): string {
  return signText(claim, 'unsubscribe', config).toString('base64url')
}
