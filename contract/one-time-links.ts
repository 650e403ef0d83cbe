import * as z from 'zod/mini'
import { MailToken } from './auth.ts'
import { endpoint } from './endpoint.ts'

const LinkPurpose = z.enum(['setup', 'reset', 'verify'])
export type LinkPurpose = z.infer<typeof LinkPurpose>

/** A POST, so that the token appears in no log. */
export const checkLink = endpoint({
  method: 'POST',
  path: '/auth/check-link',
  summary: 'Whether a one-time link can still be used; does not use it',
  access: { who: 'anyone' },
  limit: { perNetwork: 300 },
  body: z.object({ purpose: LinkPurpose, token: MailToken }),
  reply: z.object({ usable: z.boolean() }),
  idempotency: 'own',
})
