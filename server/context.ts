import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { Authenticate } from './http/caller.ts'
import type { SigningKeys } from './identity/signing-keys.ts'
import type { CardProvider } from './payments/provider.ts'

/** What the server is built from once at start; every route file receives it. */
export type Context = {
  database: Database
  config: Config
  /** Signs ID tokens and verifies them. */
  keys: SigningKeys
  /** The card processor. */
  cards: CardProvider
  authenticate: Authenticate
}
