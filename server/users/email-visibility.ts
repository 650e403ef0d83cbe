import type { FastifyRequest } from 'fastify'
import type { RouteContext } from '#server/context.ts'
import { nullIfRefused } from '#server/http/refusal.ts'

/**
 * Returns whether the caller sees emails in the public lists. With PUBLIC_EMAILS=masked only Admins do
 * (docs/specification/users.md).
 */
export async function canSeeEmails(context: RouteContext, request: FastifyRequest): Promise<boolean> {
  if (context.config.publicEmails === 'shown') return true
  const caller = await nullIfRefused(context.authenticate(request))
  return caller?.viewer?.role === 'Admin' && !caller.lacksSecondFactor
}
