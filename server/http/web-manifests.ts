import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

/** Serves the manifest of each language, with the name of this marketplace for the app that people install. */
export async function serveManifests(app: FastifyInstance, { webDir, name }: Config): Promise<void> {
  for await (const path of glob('**/manifest.webmanifest', { cwd: webDir })) {
    const built = JSON.parse(await readFile(join(webDir, path), 'utf8'))
    const manifest = JSON.stringify({ ...built, name, short_name: name })
    app.get(`/${path}`, { config: { isPublic: true } }, (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/manifest+json; charset=utf-8')
        .send(manifest),
    )
  }
}
