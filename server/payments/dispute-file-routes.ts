import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/card-disputes.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { addDisputeFile, removeDisputeFile } from './dispute-files.ts'

/** Registers the files of the evidence for disputes, for Admins. */
export async function disputeFileRoutes(app: FastifyInstance, context: Context): Promise<void> {
  // A separate scope, so that only uploads accept multipart bodies.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: {
        fileSize: contract.DISPUTE_FILES_MAX_BYTES,
        files: 1,
        fields: 5,
        parts: 6,
        fieldSize: 10_000,
      },
    })
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    serve(scope, context, contract.addDisputeFile, async ({ params, viewer, request }) =>
      addDisputeFile(context, params.id, viewer.id, params.field, await fileIn(request)),
    )
  })

  serve(app, context, contract.removeDisputeFile, async ({ params, viewer }) =>
    removeDisputeFile(context, params.id, viewer.id, params.field),
  )
}

/** Returns the file of the form field `file`. @throws Refusal `invalid_fields` for any other form, `body_too_large`. */
async function fileIn(request: FastifyRequest): Promise<Buffer> {
  const invalid = new Refusal('invalid_fields.dispute_file', { field: 'file' })
  if (!request.isMultipart()) throw invalid
  try {
    const file = await request.file()
    if (file?.fieldname === 'file') return await file.toBuffer()
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw error
  }
  throw invalid
}
