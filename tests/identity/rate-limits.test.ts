import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clientNetwork, clientSite } from '#server/http/client-network.ts'
import { hashed } from '#server/http/rate-limit.ts'
import { addAuthenticator, codeOf } from '#tests/support/authenticator.ts'
import { eventually } from '#tests/support/eventually.ts'
import { anApp, codeIn, PASSWORD, useIdentity } from '#tests/support/identity.ts'
import type { Visitor } from '#tests/support/visitor.ts'

describe('guessing passwords', () => {
  const identity = useIdentity()

  /** Signs in from an IP address of the network; returns the status. */
  async function signIn(
    email: string,
    password: string,
    ip = '203.0.113.7',
    app = identity.app,
    cookie = '',
  ): Promise<number> {
    const response = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-in',
      remoteAddress: ip,
      headers: { cookie },
      payload: { email, password },
    })
    return response.statusCode
  }
  const deviceCookie = (visitor: Visitor) => {
    const cookie = [...visitor.jar.values()].find(({ name }) => name === 'tallywork-device')
    return `tallywork-device=${cookie?.value}`
  }
  const times = async (count: number, attempt: (index: number) => Promise<number>) => {
    const statuses = []
    for (let index = 0; index < count; index++) statuses.push(await attempt(index))
    return statuses
  }
  const setHits = (pattern: string, hits: number) =>
    identity.database.pool.query('update rate_limits set hits = $2 where key ~ $1', [pattern, hits])

  test('after ten failures from one network, attempts from it are rejected for a while, even with the right password', async () => {
    const { email } = await identity.aMember()
    assert.deepEqual(await times(10, () => signIn(email, 'Wrong!pass')), Array(10).fill(401))
    assert.equal(await signIn(email, 'Wrong!pass'), 429)
    assert.equal(await signIn(email, PASSWORD), 429)
    const page = await identity.visitor().once('/api/auth/sign-in', { json: { email, password: PASSWORD } })
    assert.equal(page.status, 200) // the user, elsewhere, is not locked out
  })

  test('a successful sign-in resets the count', async () => {
    const { email } = await identity.aMember()
    for (let round = 0; round < 3; round++) {
      await times(9, () => signIn(email, 'Wrong!pass', '203.0.113.8'))
      assert.equal(await signIn(email, PASSWORD, '203.0.113.8'), 200)
    }
  })

  test('other spellings of the email, and other instances, share the count', async () => {
    const { email } = await identity.aMember()
    const other = await anApp(identity.context)
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('ruma', 'Ruma')]
    await times(10, (index) =>
      signIn(spellings[index % 4] ?? '', 'Wrong!pass', '203.0.113.9', index % 2 ? other : identity.app),
    )
    assert.equal(await signIn(email, PASSWORD, '203.0.113.9'), 429)
    assert.equal(await signIn(email, PASSWORD, '203.0.113.9', other), 429)
    await other.close()
  })

  test('ten concurrent attempts count as ten', async () => {
    const { email } = await identity.aMember()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => signIn(email, 'Wrong!pass', '203.0.113.10')),
    )
    assert.equal(statuses.filter((status) => status === 401).length, 10)
    assert.equal(statuses.filter((status) => status === 429).length, 10)
  })

  test('many networks against one account: unknown networks are limited, the user’s known ones are not', async () => {
    const { email } = await identity.aMember()
    assert.equal(await signIn(email, PASSWORD, '198.51.100.1'), 200)
    await signIn(email, 'Wrong!pass', '203.0.113.11')
    await setHits('^sign-in:[\\w-]{43}$', 300)
    assert.equal(await signIn(email, PASSWORD, '203.0.113.12'), 429)
    assert.equal(await signIn(email, PASSWORD, '198.51.100.1'), 200)
    // Guessing from the user's known network still counts there.
    const statuses = await times(11, () => signIn(email, 'Wrong!pass', '198.51.100.1'))
    assert.deepEqual(statuses, [...Array(10).fill(401), 429])
  })

  test('refused attempts do not count against the email: one network cannot lock it elsewhere', async () => {
    const { email } = await identity.aMember()
    await times(40, () => signIn(email, 'Wrong!pass', '203.0.113.20'))
    const keys = [`sign-in:${hashed(email)}`, 'sign-in:203.0.113.20']
    const { rows } = await identity.database.pool.query<{ hits: number }>(
      'select hits from rate_limits where key = any ($1)',
      [keys],
    )
    assert.deepEqual(
      rows.map(({ hits }) => hits),
      [10, 10],
    )
    assert.equal(await signIn(email, PASSWORD, '203.0.113.21'), 200)
  })

  test('the networks of one /48 cannot lock an email elsewhere', async () => {
    const { email } = await identity.aMember()
    const from = (network: number) => `2001:db8:7:${network}::1`
    const statuses = await times(60, (index) => signIn(email, 'Wrong!pass', from(Math.floor(index / 10))))
    assert.deepEqual(statuses, [...Array(50).fill(401), ...Array(10).fill(429)])
    assert.equal(await signIn(email, PASSWORD, from(99)), 429)
    const { rows } = await identity.database.pool.query<{ hits: number }>(
      'select hits from rate_limits where key = $1',
      [`sign-in:${hashed(email)}`],
    )
    assert.deepEqual(rows, [{ hits: 50 }])
    assert.equal(await signIn(email, PASSWORD, '2001:db8:8::1'), 200)
  })

  test('nobody locks out a device on which the user signed in before, not even behind the same address', async () => {
    const { email, visitor } = await identity.aMember()
    const shared = '203.0.113.22'
    assert.deepEqual((await times(11, () => signIn(email, 'Wrong!pass', shared))).at(-1), 429)
    await setHits('^sign-in:203\\.0\\.113\\.22$', 200)
    await setHits('^sign-in:[\\w-]{43}$', 300)
    assert.equal(await signIn(email, PASSWORD, shared), 429)
    assert.equal(await signIn(email, PASSWORD, shared, identity.app, deviceCookie(visitor)), 200)
    assert.equal(await signIn(email, PASSWORD, '203.0.113.23', identity.app, deviceCookie(visitor)), 200)
  })

  test('a device is known also when a second factor completed the sign-in', async () => {
    const member = await identity.aMember()
    const { secret } = await addAuthenticator(member)
    const visitor = identity.visitor()
    const json = { email: member.email, password: PASSWORD }
    assert.equal((await visitor.once('/api/auth/sign-in', { json })).status, 401)
    assert.equal(deviceCookie(visitor), 'tallywork-device=undefined')
    const completed = await visitor.once('/api/auth/sign-in/code', {
      json: { code: await codeOf(secret, 1) },
    })
    assert.equal(completed.status, 200, completed.text)
    await times(11, () => signIn(member.email, 'Wrong!pass', '203.0.113.26'))
    const statuses = [PASSWORD, 'Wrong!pass'].map((password) =>
      signIn(member.email, password, '203.0.113.26', identity.app, deviceCookie(visitor)),
    )
    assert.equal(await signIn(member.email, 'Wrong!pass', '203.0.113.26'), 429)
    assert.deepEqual(await Promise.all(statuses), [401, 401]) // the second factor, and the wrong password
  })

  test('the cookie of a known device allows ten failures, for its own user only, and signs in nobody', async () => {
    const { email, visitor } = await identity.aMember()
    const other = await identity.aMember()
    const cookie = deviceCookie(visitor)
    const ip = '203.0.113.24'
    const asDevice = (user: string, password: string) => signIn(user, password, ip, identity.app, cookie)
    assert.deepEqual((await times(11, () => asDevice(email, 'Wrong!pass'))).at(-1), 429)
    assert.equal(await asDevice(email, PASSWORD), 429)
    assert.equal(await signIn(email, PASSWORD, ip), 200) // guesses of a stolen cookie do not count for others

    await times(10, () => signIn(other.email, 'Wrong!pass', ip))
    assert.equal(await asDevice(other.email, PASSWORD), 429)
    for (const forged of [`${cookie.slice(0, -2)}AA`, 'tallywork-device=', 'tallywork-device=eyJ9'])
      assert.equal(await signIn(other.email, PASSWORD, ip, identity.app, forged), 429)
    const token = await identity.app.inject({ method: 'POST', url: '/api/auth/token', headers: { cookie } })
    assert.equal(token.statusCode, 204)
  })

  test('a browser remembers several users, and its cookie is HttpOnly and contains no email', async () => {
    const [one, two] = [await identity.aMember(), await identity.aMember()]
    const json = { email: two.email, password: PASSWORD }
    const page = await one.visitor.once('/api/auth/sign-in', { json })
    const [, cookie = ''] = page.headers.getSetCookie()
    assert.match(cookie, /^tallywork-device=[\w-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/)
    const value = deviceCookie(one.visitor)
    assert.equal(Buffer.from(value.split('=')[1] ?? '', 'base64url').includes('example.com'), false)
    for (const { email } of [one, two]) {
      await times(10, () => signIn(email, 'Wrong!pass', '203.0.113.25'))
      assert.equal(await signIn(email, PASSWORD, '203.0.113.25', identity.app, value), 200)
    }
  })

  test('a reset by mail lets the owner sign in from a new network during an attack', async () => {
    const { email } = await identity.aMember()
    const [elsewhere, mine] = ['203.0.113.40', '203.0.113.41']
    await signIn(email, 'Wrong!pass', elsewhere)
    await setHits('^sign-in:[\\w-]{43}$', 300)
    assert.equal(await signIn(email, PASSWORD, mine), 429)
    const ask = async (url: string, payload: object) =>
      (await identity.app.inject({ method: 'POST', url: `/api/auth/${url}`, remoteAddress: mine, payload }))
        .statusCode
    assert.equal(await ask('request-reset', { email }), 202)
    const token = await identity.tokenIn(email, 'reset-password')
    assert.equal(await ask('reset', { token, password: 'Another!pass' }), 204)
    assert.equal(await signIn(email, 'Another!pass', mine), 200)
  })

  test('one network against many accounts is limited', async () => {
    const { email } = await identity.aMember()
    await signIn(email, 'Wrong!pass', '203.0.113.13')
    await setHits('^sign-in:203\\.0\\.113\\.13$', 200)
    assert.equal(await signIn('somebody@example.com', 'Wrong!pass', '203.0.113.13'), 429)
    assert.equal(await signIn(email, PASSWORD, '203.0.113.14'), 200)
  })

  test('the limit expires, and rejected attempts do not extend it', async () => {
    const { email } = await identity.aMember()
    await times(10, () => signIn(email, 'Wrong!pass', '203.0.113.15'))
    const { pool } = identity.database
    const ends = `select array_agg(resets_at::text order by key) as ends from rate_limits where key like '%203.0.113.15'`
    const before = (await pool.query(ends)).rows
    assert.deepEqual(await times(3, () => signIn(email, PASSWORD, '203.0.113.15')), [429, 429, 429])
    assert.deepEqual((await pool.query(ends)).rows, before)
    await pool.query(`update rate_limits set resets_at = now() where key like '%203.0.113.15'`)
    await eventually(async () => (await signIn(email, PASSWORD, '203.0.113.15')) === 200)
  })

  test('the table of rate limits contains no email', async () => {
    const { email } = await identity.aMember()
    await signIn(email, 'Wrong!pass')
    const { rows } = await identity.database.pool.query('select key from rate_limits')
    assert.equal(JSON.stringify(rows).includes(email), false)
  })
})

