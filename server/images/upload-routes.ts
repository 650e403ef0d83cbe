import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { UploadedImage } from '#contract/images.ts'
import * as contract from '#contract/uploads.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { endSlowUpload } from './slow-upload.ts'
import { appendToUpload, beginUpload, finishUpload } from './uploads.ts'

type Store = (userId: string, read: () => Promise<Buffer>) => Promise<z.input<typeof UploadedImage>>

/** Registers uploads in parts, which a broken connection does not start over. `store` stores the file of a complete one. */
export async function uploadRoutes(app: FastifyInstance, context: Context, store: Store): Promise<void> {
  serve(app, context, contract.beginUpload, async ({ db, caller, body }) =>
    beginUpload(db, caller.identityId, body),
  )

  // A separate scope, so that only parts of uploads accept such bodies.
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/octet-stream',
      async (request: FastifyRequest, payload: IncomingMessage) =>
        endSlowUpload(request, app.readBody(request, payload, contract.UPLOAD_PART_BYTES)),
    )
    serve(scope, context, contract.appendToUpload, async ({ db, caller, params, query, request }) => {
      if (!Buffer.isBuffer(request.body)) throw new Refusal('unsupported_media_type.bytes')
      return appendToUpload(db, caller.identityId, params.id, Number(query.offset ?? 0), request.body)
    })
  })

  const finish = (identityId: string, id: string) =>
    finishUpload(context.database, identityId, id, (read) => store(identityId, read))
  // Decoding a picture can take long and has a limit of concurrency, so load shedding does not apply.
  serve(
    app,
    context,
    contract.finishUpload,
    async ({ caller, params }) => finish(caller.identityId, params.id),
    { shedsLoad: false },
  )
}
