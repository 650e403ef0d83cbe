import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * Serves the picture at the URL of another site, `?url=`, that a user, a task, an item or a submission names
 * (docs/decisions/0028-foreign-pictures.md). One in the bucket of this site is shown from there, in the stored size
 * `&size=`. The picture of a task is large with the largest size, and small otherwise.
 */
export const FOREIGN_PICTURE_PATH = '/images/foreign'

/** A stored picture, in an image host's shape (docs/specification/users.md). */
export const UploadedImage = z.object({
  data: z.object({
    display_url: z.string(),
    url: z.string(),
    thumb: z.object({ url: z.string() }),
    width: z.int(),
    height: z.int(),
  }),
  success: z.literal(true),
  status: z.literal(200),
})

export const uploadImage = endpoint({
  method: 'POST',
  path: '/images',
  summary: 'Upload an image; returns its URL as data.display_url',
  access: { who: 'session' },
  // Decoding is expensive: invalid and known pictures count too.
  limit: { perUser: 60, perNetwork: 600 },
  upload: { form: 'image' },
  reply: UploadedImage,
  idempotency: 'own',
  errors: ['invalid_image'],
})
