import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Events, OAuth2Server } from 'oauth2-mock-server'
import { tokenOf, useIdentity } from '#tests/support/identity.ts'
import { landing, startSignIn } from '#tests/support/oidc-visit.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const json64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
type Token = { header: Record<string, unknown>; payload: Record<string, unknown> }
type TestResponse = { body: Record<string, unknown> | '' | null; statusCode: number }

/**
 * A second OpenID provider, of another make than the first, first well behaved and then hostile: it holds the keys and
 * the secret, and issues false ID tokens.
 */
describe('a hostile OpenID provider', () => {
  const server = new OAuth2Server()
  before(async () => {
    await server.issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
  })
  after(() => server.stop())
  const settings = () => ({
    demo: false,
    issuers: [
      {
        id: 'oidc',
        label: 'Other',
        url: server.issuer.url ?? '',
        clientId: 'tallywork',
        clientSecret: 'secret',
      },
    ],
  })
  const identity = useIdentity(settings)
  const user = { sub: 'anna', name: 'Anna', email: 'anna@example.com', email_verified: true }

  /** Signs in with tokens altered before they are signed, or with the whole response altered. */
  async function signIn(
    visitor: Visitor,
    changeToken: (token: Token) => void = () => {},
    editResponse: (response: Record<string, unknown>) => unknown = () => {},
  ): Promise<string> {
    const start = await startSignIn(visitor, 'oidc')
    const onToken = (token: Token) => {
      Object.assign(token.payload, user)
      changeToken(token)
    }
    let changed: unknown
    const onResponse = ({ body }: TestResponse) => {
      if (body) changed = editResponse(body)
    }
    server.service.on(Events.BeforeTokenSigning, onToken as never)
    server.service.on(Events.BeforeResponse, onResponse as never)
    try {
      const back = await visitor.go(start.href, {}, (url) => url.pathname.endsWith('/callback'))
      const page = await visitor.once(back.url.href)
      await changed
      const { pathname, search } = landing(page)
      return pathname + search
    } finally {
      server.service.off(Events.BeforeTokenSigning, onToken as never)
      server.service.off(Events.BeforeResponse, onResponse as never)
    }
  }

  test('signs a user in when its tokens are correct', async () => {
    const visitor = identity.visitor()
    assert.equal(await signIn(visitor), '/dashboard')
    assert.ok(await tokenOf(visitor))
    assert.equal(await signIn(visitor), '/dashboard')
  })

  const lies: [string, (token: Token) => void][] = [
    [
      'an issuer that it is not',
      ({ payload }) => Object.assign(payload, { iss: 'https://accounts.google.com' }),
    ],
    ['no issuer', ({ payload }) => delete payload.iss],
    ['another audience', ({ payload }) => Object.assign(payload, { aud: 'another-client' })],
    ['no audience', ({ payload }) => delete payload.aud],
    [
      'us among others, for another party',
      ({ payload }) => Object.assign(payload, { aud: ['tallywork', 'b'], azp: 'b' }),
    ],
    ['another nonce', ({ payload }) => Object.assign(payload, { nonce: 'x'.repeat(43) })],
    ['no nonce', ({ payload }) => delete payload.nonce],
    [
      'a time that is past',
      ({ payload }) => Object.assign(payload, { exp: Math.floor(Date.now() / 1000) - 60 }),
    ],
    ['no end', ({ payload }) => delete payload.exp],
    ['no time of issue', ({ payload }) => delete payload.iat],
    ['no subject', ({ payload }) => delete payload.sub],
    ['an empty subject', ({ payload }) => Object.assign(payload, { sub: '' })],
    ['a subject that is no text', ({ payload }) => Object.assign(payload, { sub: { $ne: null } })],
    ['no address', ({ payload }) => delete payload.email],
    ['an address that is none', ({ payload }) => Object.assign(payload, { email: 'anna' })],
    ['an address that is a list', ({ payload }) => Object.assign(payload, { email: ['anna@example.com'] })],
  ]
  for (const [lie, send] of lies) {
    test(`a token with ${lie} is rejected`, async () => {
      const visitor = identity.visitor()
      assert.match(await signIn(visitor, send), /^\/login\?error=sign-in-refused$/)
      assert.equal(await tokenOf(visitor), null)
    })
  }

  const claims = (idToken: unknown) =>
    JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >
  const forgeries: [string, (response: Record<string, unknown>) => unknown][] = [
    ['no ID token', (response) => delete response.id_token],
    [
      'alg none',
      (response) => {
        response.id_token = `${json64({ alg: 'none', typ: 'JWT' })}.${json64(claims(response.id_token))}.`
      },
    ],
    [
      'an HMAC under the client secret',
      (response) => {
        const text = `${json64({ alg: 'HS256', typ: 'JWT' })}.${json64(claims(response.id_token))}`
        response.id_token = `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`
      },
    ],
    [
      'a changed claim under the old signature',
      (response) => {
        const [header, , signature] = String(response.id_token).split('.')
        const changed = { ...claims(response.id_token), email: 'admin@example.com' }
        response.id_token = `${header}.${json64(changed)}.${signature}`
      },
    ],
    [
      'no signature',
      (response) => {
        response.id_token = `${String(response.id_token).split('.').slice(0, 2).join('.')}.`
      },
    ],
    ['an error', (response) => Object.assign(response, { error: 'invalid_grant', id_token: undefined })],
  ]
  for (const [forgery, forge] of forgeries) {
    test(`a response with ${forgery} is rejected`, async () => {
      const visitor = identity.visitor()
      assert.match(await signIn(visitor, () => {}, forge), /^\/login\?error=sign-in-refused$/)
      assert.equal(await tokenOf(visitor), null)
    })
  }

  test('a token signed with an unpublished key is rejected', async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const strange = { ...(await exportJWK(privateKey)), alg: 'RS256', kid: 'strange' }
    const visitor = identity.visitor()
    const start = await startSignIn(visitor, 'oidc')
    const nonce = start.searchParams.get('nonce')
    const now = Math.floor(Date.now() / 1000)
    for (const kid of [strange.kid, server.issuer.keys.toJSON()[0]?.kid]) {
      const token = await new SignJWT({
        ...user,
        nonce,
        iss: server.issuer.url ?? '',
        aud: 'tallywork',
        iat: now,
        exp: now + 600,
      })
        .setProtectedHeader({ alg: 'RS256', ...(kid !== undefined && { kid }) })
        .sign(privateKey)
      const forge = (response: Record<string, unknown>) => Object.assign(response, { id_token: token })
      assert.equal(await signIn(visitor, () => {}, forge), '/login?error=sign-in-refused')
    }
    assert.equal(await tokenOf(visitor), null)
  })

  for (const verified of [false, 'false', 'true', 1, 0, null, undefined, {}]) {
    test(`email_verified ${JSON.stringify(verified)} (${typeof verified}) is not verified`, async () => {
      const { email } = await identity.aMember()
      const visitor = identity.visitor()
      const sub = `unverified ${JSON.stringify(verified)}`
      const landed = await signIn(visitor, ({ payload }) =>
        Object.assign(payload, { sub, email, email_verified: verified }),
      )
      assert.equal(landed, '/login?error=email-not-verified')
      assert.equal(await tokenOf(visitor), null)
      const { rows } = await identity.database.pool.query('select from identity_links where subject = $1', [
        sub,
      ])
      assert.equal(rows.length, 0)
    })
  }

  test('the same subject at another issuer is another identity', async () => {
    const visitor = identity.visitor()
    await signIn(visitor)
    const { rowCount } = await identity.database.pool.query(
      `update identity_links set issuer = 'https://elsewhere.example' where subject = 'anna'`,
    )
    assert.equal(rowCount, 1)
    const landed = await signIn(identity.visitor(), ({ payload }) =>
      Object.assign(payload, { email: 'another-anna@example.com' }),
    )
    assert.equal(landed, '/dashboard')
    const { rows } = await identity.database.pool.query(
      `select count(distinct identity_id)::int as people from identity_links where subject = 'anna'`,
    )
    assert.equal(rows[0].people, 2)
  })
})
