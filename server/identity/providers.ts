import type { Config } from '#server/config.ts'

/** A way to sign in besides e-mail and password, as the login screen shows it. */
export type Provider = { id: string; label: string; demonstration: boolean }

/** The OpenID issuers that this installation is configured for. */
export function listProviders(_config: Config): Provider[] {
  return []
}
