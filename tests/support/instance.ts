import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp, type ConnectionSettings } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import type { Database } from '#server/database/database.ts'
import { NO_REPLICAS, type Replicas } from '#server/database/replicas.ts'
import { createAuthenticate } from '#server/identity/authenticate.ts'
import { createProvider } from '#server/payments/create-provider.ts'
import { testConfig } from './factories.ts'
import { openTestKeys, TEST_SECRET } from './signing-keys.ts'

/** An HTTP instance of the server on this database, with its own data directory. */
export type Instance = {
  app: FastifyInstance
  config: Config
  context: Context
  /** The `authorization` header of a new session of this user. */
  signIn(user: { id: string; email: string; name: string }): Promise<string>
  close(): Promise<void>
}

export async function anInstance(
  database: Database,
  settings: Partial<Config> = {},
  connections: Partial<ConnectionSettings> = {},
  replicas: Replicas = NO_REPLICAS,
): Promise<Instance> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallywork-instance-'))
  const images = { kind: 'folder' as const, folder: join(dataDir, 'images') }
  const mail = { kind: 'folder' as const, folder: join(dataDir, 'mail'), from: 'no-reply@localhost' }
  const config = {
    ...testConfig,
    dataDir,
    images,
    mail,
    webDir: join(dataDir, 'no-pages'),
    authSecret: TEST_SECRET,
    publicUrl: 'http://localhost:4700',
    ...settings,
  }
  const keys = await openTestKeys(database, config)
  const cards = await createProvider(database, config)
  const authenticate = createAuthenticate(database, keys, config)
  const context = { database, replicas, config, keys, cards, authenticate }
  const app = await buildApp(context, false, connections)
  return {
    app,
    config,
    context,
    async signIn({ id, email, name }) {
      const sid = randomUUID()
      await database.pool.query(
        `insert into sessions (id, identity_id, secret_hash, expires_at)
         values ($1, $2, $3, now() + interval '1 day')`,
        [sid, id, Buffer.from(sid)],
      )
      const token = await keys.sign({ sub: id, sid, email, name }, new Date(Date.now() + 600_000))
      return `Bearer ${token}`
    },
    async close() {
      await app.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