describe('a network whose limits of writes somebody has exceeded', () => {
  const identity = useIdentity({ writeLimitFactor: 0.01 })
  const NETWORK = '203.0.113.50'

  /** Sends a request from the network, with the cookies of a visitor. */
  async function send(path: string, payload: object = {}, from?: Visitor): Promise<number> {
    const cookie = [...(from?.jar.values() ?? [])].map(({ name, value }) => `${name}=${value}`).join('; ')
    const url = `/api/auth/${path}`
    const { app } = identity
    const request = { method: 'POST', url, remoteAddress: NETWORK, headers: { cookie }, payload } as const
    return (await app.inject(request)).statusCode
  }
  async function exceed(limit: number, path: string, payloadOf: (index: number) => object = () => ({})) {
    for (let index = 0; index < limit; index++)
      assert.notEqual(await send(path, payloadOf(index)), 429, `${path} ${index}`)
    assert.equal(await send(path, payloadOf(limit)), 429)
  }

  test('still admits known devices, sessions, pending sign-ins and usable links, each up to a limit of its own', async () => {
    const member = await identity.aMember()
    const { secret } = await addAuthenticator(member)
    const right = { email: member.email, password: PASSWORD }
    const elsewhere = identity.visitor()

    await exceed(200, 'token')
    assert.equal(await send('token', {}, member.visitor), 200)
    await exceed(20, 'sign-out')
    assert.equal(await send('sign-out', {}, member.visitor), 204)
    assert.equal(await send('token', {}, member.visitor), 429)

    await exceed(20, 'sign-in', (index) => ({ email: `nobody.${index}@example.com`, password: 'Wrong!pass' }))
    assert.equal(await send('sign-in', right), 429)
    assert.equal(await send('sign-in', { ...right, email: 'nobody@example.com' }, member.visitor), 429)
    assert.equal(await send('sign-in', right, member.visitor), 401) // the second factor is asked for
    assert.equal(await send('sign-in', right, member.visitor), 429)

    await exceed(12, 'sign-in/code', () => ({ code: '000000' }))
    await elsewhere.once('/api/auth/sign-in', { json: right })
    assert.equal(await send('sign-in/code', { code: await codeOf(secret, 1) }, elsewhere), 200)

    await exceed(1, 'request-reset', () => ({ email: 'nobody@example.com' }))
    assert.equal(await send('request-reset', { email: member.email }, member.visitor), 202)

    const { email } = member
    const verification = await identity.tokenIn(email, 'verify-email')
    const unknown = 'a'.repeat(43)
    const unusable = { purpose: 'verify', token: unknown }
    await exceed(3, 'check-link', () => unusable)
    assert.equal(await send('check-link', { purpose: 'verify', token: verification }), 200)
    assert.equal(await send('check-link', { purpose: 'reset', token: verification }), 429)

    await exceed(3, 'verify', () => ({ token: unknown }))
    assert.equal(await send('verify', { token: verification, password: PASSWORD }), 200)

    const reset = await identity.tokenIn(email, 'reset-password')
    const password = 'Another!pass'
    await exceed(1, 'reset', () => ({ token: unknown, password }))
    assert.equal(await send('reset', { token: reset, password }), 204)
  })
})

