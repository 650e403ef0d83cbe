import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Multipart with one field `image`; the response has an image host's shape (docs/specification/users.md). */
export const uploadImage = endpoint({
  method: 'POST',
  path: '/images',
  summary: 'Store a picture; answers its address as data.display_url',
  access: { who: 'session' },
  reply: z.object({
    data: z.object({
      display_url: z.string(),
      url: z.string(),
      thumb: z.object({ url: z.string() }),
      width: z.int(),
      height: z.int(),
    }),
    success: z.literal(true),
    status: z.literal(200),
  }),
  idempotency: 'own',
})
