import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { makeAuthenticate } from '#server/identity/authenticate.ts'
import { openSigningKeys, type SigningKeys } from '#server/identity/signing-keys.ts'
import { openCards } from '#server/payments/open.ts'
import { useDatabase } from './database.ts'
import { testConfig } from './stories.ts'

/** What a test reads of an answer; `body` is whatever the JSON is. */
export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  body: any
  text: string
  headers: Record<string, unknown>
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Headers = Record<string, string>

/** Calls the API as somebody. Paths are those of the contract, below /api. */
export type Client = {
  call(method: Method, path: string, body?: unknown, headers?: Headers): Promise<Answer>
  get(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  put(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  delete(path: string, body?: unknown, headers?: Headers): Promise<Answer>
}

export type Api = {
  readonly database: Database
  readonly app: FastifyInstance
  readonly keys: SigningKeys
  readonly config: Config
  /** Calls without a token. */
  readonly anyone: Client
  /** Calls in a session of this person. */
  as(person: { id: string; email: string; name: string }): Client
  /** Calls with this `Authorization` header. */
  withHeader(authorization: string): Client
  /** A new session of this person and its ID token. */
  tokenOf(
    person: { id: string; email: string; name: string },
    expiresAt?: Date,
  ): Promise<{ token: string; sessionId: string }>
}

/**
 * The real app over a database of this describe block's own, called without a network; the books are audited after each
 * test. Call it inside `describe`; use it inside tests.
 */
export function useApi(settings: Partial<Config> = {}): Api {
  const db = useDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tallywork-api-'))
  const config: Config = { ...testConfig, dataDir, ...settings }
  let app: FastifyInstance
  let keys: SigningKeys
  const sessions = new Map<string, Promise<string>>()

  before(async () => {
    const { database } = db
    keys = await openSigningKeys(database, config)
    const cards = await openCards(database, config)
    app = await buildApp({ database, config, keys, cards, authenticate: makeAuthenticate(database, keys) })
  })
  after(async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const tokenOf: Api['tokenOf'] = async ({ id, email, name }, expiresAt) => {
    const sessionId = randomUUID()
    await db.database.pool.query(
      `insert into sessions (id, identity_id, secret_hash, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
      [sessionId, id, randomBytes(32)],
    )
    const ends = expiresAt ?? new Date(Date.now() + 600_000)
    return { token: await keys.sign({ sub: id, sid: sessionId, email, name }, ends), sessionId }
  }

  function client(authorization: () => Promise<string | undefined>): Client {
    const call: Client['call'] = async (method, path, body, headers = {}) => {
      const known = await authorization()
      const options: InjectOptions = { method, url: `/api${path}`, headers: { ...headers } }
      if (known !== undefined) options.headers = { authorization: known, ...headers }
      if (body !== undefined) {
        options.payload = typeof body === 'string' ? body : JSON.stringify(body)
        options.headers = { 'content-type': 'application/json', ...options.headers }
      }
      const { statusCode, body: text, headers: answered } = await app.inject(options)
      const isJson = String(answered['content-type']).startsWith('application/json') && text !== ''
      return { status: statusCode, body: isJson ? JSON.parse(text) : undefined, text, headers: answered }
    }
    return {
      call,
      get: (path, headers) => call('GET', path, undefined, headers),
      post: (path, body, headers) => call('POST', path, body, headers),
      put: (path, body, headers) => call('PUT', path, body, headers),
      patch: (path, body, headers) => call('PATCH', path, body, headers),
      delete: (path, body, headers) => call('DELETE', path, body, headers),
    }
  }

  return {
    get database() {
      return db.database
    },
    get app() {
      return app
    },
    get keys() {
      return keys
    },
    config,
    anyone: client(async () => undefined),
    as: (person) =>
      client(async () => {
        const known = sessions.get(person.id) ?? tokenOf(person).then(({ token }) => token)
        sessions.set(person.id, known)
        return `Bearer ${await known}`
      }),
    withHeader: (authorization) => client(async () => authorization),
    tokenOf,
  }
}
