import type { FastifyInstance } from 'fastify'

const BODY_MAX_BYTES = 256 * 1024

/**
 * `POST /api/webhooks/card`: the card processor's messages. Its access rule is the signature over the bytes as they
 * came, so this address alone reads its body raw. A message is kept, answered, and worked off afterwards.
 */
export function cardWebhook(
  app: FastifyInstance,
  hear: (body: Buffer, signature?: string) => Promise<void>,
): void {
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    raw.post('/api/webhooks/card', async ({ body, headers }) => {
      const signature = headers['stripe-signature']
      await hear(
        Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        typeof signature === 'string' ? signature : undefined,
      )
      return { received: true }
    })
  })
}
