import type { Config, IssuerSettings } from '#server/config.ts'

/** A way to sign in besides e-mail and password, as the login screen shows it. */
export type Provider = { id: string; label: string; demonstration: boolean }

/** An issuer as it is configured, or the demonstration that stands in for Google where the demo world is. */
export type Issuer = IssuerSettings & { demonstration: boolean }

/** Where the demonstration's issuer answers, below this site's own address. */
export const DEMO_ISSUER_PATH = '/demo/google'

/** The OpenID issuers of this installation. */
export function issuersOf(config: Config): Issuer[] {
  const configured = config.issuers.map((issuer) => ({ ...issuer, demonstration: false }))
  if (!config.demo || configured.some(({ id }) => id === 'google')) return configured
  const demonstration = {
    id: 'google',
    label: 'Google',
    url: config.publicUrl + DEMO_ISSUER_PATH,
    clientId: 'tallywork-demo',
    clientSecret: 'the demonstration keeps no secrets',
    demonstration: true,
  }
  return [demonstration, ...configured]
}

/** What the login screen offers. */
export function listProviders(config: Config): Provider[] {
  return issuersOf(config).map(({ id, label, demonstration }) => ({ id, label, demonstration }))
}
