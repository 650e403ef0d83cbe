import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { generateKeyPair, SignJWT } from 'jose'
import { OAuth2Server } from 'oauth2-mock-server'
import { createAuthenticate } from '#server/identity/authenticate.ts'
import { addAuthenticator } from '#tests/support/authenticator.ts'
import { anApp, codeIn, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import { aVisitor } from '#tests/support/visitor.ts'

describe('ID tokens of the issuer that the operator configured', () => {
  const server = new OAuth2Server()
  before(async () => {
    await server.issuer.keys.generate('ES256')
    await server.start(0, '127.0.0.1')
  })
  after(() => server.stop().catch(() => {}))
  const identity = useIdentity(() => ({
    demo: false,
    issuers: [
      {
        id: 'oidc',
        label: 'Acme',
        url: server.issuer.url ?? '',
        clientId: 'tallywork',
        clientSecret: 'secret',
      },
    ],
  }))

  let people = 0
  const aProviderUser = () => ({ sub: `user-${++people}`, email: `user.${people}@example.com`, name: 'Anna' })
  const aToken = (claims: Record<string, unknown>, head: Record<string, unknown> = {}) =>
    server.issuer.buildToken({
      scopesOrTransform: (header, payload) => {
        Object.assign(header, head)
        Object.assign(payload, { aud: 'tallywork', email_verified: true, ...claims })
      },
    })
  const visitor = () => identity.visitor()

  test('are accepted in place of our own; their user registers and is recognised next time', async () => {
    const user = aProviderUser()
    const token = await aToken(user)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal(await tokenStatus(visitor(), token), 'ok')
    const json = { email: user.email, role: 'Worker' }
    assert.equal((await visitor().once('/api/user-data', { json, headers })).status, 200)
    const next = await aToken({ ...user, iat: Math.floor(Date.now() / 1000) + 1 })
    const details = await visitor().once(`/api/user-details/${user.email}`, {
      headers: { authorization: `Bearer ${next}` },
    })
    assert.equal(details.json<{ role: string }>().role, 'Worker')
  })

  test('are logged and listed with the network of their first use', async () => {
    const user = aProviderUser()
    const token = await aToken(user)
    assert.equal(await tokenStatus(visitor(), token), 'ok')
    const { rows } = await identity.database.pool.query(
      `select kind, log.network, log.device, sessions.network as listed
         from security_log as log join identities on identities.id = log.identity_id
         join sessions on sessions.identity_id = identities.id where email = $1 order by log.id`,
      [user.email],
    )
    const client = { network: '127.0.0.1', device: 'Token of Acme', listed: '127.0.0.1' }
    assert.deepEqual(rows, [
      { kind: 'signed_up', ...client },
      { kind: 'signed_in', ...client },
    ])
  })

  test('ten concurrent first requests with one token create one identity and one session', async () => {
    const user = aProviderUser()
    const token = await aToken(user)
    const responses = await Promise.all(Array.from({ length: 10 }, () => tokenStatus(visitor(), token)))
    assert.deepEqual(new Set(responses), new Set(['ok']))
    const page = await visitor().once('/api/auth/sessions', { headers: { authorization: `Bearer ${token}` } })
    const sessions = page.json<{ device: string; current: boolean }[]>()
    assert.deepEqual(
      sessions.map(({ device, current }) => ({ device, current })),
      [{ device: 'Token of Acme', current: true }],
    )
  })

  test('are refused when they are for another audience, altered, expired, of another type or signed by another key', async () => {
    const user = aProviderUser()
    const past = Math.floor(Date.now() / 1000) - 60
    const wrong: [Record<string, unknown>, Record<string, unknown>?][] = [
      [{ aud: 'another' }],
      [{ aud: ['tallywork', 'another'] }],
      [{ aud: ['tallywork', 'another'], azp: 'another' }],
      [{ azp: 'another' }],
      [{ iss: 'https://evil.example' }],
      [{ iss: `${server.issuer.url}.evil.example` }],
      [{ exp: past }],
      [{ exp: undefined }],
      [{ iat: undefined }],
      [{ sub: '' }],
      [{ sub: undefined }],
      [{ email: undefined }],
      [{}, { typ: 'at+jwt' }],
      [{}, { typ: 'logout+jwt' }],
    ]
    for (const [claims, head] of wrong) {
      const token = await aToken({ ...user, ...claims }, head)
      assert.equal(await tokenStatus(visitor(), token), 'invalid_token', JSON.stringify([claims, head]))
    }
    const { privateKey } = await generateKeyPair('ES256')
    const claims = { ...user, iss: server.issuer.url ?? '', aud: 'tallywork', iat: past, exp: past + 600 }
    const kid = server.issuer.keys.toJSON()[0]?.kid ?? ''
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
    assert.equal(await tokenStatus(visitor(), forged), 'invalid_token')
    const none = [{ alg: 'none' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    assert.equal(await tokenStatus(visitor(), `${none.join('.')}.`), 'invalid_token')
    const { rows } = await identity.database.pool.query('select from identity_links where subject = $1', [
      user.sub,
    ])
    assert.equal(rows.length, 0)
  })

  test('link like a sign-in: a verified email only, and never to an Admin', async () => {
    const { email } = await identity.aMember()
    const unverified = await aToken({ ...aProviderUser(), email, email_verified: 'true' })
    assert.equal(await tokenStatus(visitor(), unverified), 'email_not_verified')
    await identity.database.pool.query(`update users set role = 'Admin' where email = $1`, [email])
    assert.equal(await tokenStatus(visitor(), await aToken({ ...aProviderUser(), email })), 'forbidden')
    await identity.database.pool.query(`update users set role = 'Worker' where email = $1`, [email])
  })

  test('of a user whose email is not verified here name the ways to verify it, once sign-in requires it', async () => {
    const user = aProviderUser()
    assert.equal(await tokenStatus(visitor(), await aToken(user)), 'ok')
    const { database, context } = identity
    await database.pool.query('update identities set email_verified_at = null where email = $1', [user.email])
    const config = { ...context.config, verifyFor: new Set(['sign-in'] as const) }
    const app = await anApp({
      ...context,
      config,
      authenticate: createAuthenticate(database, context.keys, config),
    })
    const headers = { authorization: `Bearer ${await aToken({ ...user, n: 2 })}` }
    const page = await aVisitor(app, config.publicUrl).once('/api/auth/identity', { headers })
    await app.close()
    assert.equal(codeIn(page), 'email_not_verified')
    assert.match(page.text, /must be verified here first\. Sign up .+ or reset the password/)
  })

  test('are revoked like sessions: ended, signed out everywhere, deleted', async () => {
    const user = aProviderUser()
    const [first, second, unused] = [
      await aToken(user),
      await aToken({ ...user, n: 2 }),
      await aToken({ ...user, n: 3 }),
    ]
    const headers = { authorization: `Bearer ${first}` }
    await visitor().once('/api/user-data', { json: { email: user.email, role: 'Worker' }, headers })
    assert.equal(await tokenStatus(visitor(), second), 'ok')
    const page = await visitor().once('/api/auth/sessions', { headers })
    const other = page.json<{ _id: string; current: boolean }[]>().find(({ current }) => !current)
    await visitor().once(`/api/auth/sessions/${other?._id}`, { method: 'DELETE', headers })
    assert.equal(await tokenStatus(visitor(), second), 'invalid_token')
    assert.equal(await tokenStatus(visitor(), first), 'ok')

    await visitor().once('/api/auth/sign-out-everywhere', { method: 'POST', headers })
    assert.equal(await tokenStatus(visitor(), first), 'invalid_token')
    assert.equal(await tokenStatus(visitor(), unused), 'invalid_token') // never seen here, and older than that

    const later = Math.floor(Date.now() / 1000) + 2
    const fresh = await aToken({ ...user, iat: later, nbf: undefined })
    assert.equal(await tokenStatus(visitor(), fresh), 'ok')
    await identity.deleteUserByEmail(user.email)
    assert.equal(await tokenStatus(visitor(), fresh), 'invalid_token')
  })

  test('prove their auth_time or, without one, their time of issue; a new token is a new proof', async () => {
    const user = aProviderUser()
    const now = Math.floor(Date.now() / 1000)
    const codeOfExport = async (claims: Record<string, unknown>) => {
      const headers = { authorization: `Bearer ${await aToken({ ...user, nbf: undefined, ...claims })}` }
      await visitor().once('/api/user-data', { json: { email: user.email, role: 'Worker' }, headers })
      const page = await visitor().once(`/api/my-data/${user.email}`, { headers })
      return page.status === 200 ? 'ok' : codeIn(page)
    }
    assert.equal(await codeOfExport({ iat: now - 601 }), 'proof_required')
    assert.equal(await codeOfExport({ iat: now, auth_time: now - 601 }), 'proof_required')
    assert.equal(await codeOfExport({ iat: now }), 'ok')
  })

  test('of an identity with a second factor start no session', async () => {
    const user = aProviderUser()
    const now = Math.floor(Date.now() / 1000)
    const first = await aToken({ ...user, iat: now, nbf: undefined })
    await addAuthenticator({ visitor: visitor(), authorization: `Bearer ${first}` })
    const next = await aToken({ ...user, iat: now, jti: 'next', nbf: undefined })
    assert.equal(await tokenStatus(visitor(), next), 'second_factor_required')
    assert.equal(await tokenStatus(visitor(), first), 'ok') // its session had begun before
  })

  test('are still verified with cached keys while the issuer is down; our own tokens are unaffected', async () => {
    const { visitor: member, token: own } = await identity.aMember()
    const token = await aToken(aProviderUser())
    await server.stop()
    assert.equal(await tokenStatus(member, own), 'ok')
    assert.equal(await tokenStatus(visitor(), token), 'ok')
  })
})

describe('while that issuer was never reachable', () => {
  const url = 'http://127.0.0.1:9'
  const identity = useIdentity({
    demo: false,
    issuers: [{ id: 'oidc', label: 'Acme', url, clientId: 'tallywork', clientSecret: 'secret' }],
  })

  test('its tokens get 503, our own work', async () => {
    const { visitor, token } = await identity.aMember()
    const { privateKey } = await generateKeyPair('RS256')
    const theirs = await new SignJWT({ iss: url, aud: 'tallywork', sub: 'x' })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(privateKey)
    const page = await visitor.once('/api/auth/identity', { headers: { authorization: `Bearer ${theirs}` } })
    assert.deepEqual([page.status, codeIn(page)], [503, 'unavailable'])
    assert.equal(await tokenStatus(visitor, token), 'ok')
  })
})
