import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { SigningKeys } from '#server/identity/signing-keys.ts'
import type { CardProvider } from '#server/payments/provider.ts'

/** What every route file is given: the database, the settings, and the one way to know who calls. */
export type Context = {
  database: Database
  config: Config
  /** What ID tokens are signed with. */
  keys: SigningKeys
  /** Who collects card payments. */
  cards: CardProvider
  /** Reads an `Authorization` header. Refuses (401) what is not a token that counts now. */
  authenticate(header: string | undefined): Promise<Caller>
}
