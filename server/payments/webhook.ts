import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const BODY_MAX_BYTES = 256 * 1024

/**
 * Serves `POST /api/webhooks/card`, which receives the card processor's events. The signature over the raw bytes
 * authorises it, so only this route reads its body unparsed. An event is stored, acknowledged and processed afterwards.
 */
export function cardWebhook(
  app: FastifyInstance,
  receive: (body: Buffer, signature?: string) => Promise<void>,
): void {
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
      app.readBody(request, payload, BODY_MAX_BYTES),
    )
    raw.post('/api/webhooks/card', async ({ body, headers }) => {
      const signature = headers['stripe-signature']
      await receive(
        Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        typeof signature === 'string' ? signature : undefined,
      )
      return { received: true }
    })
  })
}
