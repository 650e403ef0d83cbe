import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/images.ts'
import { FOREIGN_PICTURE_PATH } from '#contract/images.ts'
import { LARGE_PICTURE_PX, PICTURE_SIZES } from '#contract/picture-sizes.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type HandlerInput, serve } from '#server/http/serve.ts'
import { createForeignPictures } from './foreign-pictures.ts'
import { openImageStore } from './open-store.ts'
import { createPictureDecoders, invalidImage } from './picture.ts'
import { endSlowUpload } from './slow-upload.ts'
import { fileName, PICTURE_FILE } from './store.ts'
import { storePicture } from './upload.ts'
import { createUploadLimit } from './upload-limit.ts'
import { uploadRoutes } from './upload-routes.ts'

/** Headers of a picture that is opened on its own: it may load nothing. */
const PICTURE_POLICY = "default-src 'none'; sandbox"
const FILE_MAX_BYTES = 10 * 1024 * 1024
const CONCURRENT_UPLOADS_MAX = { perUser: 4, total: 24 }

/** Registers the upload of pictures, and the pictures under `/images/`. */
export async function imageRoutes(app: FastifyInstance, context: Context): Promise<void> {
  const { config, database } = context
  const pictures = openImageStore(config.images, config.publicUrl)
  const limitUploads = createUploadLimit(CONCURRENT_UPLOADS_MAX)
  const decoders = createPictureDecoders()
  app.addHook('onClose', async () => decoders.close())

  /** Stores the picture in a file and returns the response to its upload. */
  async function store(userId: string, receive: () => Promise<Buffer>) {
    const { url, thumbUrl, width, height } = await limitUploads(userId, async () =>
      storePicture(database, pictures, userId, await decoders.read(await receive())),
    )
    return {
      data: { display_url: url, url, thumb: { url: thumbUrl }, width, height },
      success: true as const,
      status: 200 as const,
    }
  }
  await uploadRoutes(app, context, store)

  // A separate scope, so that only uploads accept multipart bodies.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: FILE_MAX_BYTES, files: 1, fields: 5, parts: 6, fieldSize: 10_000 },
    })
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    const upload = async ({ request, caller }: HandlerInput<typeof contract.uploadImage>) =>
      store(caller.identityId, () => endSlowUpload(request, fileIn(request)))
    // Uploads are counted before this handler reads their body. They can take long and have a limit of concurrency, so
    // load shedding does not apply.
    serve(scope, context, contract.uploadImage, upload, { shedsLoad: false })
  })

  // Not public: it reads the database, so that load shedding applies.
  const foreignPicture = createForeignPictures(database, config, decoders)
  const bucketUrl = config.images.kind === 'bucket' ? config.images.publicUrl : undefined
  const ownPlaces = [
    { from: `${config.publicUrl}/images/`, to: '/images/' },
    ...(bucketUrl === undefined ? [] : [{ from: `${bucketUrl}/`, to: `${bucketUrl}/` }]),
  ]
  app.get<{ Querystring: Record<string, unknown> }>(FOREIGN_PICTURE_PATH, async (request, reply) => {
    const { url, size } = request.query
    if (typeof url !== 'string') throw new Refusal('not_found')
    const wanted = PICTURE_SIZES.find((pixels) => String(pixels) === size)
    // Own pictures under another host name of this site, or in the bucket, which the content policy allows.
    const own = ownPlaces.find(({ from }) => url.startsWith(from))
    if (own !== undefined) {
      const name = url.slice(own.from.length)
      if (!PICTURE_FILE.test(name)) throw new Refusal('not_found')
      const [hash = ''] = name.split('-')
      return reply.redirect(own.to + (wanted === undefined ? name : fileName(hash, wanted)))
    }
    const bytes = await foreignPicture(url, wanted === LARGE_PICTURE_PX)
    if (bytes === undefined) throw new Refusal('not_found')
    return reply
      .type('image/webp')
      .header('cache-control', 'public, max-age=86400')
      .header('content-security-policy', PICTURE_POLICY)
      .send(bytes)
  })

  app.get<{ Params: { name: string } }>(
    '/images/:name',
    { config: { isPublic: true } },
    async (request, reply) => {
      const { name } = request.params
      const bytes = PICTURE_FILE.test(name) ? await pictures.get(name) : undefined
      if (bytes === undefined) return reply.callNotFound()
      return reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', PICTURE_POLICY)
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(bytes)
    },
  )
}

/**
 * Returns the file of the form field `image`.
 * @throws Refusal `unsupported_media_type` for what is not a form, `invalid_image` for any other form.
 */
async function fileIn(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw new Refusal('unsupported_media_type.form')
  let file: Buffer | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      const bytes = await part.toBuffer()
      if (part.fieldname === 'image') file = bytes
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw error
    throw invalidImage()
  }
  if (file === undefined || file.length === 0) throw invalidImage()
  return file
}
