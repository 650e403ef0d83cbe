import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { keyFor } from '#server/encryption.ts'
import type { Kind } from './preferences.ts'

const KINDS: readonly Kind[] = ['workReceived', 'workDecided', 'payouts']

/** The link that ends mails of a kind for a person, without signing in: mail programs call it with one click. */
export function unsubscribeUrl(config: Config, userId: string, kind: Kind): string {
  const claim = `${userId}.${kind}`
  return `${config.publicUrl}/unsubscribe?token=${claim}.${sign(config, claim)}`
}

/** Whose mails of which kind this token ends; undefined for one that we did not make. */
export function readUnsubscribe(config: Config, token: string): { userId: string; kind: Kind } | undefined {
  const [userId = '', kind, signature = '', ...rest] = token.split('.')
  const known = KINDS.find((one) => one === kind)
  if (known === undefined || rest.length > 0 || !/^[0-9a-f-]{36}$/.test(userId)) return undefined
  const expected = Buffer.from(sign(config, `${userId}.${known}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return { userId, kind: known }
}

function sign(config: Config, claim: string): string {
  return createHmac('sha256', keyFor('unsubscribe', config)).update(claim).digest('base64url')
}
