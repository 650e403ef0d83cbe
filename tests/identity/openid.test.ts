import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addAuthenticator } from '#tests/support/authenticator.ts'
import { codeIn, PASSWORD, tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import { startIssuer } from '#tests/support/oidc-issuer.ts'
import { choose, landing, signInAt, startSignIn } from '#tests/support/oidc-visit.ts'

const SITE = 'http://localhost:4300'

describe('the demo Google button', () => {
  const identity = useIdentity()

  test('works without keys and network, and its user registers as a Worker with 10 coins', async () => {
    const visitor = identity.visitor()
    const choice = await visitor.go('/api/auth/oidc/google/start')
    assert.match(choice.text, /This is a demonstration of signing in with Google/)
    const back = await signInAt(visitor, 'google', 'demo-1', '/dashboard/my-task?x=1#y')
    assert.equal(back.href, `${SITE}/dashboard/my-task?x=1#y`)

    const headers = { authorization: `Bearer ${await tokenOf(visitor)}` }
    const json = { email: 'lamia@google.demo.example', name: 'Lamia Haque', roll: 'Worker', coin: 10 }
    const registered = await visitor.once('/api/user-data', { json, headers })
    assert.equal(registered.json<{ user: { coin: number } }>().user.coin, 10)
    assert.equal((await signInAt(visitor, 'google', 'demo-1')).pathname, '/dashboard')
    const ways = await visitor.once('/api/auth/identity', {
      headers: { authorization: `Bearer ${await tokenOf(visitor)}` },
    })
    assert.deepEqual(ways.json(), {
      email: 'lamia@google.demo.example',
      name: 'Lamia Haque',
      emailVerified: true,
      hasPassword: false,
      hasSecondFactor: false,
      linkedTo: ['Google'],
    })
  })

  test('its user registers as a Buyer with 50 coins where they choose that', async () => {
    const visitor = identity.visitor()
    await signInAt(visitor, 'google', 'demo-2')
    const registered = await visitor.once('/api/user-data', {
      json: { email: 'rafiq@google.demo.example', name: 'Rafiq Uddin', role: 'Buyer' },
      headers: { authorization: `Bearer ${await tokenOf(visitor)}` },
    })
    const { role, coin } = registered.json<{ user: { role: string; coin: number } }>().user
    assert.deepEqual([role, coin], ['Buyer', 50])
  })

  test('a visitor on another host name is redirected to PUBLIC_URL first', async () => {
    const page = await identity.visitor().once('/api/auth/oidc/google/start?returnTo=/x', {
      headers: { host: '127.0.0.1:4300' },
    })
    assert.equal(page.headers.get('location'), `${SITE}/api/auth/oidc/google/start?returnTo=/x`)
  })
})

describe('starting sign-ins from many IPv6 networks', () => {
  const identity = useIdentity()

  test('is limited for the networks of one /48 together', async () => {
    const start = async (network: string) => {
      const { headers } = await identity.app.inject({
        url: '/api/auth/oidc/google/start',
        headers: { host: new URL(SITE).host },
        remoteAddress: `${network}::1`,
      })
      return String(headers.location)
    }
    assert.doesNotMatch(await start('2001:db8:7:1'), /too-many-attempts/)
    const { rowCount } = await identity.database.pool.query(
      `update rate_limits set hits = 3000 where key = 'openid:2001:db8:7::/48'`,
    )
    assert.equal(rowCount, 1)
    assert.match(await start('2001:db8:7:2'), /error=too-many-attempts/)
    assert.doesNotMatch(await start('2001:db8:8:1'), /too-many-attempts/)
  })
})

describe('without configuration in production', () => {
  const identity = useIdentity({ demo: false })

  test('there is no button, no route and no demo issuer', async () => {
    const visitor = identity.visitor()
    const { listProviders } = await import('#server/identity/providers.ts')
    assert.deepEqual(listProviders(identity.config), [])
    assert.equal(codeIn(await visitor.once('/api/auth/oidc/google/start')), 'not_found')
    assert.equal((await visitor.once('/demo/google/.well-known/openid-configuration')).status, 404)
  })
})

describe('Google where sign-in requires a verified email', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  before(async () => {
    const people = [
      { sub: 'anna', name: 'Anna', email: 'anna@company.example', email_verified: true },
      { sub: 'bela', name: 'Bela', email: 'bela@gmail.com', email_verified: true },
    ]
    issuer = await startIssuer({ id: 'google', people, site: SITE })
  })
  after(() => issuer.stop())
  const identity = useIdentity(() => ({
    demo: false,
    issuers: [issuer.settings],
    verifyFor: new Set(['sign-in'] as const),
  }))

  test('does not sign in or up with an email that it is not authoritative for', async () => {
    const visitor = identity.visitor()
    const landed = await signInAt(visitor, 'google', 'anna')
    assert.equal(landed.href, `${SITE}/login?error=email-unverified-here`)
    assert.equal(await tokenOf(visitor), null)
    const json = { name: 'Anna', email: 'anna@company.example', password: PASSWORD }
    assert.equal((await visitor.once('/api/auth/sign-up', { json })).status, 201)
  })

  test('signs in a user only while their email is verified', async () => {
    const visitor = identity.visitor()
    await signInAt(visitor, 'google', 'bela')
    assert.notEqual(await tokenOf(visitor), null)
    const { pool } = identity.database
    await pool.query(`update identities set email_verified_at = null where email = 'bela@gmail.com'`)
    const refused = identity.visitor()
    assert.equal((await signInAt(refused, 'google', 'bela')).search, '?error=email-unverified-here')
    assert.equal(await tokenOf(refused), null)
    await pool.query(`update identities set email_verified_at = now() where email = 'bela@gmail.com'`)
    assert.equal((await signInAt(refused, 'google', 'bela')).pathname, '/dashboard')
  })
})

