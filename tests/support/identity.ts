import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import type { Database } from '#server/database/database.ts'
import { NO_REPLICAS } from '#server/database/replicas.ts'
import { handleErrors } from '#server/http/errors.ts'
import { parseJson } from '#server/http/json.ts'
import { limitBodies } from '#server/http/read-body.ts'
import { serveFrom } from '#server/http/serve.ts'
import { createAuthenticate } from '#server/identity/authenticate.ts'
import { identityRoutes } from '#server/identity/routes.ts'
import { decryptMail, type Mail, type QueuedMail } from '#server/mail/queue.ts'
import { createProvider } from '#server/payments/create-provider.ts'
import { logRefusals } from '#server/security-log/log-refusals.ts'
import { securityLogRoutes } from '#server/security-log/routes.ts'
import { deleteUser } from '#server/users/delete.ts'
import { userRoutes } from '#server/users/routes.ts'
import { useDatabase } from './database.ts'
import { anAdmin, testConfig } from './factories.ts'
import { openTestKeys, TEST_SECRET } from './signing-keys.ts'
import { aVisitor, type Visitor } from './visitor.ts'

export const SITE = 'http://localhost:4300'
export const PASSWORD = 'Sesame!open'
export const NEW_PASSWORD = 'Another!one'

/** The calls of identity and of people on a database of this describe block's own, without a port. */
export function useIdentity(settings: Partial<Config> | (() => Partial<Config>) = {}) {
  const db = useDatabase()
  let dataDir = ''
  let app: FastifyInstance
  let context: Context
  let people = 0

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'tallywork-identity-'))
    const given = typeof settings === 'function' ? settings() : settings
    const config: Config = { ...testConfig, authSecret: TEST_SECRET, publicUrl: SITE, dataDir, ...given }
    const keys = await openTestKeys(db.database, config)
    const cards = await createProvider(db.database, config)
    context = {
      database: db.database,
      replicas: NO_REPLICAS,
      config,
      keys,
      cards,
      authenticate: createAuthenticate(db.database, keys, config),
    }
    app = await anApp(context)
  })
  after(async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** What the mails say that were queued so far, oldest first, for one address. */
  async function mailTo(email: string): Promise<Mail[]> {
    const { rows } = await db.database.pool.query<{ payload: QueuedMail }>(
      `select payload from outbox where topic = 'mail' and payload->>'to' = $1 order by id`,
      [email],
    )
    return rows.map(({ payload }) => decryptMail(context.config, payload))
  }

  return {
    get database(): Database {
      return db.database
    },
    /** The URL of the database's owner. */
    get url() {
      return db.url
    },
    get app() {
      return app
    },
    get config() {
      return context.config
    },
    get context() {
      return context
    },
    mailTo,
    /** The token behind the # of the newest mail of this kind. */
    async tokenIn(email: string, template: string): Promise<string> {
      const mail = (await mailTo(email)).findLast((one) => one.template === template)
      return new URLSearchParams(new URL(mail?.link ?? '').hash.slice(1)).get('token') ?? ''
    },
    visitor: () => aVisitor(app, context.config.publicUrl),
    aNewUser: () => ({ name: 'Ruma', email: `ruma.${++people}@example.com`, password: PASSWORD }),
    /** An Admin deletes this user. */
    async deleteUserByEmail(email: string): Promise<void> {
      const { rows } = await db.database.pool.query<{ id: string }>('select id from users where email = $1', [
        email,
      ])
      await deleteUser(db.database, rows[0]?.id ?? '', (await anAdmin(db.database)).id)
    },
    /** Somebody new, signed up and registered as a Worker, in a browser of their own. */
    async aMember() {
      const user = this.aNewUser()
      const visitor = this.visitor()
      const signedUp = await visitor.once('/api/auth/sign-up', { json: user })
      if (signedUp.status !== 201) throw new Error(`sign-up returned ${signedUp.status}: ${signedUp.text}`)
      const token = (await tokenOf(visitor)) ?? ''
      const authorization = `Bearer ${token}`
      const json = { email: user.email, role: 'Worker' }
      await visitor.once('/api/user-data', { json, headers: { authorization } })
      return { ...user, visitor, token, authorization }
    },
  }
}

export async function anApp(context: Context): Promise<FastifyInstance> {
  const app = Fastify()
  handleErrors(app)
  limitBodies(app)
  parseJson(app)
  await app.register(cookie)
  serveFrom(app, context)
  logRefusals(app, context)
  identityRoutes(app, context, async () => 0)
  userRoutes(app, context)
  securityLogRoutes(app, context)
  await app.ready()
  return app
}

/** The ID token of the session in this browser, or null when it has none. */
export async function tokenOf(visitor: Visitor): Promise<string | null> {
  const page = await visitor.once('/api/auth/token', { method: 'POST' })
  return page.status === 204 ? null : page.json<{ token: string }>().token
}

export function codeIn(page: { text: string }): string {
  return (JSON.parse(page.text) as { error: { code: string } }).error.code
}

/** Whether a token is taken now: 'ok' or the error's code. */
export async function tokenStatus(visitor: Visitor, token: string): Promise<string> {
  const page = await visitor.once('/api/auth/identity', { headers: { authorization: `Bearer ${token}` } })
  return page.status === 200 ? 'ok' : codeIn(page)
}
