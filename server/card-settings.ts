import { randomBytes } from 'node:crypto'
import { BadConfig } from './bad-config.ts'

type Settings = {
  CARD_PROVIDER?: 'sandbox' | 'stripe' | undefined
  ALLOW_SANDBOX: boolean
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_PUBLISHABLE_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_STATEMENT_SUFFIX?: string | undefined
  STRIPE_API_HOST?: string | undefined
}

/**
 * Returns the card provider's settings. Production must name its provider, needs ALLOW_SANDBOX=1 for the sandbox or test
 * keys, and development refuses live keys.
 * @throws BadConfig that names the variable.
 */
export function cardSettings(value: Settings, production: boolean) {
  const { CARD_PROVIDER, ALLOW_SANDBOX, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } =
    value
  const require = (condition: boolean, message: string) => {
    if (!condition) throw new BadConfig(message)
  }
  const isMissing = CARD_PROVIDER === undefined && (production || STRIPE_SECRET_KEY !== undefined)
  require(!isMissing, 'CARD_PROVIDER is missing: set it to stripe, with its keys, or to sandbox')

  if (CARD_PROVIDER !== 'stripe') {
    const allowed = !production || ALLOW_SANDBOX
    require(allowed, 'CARD_PROVIDER is sandbox, which moves no money: production requires ALLOW_SANDBOX=1 for it')
    const live = /^[sr]k_live_/.test(STRIPE_SECRET_KEY ?? '')
    require(!live, 'STRIPE_SECRET_KEY is a live key, but CARD_PROVIDER is sandbox: set CARD_PROVIDER=stripe or remove the key')
    return {
      provider: 'sandbox' as const,
      mode: 'sandbox' as const,
      webhookSecret: randomBytes(32).toString('hex'),
    }
  }

  const [, mode] = /^[sr]k_(test|live)_\w+$/.exec(STRIPE_SECRET_KEY ?? '') ?? []
  const [, publishableMode] = /^pk_(test|live)_\w+$/.exec(STRIPE_PUBLISHABLE_KEY ?? '') ?? []
  if (mode === undefined)
    throw new BadConfig('STRIPE_SECRET_KEY is missing or is not a secret key (sk_live_…)')
  if (publishableMode === undefined || STRIPE_PUBLISHABLE_KEY === undefined)
    throw new BadConfig('STRIPE_PUBLISHABLE_KEY is missing or is not a publishable key (pk_live_…)')
  if (STRIPE_WEBHOOK_SECRET === undefined || !/^whsec_\w+$/.test(STRIPE_WEBHOOK_SECRET))
    throw new BadConfig('STRIPE_WEBHOOK_SECRET is missing or is not a signing secret (whsec_…)')
  require(mode ===
    publishableMode, 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY: one is a test key, the other is live')
  require(production ||
    mode === 'test', 'STRIPE_SECRET_KEY is a live key, which requires NODE_ENV=production')
  require(!production ||
    mode === 'live' ||
    ALLOW_SANDBOX, 'STRIPE_SECRET_KEY is a test key, which moves no money: production requires ALLOW_SANDBOX=1 for it')
  const statementSuffix = value.STRIPE_STATEMENT_SUFFIX
  require(statementSuffix === undefined ||
    STATEMENT_SUFFIX.test(
      statementSuffix,
    ), `STRIPE_STATEMENT_SUFFIX must be 1 to 20 Latin characters with a letter, without < > \\ ' " *`)
  require(!production || value.STRIPE_API_HOST === undefined, 'STRIPE_API_HOST is only for tests')
  return {
    provider: 'stripe' as const,
    mode: mode as 'test' | 'live',
    secretKey: STRIPE_SECRET_KEY ?? '',
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    statementSuffix,
    api: value.STRIPE_API_HOST === undefined ? {} : apiAt(new URL(value.STRIPE_API_HOST)),
  }
}

/** What Stripe accepts. With the account's prefix and "* " it may have 22 characters, which Stripe checks. */
const STATEMENT_SUFFIX = /^(?=.*[A-Za-z])[\w !#$%&()+,./:;=?@[\]^{|}~-]{1,20}$/

function apiAt({ protocol, hostname, port }: URL) {
  return { protocol: protocol === 'http:' ? ('http' as const) : ('https' as const), host: hostname, port }
}