describe('Google where sign-in requires no verified email', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  before(async () => {
    const people = [{ sub: 'anna', name: 'Anna', email: 'anna@company.example', email_verified: true }]
    issuer = await startIssuer({ id: 'google', people, site: SITE })
  })
  after(() => issuer.stop())
  const identity = useIdentity(() => ({ demo: false, issuers: [issuer.settings] }))

  test('the mail that verifies the email has the language of the page where the sign-up was started', async () => {
    await signInAt(identity.visitor(), 'google', 'anna', '/bn/sign-up')
    const mails = await identity.mailTo('anna@company.example')
    assert.deepEqual(
      mails.map(({ template, locale }) => [template, locale]),
      [['verify-email', 'bn']],
    )
  })
})

describe('signing in with an OpenID issuer', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  before(async () => {
    const people = [
      { sub: 'anna', name: 'Anna', email: 'anna@example.com', email_verified: true },
      { sub: 'bela', name: 'Bela', email: 'bela@example.com', email_verified: true },
    ]
    issuer = await startIssuer({ id: 'oidc', people, site: SITE })
  })
  after(() => issuer.stop())
  const identity = useIdentity(() => ({ demo: false, issuers: [issuer.settings] }))

  test('asks for a code with PKCE, state and nonce, each different every time', async () => {
    const visitor = identity.visitor()
    const [one, two] = [await startSignIn(visitor, 'oidc'), await startSignIn(visitor, 'oidc')]
    assert.equal(one.origin, issuer.url)
    assert.equal(one.searchParams.get('response_type'), 'code')
    assert.equal(one.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(one.searchParams.get('redirect_uri'), `${SITE}/api/auth/oidc/oidc/callback`)
    for (const name of ['state', 'nonce', 'code_challenge']) {
      assert.ok((one.searchParams.get(name) ?? '').length >= 43)
      assert.notEqual(one.searchParams.get(name), two.searchParams.get(name))
    }
  })

  test('a user returns as the same identity, and two concurrent tabs both succeed', async () => {
    const visitor = identity.visitor()
    assert.equal((await signInAt(visitor, 'oidc', 'anna')).href, `${SITE}/dashboard`)
    const first = await tokenOf(visitor)
    const tabs = [await startSignIn(visitor, 'oidc', '/one'), await startSignIn(visitor, 'oidc', '/two')]
    const backs = []
    for (const tab of tabs) backs.push(await choose(visitor, tab, 'anna'))
    for (const [index, back] of backs.entries()) {
      assert.equal(landing(await visitor.once(back.href)).pathname, index === 0 ? '/one' : '/two')
    }
    const second = await tokenOf(visitor)
    const subOf = (token: string | null) => JSON.parse(atob(token?.split('.')[1] ?? '')).sub as string
    assert.equal(subOf(first), subOf(second))
    assert.equal(await tokenStatus(visitor, first ?? ''), 'invalid_token') // the browser's earlier session ended
  })

  test('an identity with a second factor is sent to the second step and has no session until then', async () => {
    const first = identity.visitor()
    await signInAt(first, 'oidc', 'anna')
    const authorization = `Bearer ${await tokenOf(first)}`
    const { id, recoveryCodes } = await addAuthenticator({ visitor: first, authorization })

    const visitor = identity.visitor()
    const screen = await signInAt(visitor, 'oidc', 'anna', '/dashboard/my-task')
    assert.equal(screen.href, `${SITE}/login?step=second-factor&returnTo=%2Fdashboard%2Fmy-task`)
    assert.equal(await tokenOf(visitor), null)
    const completed = await visitor.once('/api/auth/sign-in/code', { json: { code: recoveryCodes[0] } })
    assert.equal(completed.status, 200)
    assert.notEqual(await tokenOf(visitor), null)
    const inBangla = await signInAt(identity.visitor(), 'oidc', 'anna', '/bn/dashboard')
    assert.equal(inBangla.href, `${SITE}/bn/login?step=second-factor&returnTo=%2Fbn%2Fdashboard`)
    await first.once(`/api/auth/second-factor/${id}`, { method: 'DELETE', headers: { authorization } })
  })

  test('a sign-in that was started on a page in Bangla fails on a page in Bangla', async () => {
    const visitor = identity.visitor()
    const back = await choose(visitor, await startSignIn(visitor, 'oidc', '/bn/dashboard'), 'anna')
    back.searchParams.set('code', 'guessed')
    assert.equal(landing(await visitor.once(back.href)).href, `${SITE}/bn/login?error=sign-in-refused`)
  })

  test('a replayed callback is rejected', async () => {
    const visitor = identity.visitor()
    const back = await choose(visitor, await startSignIn(visitor, 'oidc'), 'anna')
    assert.equal(landing(await visitor.once(back.href)).pathname, '/dashboard')
    await visitor.once('/api/auth/sign-out', { method: 'POST' })
    assert.equal(landing(await visitor.once(back.href)).search, '?error=sign-in-expired')
    assert.equal(await tokenOf(visitor), null)
  })

  test('a callback opened in another browser is rejected and stays usable in its own', async () => {
    const [attacker, victim] = [identity.visitor(), identity.visitor()]
    const back = await choose(attacker, await startSignIn(attacker, 'oidc'), 'bela')
    await startSignIn(victim, 'oidc')
    assert.equal(landing(await victim.once(back.href)).search, '?error=sign-in-expired')
    assert.equal(await tokenOf(victim), null)
    assert.equal(landing(await attacker.once(back.href)).pathname, '/dashboard')
  })

  test('the code of one attempt under the state of another is refused', async () => {
    const [attacker, victim] = [identity.visitor(), identity.visitor()]
    const stolen = await choose(attacker, await startSignIn(attacker, 'oidc'), 'bela')
    const own = await choose(victim, await startSignIn(victim, 'oidc'), 'anna')
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    assert.equal(landing(await victim.once(own.href)).search, '?error=sign-in-refused')
    assert.equal(await tokenOf(victim), null)
  })

  test('altered callbacks are refused', async () => {
    const changes: [string, (back: URL) => void][] = [
      ['sign-in-expired', (back) => back.searchParams.set('state', 'x'.repeat(43))],
      ['sign-in-expired', (back) => back.searchParams.delete('state')],
      ['sign-in-expired', (back) => back.searchParams.append('state', 'another')],
      ['sign-in-refused', (back) => back.searchParams.set('code', 'guessed')],
      ['sign-in-refused', (back) => back.searchParams.delete('code')],
      ['sign-in-refused', (back) => back.searchParams.append('code', 'another')],
      ['sign-in-refused', (back) => back.searchParams.set('iss', 'https://accounts.google.com')],
      ['sign-in-refused', (back) => back.searchParams.delete('iss')],
    ]
    for (const [error, change] of changes) {
      const visitor = identity.visitor()
      const back = await choose(visitor, await startSignIn(visitor, 'oidc'), 'anna')
      change(back)
      assert.equal(landing(await visitor.once(back.href)).search, `?error=${error}`, String(change))
      assert.equal(await tokenOf(visitor), null)
    }
  })

  test('a cancelled sign-in at the issuer is reported', async () => {
    const visitor = identity.visitor()
    const state = (await startSignIn(visitor, 'oidc')).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url })
    const page = await visitor.once(`/api/auth/oidc/oidc/callback?${query}`)
    assert.equal(landing(page).search, '?error=sign-in-cancelled')
  })

  test('ends the session that the browser had before, whose cookie the redirect back does not bring', async () => {
    const { visitor, token } = await identity.aMember()
    const back = await choose(visitor, await startSignIn(visitor, 'oidc'), 'anna')
    assert.equal(await tokenStatus(visitor, token), 'ok')
    for (const [key, { name }] of visitor.jar) if (name === 'tallywork') visitor.jar.delete(key)
    assert.equal(landing(await visitor.once(back.href)).pathname, '/dashboard')
    assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    assert.notEqual(await tokenOf(visitor), null)
  })

  test('an attempt expires after ten minutes', async () => {
    const visitor = identity.visitor()
    const back = await choose(visitor, await startSignIn(visitor, 'oidc'), 'anna')
    await identity.database.pool.query(`update openid_attempts set expires_at = now() - interval '1 second'`)
    assert.equal(landing(await visitor.once(back.href)).search, '?error=sign-in-expired')
  })

  test('the return path stays on this site', async () => {
    const elsewhere = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/\t/evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
      '/%0d%0aset-cookie:x=y\r\nx: y',
      '/..//evil.example',
      '/.//evil.example',
      '/api/auth/oidc/oidc/start',
      `/${'x'.repeat(3000)}`,
      '',
    ]
    for (const returnTo of elsewhere) {
      const landed = await signInAt(identity.visitor(), 'oidc', 'anna', returnTo)
      assert.equal(landed.href, `${SITE}/dashboard`, returnTo)
    }
    const deep = '/dashboard/task-details/1?tab=2#work'
    assert.equal((await signInAt(identity.visitor(), 'oidc', 'anna', deep)).href, SITE + deep)
  })

  test('the attempt cookie is not a session, and a planted one binds nothing', async () => {
    const visitor = identity.visitor()
    await startSignIn(visitor, 'oidc')
    assert.equal(await tokenOf(visitor), null)
    const page = await visitor.once('/api/auth/oidc/oidc/start', {
      headers: { cookie: 'tallywork-openid=x' },
    })
    const [cookie = ''] = page.headers.getSetCookie()
    assert.match(cookie, /^tallywork-openid=[\w-]{43}; .*HttpOnly.*SameSite=Lax/)
  })

  test('a session planted before sign-in is replaced', async () => {
    const attacker = identity.visitor()
    await signInAt(attacker, 'oidc', 'bela')
    const victim = identity.visitor()
    for (const [key, cookie] of attacker.jar)
      if (key.includes(' tallywork')) victim.jar.set(key, { ...cookie })
    await signInAt(victim, 'oidc', 'anna')
    const planted = [...attacker.jar.values()].find(({ name }) => name === 'tallywork')
    const own = [...victim.jar.values()].find(({ name }) => name === 'tallywork')
    assert.notEqual(own?.value, planted?.value)
    assert.equal(await tokenOf(attacker), null)
  })
})

