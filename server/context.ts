import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { Replicas } from './database/replicas.ts'
import type { Authenticate } from './http/caller.ts'
import type { SigningKeys } from './identity/signing-keys.ts'
import type { CardProvider } from './payments/provider.ts'

/** What the server is built from once at start; every route file receives it. */
export type Context = {
  database: Database
  replicas: Replicas
  config: Config
  /** Signs ID tokens and verifies them. */
  keys: SigningKeys
  /** The card processor. */
  cards: CardProvider
  authenticate: Authenticate
}

/**
 * What route files receive whose writes run in the transaction of an idempotency key: no database. A handler that asked
 * the pool for a second connection could block it for all requests, so it uses its `db`.
 */
export type RouteContext = Omit<Context, 'database'>
