import type { Config, IssuerSettings } from '#server/config.ts'

/** A sign-in provider besides email and password, as the login screen shows it. */
export type Provider = { id: string; label: string; demonstration: boolean }

/** A configured issuer, or the demo issuer that replaces Google where demo data is enabled. */
export type Issuer = IssuerSettings & { demonstration: boolean }

/** The path of the demo issuer below the site's URL. */
export const DEMO_ISSUER_PATH = '/demo/google'

/** The demo issuer runs on a development dependency, which production builds leave out. */
export const DEMO_ISSUER_PACKAGE = 'oidc-provider'
const isDemoIssuerInstalled = isInstalled(DEMO_ISSUER_PACKAGE)

/** Returns whether the demo issuer replaces Google: with demo data, unless Google is configured. */
export function wantsDemoIssuer({ demo, issuers }: Config): boolean {
  return demo && issuers.every(({ id }) => id !== 'google')
}

/** Returns the OpenID issuers of this installation. */
export function issuersOf(config: Config): Issuer[] {
  const configured = config.issuers.map((issuer) => ({ ...issuer, demonstration: false }))
  if (!wantsDemoIssuer(config) || !isDemoIssuerInstalled) return configured
  const demonstration = {
    id: 'google',
    label: 'Google',
    url: config.publicUrl + DEMO_ISSUER_PATH,
    clientId: 'tallywork-demo',
    clientSecret: 'the demo issuer has no secrets',
    demonstration: true,
  }
  return [demonstration, ...configured]
}

/** Returns the sign-in providers that the login screen offers. */
export function listProviders(config: Config): Provider[] {
  return issuersOf(config).map(({ id, label, demonstration }) => ({ id, label, demonstration }))
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