describe('an issuer that is down', () => {
  const people = [{ sub: 'anna', name: 'Anna', email: 'anna@example.com', email_verified: true }]
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  before(async () => {
    issuer = await startIssuer({ id: 'oidc', people, site: SITE })
    await issuer.stop()
  })
  after(() => issuer.stop())
  const identity = useIdentity(() => ({ demo: false, issuers: [issuer.settings] }))

  test('does not block the start or other requests, and recovers without a restart', async () => {
    const visitor = identity.visitor()
    assert.equal((await signInAt(visitor, 'oidc', 'anna')).search, '?error=service-unavailable')
    const { email } = await identity.aMember()
    const json = { email, password: 'Sesame!open' }
    assert.equal((await visitor.once('/api/auth/sign-in', { json })).status, 200)

    const port = Number(new URL(issuer.url).port)
    issuer = await startIssuer({ id: 'oidc', people, site: SITE, port })
    assert.equal((await signInAt(visitor, 'oidc', 'anna')).pathname, '/dashboard')

    const back = await choose(visitor, await startSignIn(visitor, 'oidc'), 'anna')
    await issuer.stop()
    assert.equal(landing(await visitor.once(back.href)).search, '?error=service-unavailable')
    issuer = await startIssuer({ id: 'oidc', people, site: SITE, port })
    assert.equal((await signInAt(identity.visitor(), 'oidc', 'anna')).pathname, '/dashboard')
  })
})

describe('an issuer that returns the email only from its userinfo endpoint', () => {
  const people = [{ sub: 'anna', name: 'Anna', email: 'anna@example.com', email_verified: true }]
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  before(async () => {
    issuer = await startIssuer({ id: 'oidc', people, site: SITE, emailByUserinfo: true })
  })
  after(() => issuer.stop())
  const identity = useIdentity(() => ({ demo: false, issuers: [issuer.settings] }))

  test('signs a user in with the email of that endpoint', async () => {
    const visitor = identity.visitor()
    assert.equal((await signInAt(visitor, 'oidc', 'anna')).pathname, '/dashboard')
    assert.equal(await tokenStatus(visitor, (await tokenOf(visitor)) ?? ''), 'ok')
  })
})
