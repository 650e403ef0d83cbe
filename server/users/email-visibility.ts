import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Returns whether the public lists show emails: with PUBLIC_EMAILS=masked, only to Admins (docs/specification/users.md). */
export async function emailsAreShown(context: Context, request: FastifyRequest): Promise<boolean> {
  if (context.config.publicEmails === 'shown') return true
  const caller = await context.authenticate(request.headers.authorization).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return caller?.viewer?.role === 'Admin'
}