describe('signing up in production', () => {
  const identity = useIdentity({ production: true, demo: false, writeLimitFactor: 1 })

  test('thirty sign-ups an hour per network; further ones get Retry-After', async () => {
    const signUp = () => identity.visitor().once('/api/auth/sign-up', { json: identity.aNewUser() })
    assert.equal((await signUp()).status, 201)
    await identity.database.pool.query(
      `update rate_limits set hits = 30 where key like 'POST /auth/sign-up %'`,
    )
    const refused = await signUp()
    assert.equal(codeIn(refused), 'too_many_requests')
    assert.match(refused.text, /try again in (59|60) minutes/)
  })
})

test('a network is an IPv4 address, or the /64 that one IPv6 customer holds', () => {
  assert.equal(clientNetwork('203.0.113.7'), '203.0.113.7')
  assert.equal(clientNetwork('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(clientNetwork('::FFFF:203.0.113.7'), '203.0.113.7')
  assert.equal(clientNetwork('2001:db8:0:1:aaaa::1'), '2001:db8:0:1::/64')
  assert.equal(clientNetwork('2001:db8:0:1::'), '2001:db8:0:1::/64')
  assert.equal(clientNetwork('2001:0DB8::1'), '2001:db8:0:0::/64')
  assert.equal(clientNetwork('::1'), '0:0:0:0::/64')
  assert.equal(clientNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(clientNetwork('nonsense'), 'unknown')
  assert.equal(clientSite('2001:db8:7:1:aaaa::1'), '2001:db8:7::/48')
  assert.equal(clientSite('::1'), '0:0:0::/48')
  for (const ip of ['203.0.113.7', '::ffff:203.0.113.7', 'nonsense']) assert.equal(clientSite(ip), undefined)
})
