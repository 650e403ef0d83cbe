import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/payout-files.ts'
import type { RouteContext } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { downloadFile, exportPayoutBatch, filesOfPayoutBatch, presentFile } from './export.ts'
import { deleteProfile, listProfiles, presentFileProfile, saveProfile } from './profiles.ts'

export function payoutFileRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.payoutFileProfiles, async ({ db }) => {
    const rows = await listProfiles(db)
    return rows.map(presentFileProfile)
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

  serve(app, context, contract.payoutFilesOfBatch, async ({ db, params }) => {
    const rows = await filesOfPayoutBatch(db, params.id)
    return rows.map(presentFile)
  })

  serve(app, context, contract.exportPayoutBatch, async ({ db, params, body, viewer }) => {
    const insertedId = await exportPayoutBatch(db, params.id, viewer.id, body.profileId)
    return { acknowledged: true, insertedId }
  })

  serve(app, context, contract.payoutFileContent, async ({ db, params, viewer, request, reply }) => {
    const { content, profile, batch_id: batch } = await downloadFile(db, params.id, viewer.id)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'payout_file')
    const name = `payouts-${batch.slice(0, 8)}-${profile.replace(/[^A-Za-z0-9]+/g, '-')}.csv`
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return Readable.from([content])
  })
}
