import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { DOCUMENT_HEADERS } from './headers.ts'
import { keepAssets } from './kept-assets.ts'

/** Serves the files of the build that are no pages: assets for a year, also those of other versions, the rest revalidated each time. */
export async function serveBuiltFiles(app: FastifyInstance, config: Config): Promise<void> {
  const root = [config.webDir, ...(config.production ? await keptFolders(app, config) : [])]
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, isPublic: true }
    })
    await scope.register(fastifyStatic, {
      root,
      preCompressed: true,
      redirect: false,
      cacheControl: false,
      setHeaders(reply, path) {
        if (path.includes('/assets/')) {
          reply.header('cache-control', 'public, max-age=31536000, immutable')
          for (const name of [...DOCUMENT_HEADERS, 'etag']) reply.removeHeader(name)
        } else reply.header('cache-control', 'no-cache')
      },
    })
    // The route of the plugin reads the whole directory for each asset, to compare the spelling of its name.
    scope.get<{ Params: { '*': string } }>('/assets/*', ({ params }, reply) =>
      reply.sendFile(`/assets/${params['*']}`),
    )
  })
}

/** Returns the folder that also has the assets of other versions; none when they cannot be kept, without which the server runs. */
async function keptFolders(app: FastifyInstance, config: Config): Promise<string[]> {
  try {
    return [await keepAssets(config)]
  } catch (error) {
    app.log.warn({ err: error }, 'the scripts of this version could not be kept for other instances')
    return []
  }
}
