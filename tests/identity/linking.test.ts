import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { idTokenClaims } from '#server/identity/openid/id-token-claims.ts'
import { identityForClaims, type OpenidRefusal } from '#server/identity/openid/link.ts'
import { issuersOf } from '#server/identity/providers.ts'
import { anAdmin } from '#tests/support/factories.ts'
import { codeIn, PASSWORD, tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import { signInAt } from '#tests/support/oidc-visit.ts'

const GOOGLE = 'https://accounts.google.com'

describe('linking an issuer’s identity by email', () => {
  const google = { id: 'google', label: 'Google', url: GOOGLE, clientId: 'x', clientSecret: 'y' }
  const oidc = { ...google, id: 'oidc', label: 'Acme', url: 'https://id.acme.example' }
  const identity = useIdentity({ demo: false, issuers: [google, oidc] })
  let subjects = 0

  /** What comes of these claims: an identity's id, or why not. */
  async function arrive(claims: Record<string, unknown>, id = 'google'): Promise<string> {
    const issuer = issuersOf(identity.config).find((one) => one.id === id)
    assert.ok(issuer)
    const given = {
      iss: issuer.url,
      sub: `subject-${++subjects}`,
      email_verified: true,
      name: 'G',
      ...claims,
    }
    const user = idTokenClaims(issuer, given)
    assert.ok(user)
    return identityForClaims(
      identity.database,
      identity.config,
      { network: '192.0.2.7', device: 'Firefox' },
      user,
    ).then(
      ({ id: identityId }) => identityId,
      (error: OpenidRefusal) => error.reason,
    )
  }
  const linksOf = async (email: string) => {
    const { rows } = await identity.database.pool.query<{ links: number }>(
      `select count(*)::int as links from identity_links join identities on identities.id = identity_id
        where identities.email_key = lower($1)`,
      [email],
    )
    return rows[0]?.links
  }
  const verify = (email: string) =>
    identity.database.pool.query('update identities set email_verified_at = now() where email = $1', [email])
  let members = 0
  const aGmailMember = async () => {
    const visitor = identity.visitor()
    const user = { name: 'Mallory', email: `member.${++members}@gmail.com`, password: PASSWORD }
    await visitor.once('/api/auth/sign-up', { json: user })
    return { ...user, visitor, token: (await tokenOf(visitor)) ?? '' }
  }

  test('a new user gets an identity and keeps it when their email changes at the issuer', async () => {
    const first = await arrive({ sub: 'stable', email: 'first@gmail.com' })
    assert.match(first, /^[0-9a-f-]{36}$/)
    assert.equal(await arrive({ sub: 'stable', email: 'second@gmail.com' }), first)
  })

  test('a verified account is linked by an authoritative Google email and keeps its password', async () => {
    const { email, password, token, visitor } = await aGmailMember()
    await verify(email)
    await arrive({ email: email.toUpperCase() })
    assert.equal(await linksOf(email), 1)
    assert.equal(await tokenStatus(visitor, token), 'ok')
    const again = await identity.visitor().once('/api/auth/sign-in', { json: { email, password } })
    assert.equal(again.status, 200)
  })

  test('linking an account that a stranger prepared ends the stranger’s password, session and links', async () => {
    const hijacker = await aGmailMember()
    const { email, password } = hijacker
    // Before the owner comes, the hijacker asks for another address and for a reset, to come back by those links.
    const authorization = { authorization: `Bearer ${hijacker.token}` }
    const json = { email: 'mallory@evil.example', currentPassword: password }
    await hijacker.visitor.once('/api/auth/change-email', { json, headers: authorization })
    await hijacker.visitor.once('/api/auth/request-reset', { json: { email } })
    const change = await identity.tokenIn('mallory@evil.example', 'verify-email')
    const reset = await identity.tokenIn(email, 'reset-password')
    const verification = await identity.tokenIn(email, 'verify-email')

    await arrive({ email, name: 'The owner' })
    assert.equal(await linksOf(email), 1)
    assert.equal(await tokenStatus(hijacker.visitor, hijacker.token), 'invalid_token')
    assert.equal(await tokenOf(hijacker.visitor), null)
    const signIn = await identity.visitor().once('/api/auth/sign-in', { json: { email, password } })
    assert.equal(codeIn(signIn), 'wrong_credentials')
    for (const token of [change, verification]) {
      assert.equal(
        codeIn(await identity.visitor().once('/api/auth/verify', { json: { token } })),
        'link_expired',
      )
    }
    const taken = { token: reset, password: 'Mine!again' }
    assert.equal(codeIn(await identity.visitor().once('/api/auth/reset', { json: taken })), 'link_expired')
    const [notified] = (await identity.mailTo(email)).filter(
      ({ template }) => template === 'password-changed',
    )
    assert.equal(notified?.data.method, 'provider')
  })

  test('linking an account that a stranger prepared deletes the stranger’s webhook endpoints', async () => {
    const { email } = await identity.aMember()
    const { pool } = identity.database
    const { rows } = await pool.query<{ user_id: string }>(
      `select user_id from users, create_webhook_endpoint(
                gen_random_uuid(), users.id, 'Own', 'https://own.example', '{payout.confirmed}', '', 10)
        where email = $1`,
      [email],
    )
    const endpoints = () =>
      pool.query('select from webhook_endpoints where user_id = $1', [rows[0]?.user_id ?? ''])
    assert.equal((await endpoints()).rowCount, 1)
    await arrive({ email }, 'oidc')
    assert.equal((await endpoints()).rowCount, 0)
  })

  test('an email that Google is not authoritative for is not linked, verified or not', async () => {
    const { email } = await identity.aMember()
    await verify(email)
    assert.equal(await arrive({ email }), 'email-taken')
    assert.equal(await linksOf(email), 0)
    const id = await arrive({ email: 'new@elsewhere.example' })
    const { rows } = await identity.database.pool.query(
      'select email_verified_at from identities where id = $1',
      [id],
    )
    assert.equal(rows[0].email_verified_at, null)
    assert.equal((await identity.mailTo('new@elsewhere.example'))[0]?.template, 'verify-email')
  })

  test('Google is authoritative for an organisation’s email (hd)', async () => {
    const { email } = await identity.aMember()
    await verify(email)
    await arrive({ email, hd: 'example.com' })
    assert.equal(await linksOf(email), 1)
  })

  test('the operator’s own issuer is trusted for verified emails', async () => {
    const { email } = await identity.aMember()
    assert.equal(await arrive({ email, email_verified: 'true' }, 'oidc'), 'email-not-verified')
    await arrive({ email }, 'oidc')
    assert.equal(await linksOf(email), 1)
  })

  test('a reassigned mailbox does not take over: a second subject of the same issuer is refused', async () => {
    const { email } = await aGmailMember()
    await verify(email)
    const owner = await arrive({ sub: 'the owner', email })
    assert.equal(await arrive({ sub: 'the successor', email }), 'email-taken')
    assert.equal(await arrive({ sub: 'the owner', email }), owner)
    assert.equal(await arrive({ email }, 'oidc'), owner) // another issuer, once
    assert.equal(await arrive({ email }, 'oidc'), 'email-taken')
    assert.equal(await linksOf(email), 2)

    const created = await arrive({
      sub: 'a founder',
      email: 'office@elsewhere.example',
      hd: 'elsewhere.example',
    })
    assert.match(created, /^[0-9a-f-]{36}$/)
    const successor = { sub: 'a successor', email: 'office@elsewhere.example', hd: 'elsewhere.example' }
    assert.equal(await arrive(successor), 'email-taken')
  })

  test('of two concurrent subjects one is linked', async () => {
    const { email } = await aGmailMember()
    await verify(email)
    const arrived = await Promise.all([1, 2, 3, 4].map(() => arrive({ email })))
    assert.equal(arrived.filter((outcome) => outcome === 'email-taken').length, 3)
    assert.equal(await linksOf(email), 1)
  })

  test('no identity is linked to an Admin', async () => {
    const admin = await anAdmin(identity.database)
    await verify(admin.email)
    assert.equal(await arrive({ email: admin.email }, 'oidc'), 'email-taken')
    assert.equal(await arrive({ email: admin.email, hd: 'example.com' }), 'email-taken')
    assert.equal(await linksOf(admin.email), 0)
  })

  test('a deleted user does not return through an issuer, linked before or not', async () => {
    const { email } = await identity.aMember()
    const sub = 'to be deleted'
    await arrive({ sub, email }, 'oidc')
    await identity.deleteUserByEmail(email)
    assert.equal(await arrive({ sub, email }, 'oidc'), 'email-taken')
    assert.equal(await arrive({ email }, 'oidc'), 'email-taken')
  })

  test('two concurrent tabs create one identity', async () => {
    const ids = await Promise.all(
      [1, 2, 3, 4].map(() => arrive({ sub: 'twice', email: 'twice@elsewhere.example' })),
    )
    assert.equal(new Set(ids).size, 1)
  })

  test('another spelling of an email is the same email', async () => {
    for (const respell of [
      (email: string) => email.toUpperCase(),
      (email: string) => email.replace('@', '＠').normalize('NFKC'),
    ]) {
      const { email } = await aGmailMember()
      await verify(email)
      await arrive({ email: respell(email) })
      assert.equal(await linksOf(email), 1)
    }
  })
})

describe('a user of the demo issuer', () => {
  const identity = useIdentity()

  test('can set a password by a reset link and then sign in both ways', async () => {
    const email = 'rafiq@google.demo.example'
    await signInAt(identity.visitor(), 'google', 'demo-2')
    const visitor = identity.visitor()
    await visitor.once('/api/auth/request-reset', { json: { email } })
    const token = await identity.tokenIn(email, 'reset-password')
    await visitor.once('/api/auth/reset', { json: { token, password: PASSWORD } })
    assert.equal(
      (await visitor.once('/api/auth/sign-in', { json: { email, password: PASSWORD } })).status,
      200,
    )
    assert.equal((await signInAt(identity.visitor(), 'google', 'demo-2')).pathname, '/dashboard')
  })
})
