import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { UploadedImage } from './images.ts'
import { Id } from './shapes.ts'

/** A part of an upload: what arrives within a few seconds on a slow network, and is lost when the connection breaks. */
export const UPLOAD_PART_BYTES = 64 * 1024
export const UPLOAD_MAX_BYTES = 10 * 1024 * 1024
/** A user's unfinished uploads. One more replaces the oldest. */
export const UPLOADS_MAX = 5

/** An upload of a picture in parts. `received` is where the next part begins. */
export const Upload = z.object({
  id: Id,
  size: z.int(),
  received: z.int(),
})

const ById = z.object({ id: Id })

/** A file that the caller began to upload earlier, by its hash, continues where it stopped. */
export const beginUpload = endpoint({
  method: 'POST',
  path: '/uploads',
  summary: 'Begin to upload a picture in parts, or continue it',
  access: { who: 'session' },
  limit: { perUser: 600, perNetwork: 6_000 },
  body: z.object({
    size: z.int().check(z.minimum(1), z.maximum(UPLOAD_MAX_BYTES)),
    sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'Enter 64 hexadecimal digits')),
  }),
  reply: Upload,
  idempotency: 'own',
})

/** The request's body is the part that begins at `offset`, by default 0. */
export const appendToUpload = endpoint({
  method: 'PATCH',
  path: '/uploads/:id',
  summary: 'Append a part to an upload',
  access: { who: 'session' },
  limit: { perUser: 6_000, perNetwork: 60_000 },
  params: ById,
  upload: 'bytes',
  query: z.object({ offset: z.optional(z.string().check(z.regex(/^\d{1,8}$/, 'Enter a whole number'))) }),
  reply: Upload,
  idempotency: 'own',
  errors: ['state_conflict'],
})

/** A repetition returns the same picture. */
export const finishUpload = endpoint({
  method: 'POST',
  path: '/uploads/:id/image',
  summary: 'Store the picture of a complete upload; returns its URL as data.display_url',
  access: { who: 'session' },
  limit: { perUser: 60, perNetwork: 600 },
  params: ById,
  reply: UploadedImage,
  idempotency: 'own',
  errors: ['state_conflict', 'invalid_image'],
})
