import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { InjectOptions } from 'fastify'
import type pg from 'pg'
import { ENDPOINTS } from '#contract/api.ts'
import type { ErrorReply } from '#contract/errors.ts'
import { errorsOf } from '#server/api-docs/operation-errors.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { openPooled, useDatabase } from './database.ts'
import { anInstance, type Instance } from './instance.ts'

/** A response as tests read it; `body` is the parsed JSON. */
export type TestResponse = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads responses of every shape
  body: any
  text: string
  headers: Record<string, unknown>
  /** The query parameter that continues after a page of a list: `&cursor=…`, or nothing at the end. */
  next: string
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Headers = Record<string, string>

/** Calls the API as somebody. Paths are those of the contract, below /api. */
export type Client = {
  call(method: Method, path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  get(path: string, headers?: Headers): Promise<TestResponse>
  post(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  put(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  patch(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  delete(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
}

/** A path without ids comes before one whose ids it would match, as in the router. */
const OPERATIONS = ENDPOINTS.map(({ endpoint }) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`),
  ids: endpoint.path.split(':').length,
})).toSorted((one, other) => one.ids - other.ids)

/** Fails when an operation of API keys has an error that its documentation does not list. */
function assertDocumented(method: Method, path: string, body: ErrorReply): void {
  const [bare = ''] = path.split('?')
  const operation = OPERATIONS.find((one) => one.endpoint.method === method && one.path.test(bare))
  if (operation?.endpoint.scope === undefined) return
  const codes: string[] = errorsOf(operation.endpoint)
  assert.ok(codes.includes(body.error.code), `${method} ${operation.endpoint.path} lacks ${body.error.code}`)
}

type Someone = { id: string; email: string; name: string }

export type Api = {
  readonly database: Database
  /** A pool whose role owns the tables. */
  readonly owner: pg.Pool
  readonly url: string
  readonly instance: Instance
  /** Calls without a token. */
  readonly anyone: Client
  /** Requests in a session of this user. */
  as(user: Someone): Client
  /** Calls with this `Authorization` header. */
  withHeader(authorization: string): Client
}

/**
 * The real app over a database of this describe block's own, called without a network; the books are audited after each
 * test. Call it inside `describe`; use it inside tests.
 */
export function useApi(settings: Partial<Config> = {}, database: { isNew?: boolean } = {}): Api {
  const db = useDatabase(database)
  let instance: Instance | undefined
  let second: Instance | undefined
  let secondPool: Database | undefined
  let turn = 0
  const sessions = new Map<string, Promise<string>>()

  before(async () => {
    instance = await anInstance(db.database, settings)
    if (process.env.TEST_INSTANCES !== '2') return
    // `npm run test:instances`: every other request is sent to another instance, with a pool of its own.
    secondPool = openPooled(db.url)
    second = await anInstance(secondPool, { ...settings, images: settings.images ?? instance.config.images })
  })
  after(async () => {
    await second?.close()
    await secondPool?.close()
    await instance?.close()
    // The test runner keeps all blocks of a process: their apps would fill its memory.
    second = undefined
    instance = undefined
  })
  function firstInstance(): Instance {
    if (instance === undefined) throw new Error('The app runs inside tests only')
    return instance
  }
  const currentApp = () => (second !== undefined && turn++ % 2 === 1 ? second : firstInstance()).app

  function client(authorization: () => Promise<string | undefined>): Client {
    const call: Client['call'] = async (method, path, body, headers = {}) => {
      const known = await authorization()
      const options: InjectOptions = { method, url: `/api${path}`, headers: { ...headers } }
      if (known !== undefined) options.headers = { authorization: known, ...headers }
      if (body !== undefined) {
        options.payload = typeof body === 'string' ? body : JSON.stringify(body)
        options.headers = { 'content-type': 'application/json', ...options.headers }
      }
      const { statusCode, body: text, headers: received } = await currentApp().inject(options)
      const isJson = String(received['content-type']).startsWith('application/json') && text !== ''
      const cursor = received['x-next-cursor']
      if (isJson && statusCode >= 400) assertDocumented(method, path, JSON.parse(text))
      return {
        status: statusCode,
        body: isJson ? JSON.parse(text) : undefined,
        text,
        headers: received,
        next: cursor === undefined ? '' : `&cursor=${String(cursor)}`,
      }
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
    get owner() {
      return db.owner
    },
    get url() {
      return db.url
    },
    get instance() {
      return firstInstance()
    },
    anyone: client(async () => undefined),
    as: (user) =>
      client(() => {
        const known = sessions.get(user.id) ?? firstInstance().signIn(user)
        sessions.set(user.id, known)
        return known
      }),
    withHeader: (authorization) => client(async () => authorization),
  }
}
