import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Adapter, AdapterPayload, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { escapeHtml } from '#server/escape-html.ts'

/** A user of the issuer, with the claims of their ID token. */
export type FakeUser = {
  sub: string
  name?: string
  email?: string
  email_verified?: unknown
  hd?: string
}

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

type FakeIssuer = {
  url: string
  users: readonly FakeUser[]
  client: { id: string; secret: string; redirectUri: string }
  /** The text above the list of accounts on the sign-in page. */
  notice: string
  /** Returns the email from the userinfo endpoint only, as the standard has it, instead of in the ID token. */
  emailByUserinfo?: boolean
}

/**
 * Creates a real OpenID provider that replaces an external one in the demo and in tests. The visitor chooses one of its
 * users without a password. Its state is in memory, and its library is imported on the first call.
 */
export async function createFakeIssuer(issuer: FakeIssuer): Promise<RequestListener> {
  const { default: Provider, interactionPolicy } = await import('oidc-provider')
  const { url, users, client } = issuer
  const path = new URL(url).pathname.replace(/\/$/, '')
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  const store = new Map<string, AdapterPayload>()

  const configuration: Configuration = {
    adapter: memoryAdapter(store),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified', 'hd'] },
    conformIdTokenClaims: issuer.emailByUserinfo ?? false,
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    jwks: { keys: [await signingKey()] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 3600,
      Grant: 3600,
    },
    interactions: { policy, url: (_context, { uid }) => `${path}/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const user = users.find((candidate) => candidate.sub === sub)
      return user && { accountId: sub, claims: () => ({ ...user }) }
    },
    // No consent page: this site is the only client.
    loadExistingGrant: async (context) => {
      const { oidc } = context
      const grantId = oidc.session?.grantIdFor(client.id)
      const existing = grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId)
      if (existing !== undefined) return existing
      const grant = new oidc.provider.Grant({
        clientId: client.id,
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    renderError: (context, { error, error_description }) => {
      context.type = 'html'
      context.set('content-security-policy', PAGE_POLICY)
      context.body = page('Sign-in failed', `<p>${escapeHtml(error_description ?? error)}</p>`)
    },
  }

  const provider = new Provider(url, configuration)
  provider.proxy = true
  provider.use(async (context, next) => {
    if (!/^\/interaction\/[\w-]+$/.test(context.path)) return next()
    if (context.method === 'POST') {
      const sub = new URLSearchParams(await bodyOf(context.req)).get('sub') ?? ''
      context.respond = false
      await provider.interactionFinished(context.req, context.res, {
        login: { accountId: sub },
        select_account: {},
      })
      return
    }
    await provider.interactionDetails(context.req, context.res)
    showAccounts(context, issuer)
  })
  return provider.callback() as RequestListener
}

/** One key for the life of this process, because real issuers keep their keys over restarts. */
let key: Promise<JWK> | undefined
function signingKey(): Promise<JWK> {
  key ??= generateKeyPair('RS256', { extractable: true })
    .then(({ privateKey }) => exportJWK(privateKey))
    .then((jwk) => ({ ...jwk, alg: 'RS256', use: 'sig' }))
  return key
}

function showAccounts(
  context: Pick<KoaContextWithOIDC, 'type' | 'body' | 'set'>,
  { users, notice }: FakeIssuer,
): void {
  const buttons = users
    .map(
      ({ sub, name = sub, email = '' }) =>
        `<button name="sub" value="${escapeHtml(sub)}"><b>${escapeHtml(name)}</b><br>${escapeHtml(email)}</button>`,
    )
    .join('\n')
  context.type = 'html'
  context.set('content-security-policy', PAGE_POLICY)
  context.set('referrer-policy', 'same-origin')
  context.body = page(
    'Choose an account',
    `<p>${escapeHtml(notice)}</p><form method="post">${buttons}</form>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 10vh auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
button { font: inherit; display: block; width: 100%; margin: .75rem 0; padding: .75rem 1rem; text-align: left; color: inherit; background: #fff; border: 1px solid #767676; border-radius: .5rem; cursor: pointer }
button:hover { background: #f1f3f5 }
</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > 10_000) throw new Error('The request body is too long')
  }
  return body
}

/** Returns the provider's storage adapter, in memory. */
function memoryAdapter(store: Map<string, AdapterPayload>): (name: string) => Adapter {
  return (name) => {
    const keyOf = (id: string) => `${name}:${id}`
    const find = async (id: string) => {
      const payload = store.get(keyOf(id))
      return payload?.exp !== undefined && payload.exp * 1000 < Date.now() ? undefined : payload
    }
    const findBy = async (field: 'uid' | 'userCode', value: string) =>
      [...store].find(([key, payload]) => key.startsWith(`${name}:`) && payload[field] === value)?.[1]
    return {
      find,
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      async upsert(id, payload) {
        store.set(keyOf(id), payload)
      },
      async destroy(id) {
        store.delete(keyOf(id))
      },
      async consume(id) {
        const payload = await find(id)
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of store) if (payload.grantId === grantId) store.delete(key)
      },
    }
  }
}
