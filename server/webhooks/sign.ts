import { createHmac, randomBytes } from 'node:crypto'

const MARK = 'whsec_'

/** Returns a new secret of 256 bits in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return MARK + randomBytes(32).toString('base64')
}

/**
 * Returns the headers of Standard Webhooks for a body (https://www.standardwebhooks.com): one signature for each secret, so
 * that receivers can change theirs while both are valid.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(MARK.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
