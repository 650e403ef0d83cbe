import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Adapter, AdapterPayload, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { escapeHtml } from '#server/escape-html.ts'

/** A person of the issuer: their claims as they stand in an ID token. */
export type FakeUser = {
  sub: string
  name?: string
  email?: string
  email_verified?: unknown
  hd?: string
}

type StandIn = {
  url: string
  people: readonly FakeUser[]
  client: { id: string; secret: string; redirectUri: string }
  /** What the page where one chooses a person says above them. */
  notice: string
  /** Puts the address only into the answer of the userinfo endpoint, as the standard has it; else into the ID token. */
  emailByUserinfo?: boolean
}

/**
 * A real OpenID provider that stands in for an outside one: in the demonstration and in tests. Whoever visits chooses
 * one of its people, without a password. It keeps everything in memory and is loaded only when it is asked for.
 */
export async function createFakeIssuer(standIn: StandIn): Promise<RequestListener> {
  const { default: Provider, interactionPolicy } = await import('oidc-provider')
  const { url, people, client } = standIn
  const path = new URL(url).pathname.replace(/\/$/, '')
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  const store = new Map<string, AdapterPayload>()

  const configuration: Configuration = {
    adapter: memoryIn(store),
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
    conformIdTokenClaims: standIn.emailByUserinfo ?? false,
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
      const person = people.find((one) => one.sub === sub)
      return person && { accountId: sub, claims: () => ({ ...person }) }
    },
    // Nobody is asked whether this site may know their name: it is the only one there is.
    loadExistingGrant: async (context) => {
      const { oidc } = context
      const known = oidc.session?.grantIdFor(client.id)
      const earlier = known === undefined ? undefined : await oidc.provider.Grant.find(known)
      if (earlier !== undefined) return earlier
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
    showPeople(context, standIn)
  })
  return provider.callback() as RequestListener
}

/** One key for the life of this process, as an issuer that restarts keeps its own. */
let key: Promise<JWK> | undefined
function signingKey(): Promise<JWK> {
  key ??= generateKeyPair('RS256', { extractable: true })
    .then(({ privateKey }) => exportJWK(privateKey))
    .then((jwk) => ({ ...jwk, alg: 'RS256', use: 'sig' }))
  return key
}

function showPeople(
  context: Pick<KoaContextWithOIDC, 'type' | 'body' | 'set'>,
  { people, notice }: StandIn,
): void {
  const buttons = people
    .map(
      ({ sub, name = sub, email = '' }) =>
        `<button name="sub" value="${escapeHtml(sub)}"><b>${escapeHtml(name)}</b><br>${escapeHtml(email)}</button>`,
    )
    .join('\n')
  context.type = 'html'
  context.set(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  )
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
    if (body.length > 10_000) throw new Error('A choice is short')
  }
  return body
}

/** What the provider remembers, kept in this process. */
function memoryIn(store: Map<string, AdapterPayload>): (name: string) => Adapter {
  return (name) => {
    const keyOf = (id: string) => `${name}:${id}`
    const find = async (id: string) => {
      const found = store.get(keyOf(id))
      return found?.exp !== undefined && found.exp * 1000 < Date.now() ? undefined : found
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
        const found = await find(id)
        if (found !== undefined) found.consumed = Math.floor(Date.now() / 1000)
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of store) if (payload.grantId === grantId) store.delete(key)
      },
    }
  }
}
