import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { purgeRateLimits } from '#server/http/purge-expired.ts'
import { purgeExpiredIdentityRows } from '#server/identity/purge-expired.ts'
import { codeIn, PASSWORD, tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
type Session = { _id: string; device: string; network: string; current: boolean }

describe('sessions', () => {
  const identity = useIdentity()

  const sessionOf = async (visitor: Visitor) => {
    const [cookie] = [...visitor.jar.values()].filter(({ name }) => name === 'tallywork')
    return cookie?.value ?? ''
  }
  async function signedInAgain(email: string, headers: Record<string, string> = {}) {
    const visitor = identity.visitor()
    await visitor.once('/api/auth/sign-in', { json: { email, password: PASSWORD }, headers })
    const token = (await tokenOf(visitor)) ?? ''
    return { visitor, token, authorization: `Bearer ${token}` }
  }

  test('the cookie is HttpOnly and SameSite', async () => {
    const page = await identity.visitor().once('/api/auth/sign-up', { json: identity.aNewUser() })
    const [cookie = ''] = page.headers.getSetCookie()
    assert.match(cookie, /^tallywork=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/)
  })

  test('the database keeps only the hash of the cookie', async () => {
    const { visitor } = await identity.aMember()
    const { rows } = await identity.database.pool.query('select * from sessions')
    assert.equal(JSON.stringify(rows).includes(await sessionOf(visitor)), false)
    const text = await identity.database.pool.query(
      `select encode(secret_hash, 'escape') as text from sessions`,
    )
    assert.equal(JSON.stringify(text.rows).includes(await sessionOf(visitor)), false)
  })

  test('a user lists their sessions and ends one; its token stops at once', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const other = await signedInAgain(email, { 'user-agent': FIREFOX })
    const page = await visitor.once('/api/auth/sessions', { headers: { authorization } })
    const sessions = page.json<Session[]>()
    assert.equal(sessions.length, 2)
    const theirs = sessions.find(({ current }) => !current)
    assert.deepEqual([theirs?.device, theirs?.network], ['Firefox on Linux', '127.0.0.1'])

    const end = () =>
      visitor.once(`/api/auth/sessions/${theirs?._id}`, { method: 'DELETE', headers: { authorization } })
    assert.equal((await end()).status, 204)
    assert.equal(await tokenStatus(other.visitor, other.token), 'invalid_token')
    assert.equal(await tokenOf(other.visitor), null)
    assert.equal(codeIn(await end()), 'not_found')
  })

  test('a user cannot end another user’s session', async () => {
    const [one, two] = [await identity.aMember(), await identity.aMember()]
    const page = await one.visitor.once('/api/auth/sessions', {
      headers: { authorization: one.authorization },
    })
    const [session] = page.json<Session[]>()
    const attempt = await two.visitor.once(`/api/auth/sessions/${session?._id}`, {
      method: 'DELETE',
      headers: { authorization: two.authorization },
    })
    assert.equal(codeIn(attempt), 'not_found')
    assert.equal(await tokenStatus(one.visitor, one.token), 'ok')
  })

  test('signing out everywhere ends every session and token, this one too', async () => {
    const { email, visitor, token, authorization } = await identity.aMember()
    const others = [await signedInAgain(email), await signedInAgain(email)]
    const page = await visitor.once('/api/auth/sign-out-everywhere', {
      method: 'POST',
      headers: { authorization },
    })
    assert.equal(page.status, 204)
    for (const one of [{ visitor, token }, ...others]) {
      assert.equal(await tokenStatus(one.visitor, one.token), 'invalid_token')
      assert.equal(await tokenOf(one.visitor), null)
    }
  })

  test('a deleted user’s sessions and tokens stop at the next request', async () => {
    const { email, visitor, token } = await identity.aMember()
    await identity.deleteUserByEmail(email)
    assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    assert.equal(await tokenOf(visitor), null)
    const json = { email, password: PASSWORD }
    assert.equal(codeIn(await visitor.once('/api/auth/sign-in', { json })), 'wrong_credentials')
    assert.equal(
      codeIn(await visitor.once('/api/auth/sign-up', { json: { ...json, name: 'Again' } })),
      'email_taken',
    )
  })

  test('session fixation: a planted cookie is replaced at sign-in and its session ends', async () => {
    const attacker = await identity.aMember()
    const victim = await identity.aMember()
    const shared = identity.visitor()
    for (const [key, cookie] of attacker.visitor.jar) shared.jar.set(key, { ...cookie })
    await shared.once('/api/auth/sign-in', { json: { email: victim.email, password: PASSWORD } })
    assert.notEqual(await sessionOf(shared), await sessionOf(attacker.visitor))
    assert.equal(await tokenOf(attacker.visitor), null)
    assert.equal(await tokenStatus(attacker.visitor, attacker.token), 'invalid_token')
  })

  test('a session expires 14 days after its last use, and after 90 days at most', async () => {
    const { email, visitor, token } = await identity.aMember()
    const daysLeft = async () => {
      await tokenOf(visitor)
      const { rows } = await identity.database.pool.query<{ days: number }>(
        `select extract(epoch from expires_at - now()) / 86400 as days from sessions
           join identities on identities.id = identity_id where identities.email = $1`,
        [email],
      )
      return Math.round(Number(rows[0]?.days) * 10) / 10
    }
    const age = (change: string) =>
      identity.database.pool.query(
        `update sessions set ${change} from identities where identities.id = identity_id and identities.email = $1`,
        [email],
      )
    assert.equal(await daysLeft(), 14)
    await age(`expires_at = now() + interval '3 days'`)
    assert.equal(await daysLeft(), 3) // seen less than a minute ago: nothing is written
    await age(`seen_at = now() - interval '11 days'`)
    assert.equal(await daysLeft(), 14)
    await age(`created_at = now() - interval '80 days', seen_at = now() - interval '1 day'`)
    assert.equal(await daysLeft(), 10)
    await age(`expires_at = now()`)
    assert.equal(await tokenOf(visitor), null)
    assert.equal(await tokenStatus(visitor, token), 'invalid_token')
  })

  test('a token does not outlive its session', async () => {
    const { email, visitor } = await identity.aMember()
    await identity.database.pool.query(
      `update sessions set expires_at = now() + interval '1 minute' from identities
        where identities.id = identity_id and identities.email = $1`,
      [email],
    )
    const page = await visitor.once('/api/auth/token', { method: 'POST' })
    const { expiresAt } = page.json<{ expiresAt: string }>()
    assert.ok(Date.parse(expiresAt) - Date.now() <= 60_000)
  })

  test('expired rows are purged, and no others', async () => {
    const { visitor, token } = await identity.aMember()
    const gone = await identity.aMember()
    await gone.visitor.once('/api/auth/oidc/google/start')
    const { pool } = identity.database
    const end = (email: string, change: string) =>
      pool.query(
        `update sessions set ${change} from identities
          where identities.id = identity_id and identities.email = $1`,
        [email],
      )
    await end(gone.email, `expires_at = now() - interval '61 days'`)
    const [signedOut, lately] = [await identity.aMember(), await identity.aMember()]
    await end(signedOut.email, `ended_at = now() - interval '61 days'`)
    await end(lately.email, `ended_at = now() - interval '59 days'`)
    await pool.query('update identity_tokens set expires_at = now()')
    await pool.query('update openid_attempts set expires_at = now()')
    await pool.query(`update rate_limits set resets_at = now()`)
    assert.ok((await purgeExpiredIdentityRows(identity.database)) >= 3)
    assert.equal(await purgeExpiredIdentityRows(identity.database), 0)
    const { rows } = await pool.query<{ email: string }>(
      `select identities.email from sessions join identities on identities.id = identity_id
        where identities.email = any ($1)`,
      [[gone.email, signedOut.email, lately.email]],
    )
    assert.deepEqual(rows, [{ email: lately.email }])
    assert.ok((await purgeRateLimits(identity.database)) >= 1)
    assert.equal(await purgeRateLimits(identity.database), 0)
    assert.equal(await tokenStatus(visitor, token), 'ok')
  })
})

describe('over https', () => {
  const identity = useIdentity({ publicUrl: 'https://tallywork.example', production: true, demo: false })

  test('the cookie is Secure and bound to this host', async () => {
    const page = await identity.visitor().once('/api/auth/sign-up', { json: identity.aNewUser() })
    const [cookie = ''] = page.headers.getSetCookie()
    assert.match(
      cookie,
      /^__Host-tallywork=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    )
  })
})
