import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/ledger.ts'
import { serve } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import { audit } from './audit.ts'

export function ledgerRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, contract.audit, () => audit(services.database))
}
