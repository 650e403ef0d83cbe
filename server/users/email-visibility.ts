import type { FastifyRequest } from 'fastify'
import type { Services } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Where the operator has addresses masked, Admins alone see them in the public lists (decisions.md §2). */
export async function addressesAreShown(services: Services, request: FastifyRequest): Promise<boolean> {
  if (services.config.publicEmails === 'shown') return true
  const caller = await services.authenticate(request.headers.authorization).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return caller?.viewer?.role === 'Admin'
}
