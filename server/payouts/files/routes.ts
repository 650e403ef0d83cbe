import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/payout-files.ts'
import type { RouteContext } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import { deleteProfile, listProfiles, presentProfile, saveProfile } from './profiles.ts'

export function payoutFileRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.payoutFileProfiles, async ({ db }) => {
    const rows = await listProfiles(db)
    return rows.map(presentProfile)
  })

  serve(app, context, contract.savePayoutFileProfile, async ({ db, params, body, viewer }) => {
    const { version, name, note, columns } = body
    const { modified } = await saveProfile(
      db,
      params.id,
      viewer.id,
      version,
      name,
      note,
      JSON.stringify(columns),
    )
    return { acknowledged: true, matchedCount: 1, modifiedCount: modified }
  })

  serve(app, context, contract.deletePayoutFileProfile, async ({ db, params, viewer }) => {
    await deleteProfile(db, params.id, viewer.id)
    return { acknowledged: true }
  })
}
