import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startSession } from '#server/identity/sessions.ts'
import { registerUser } from '#server/users/register.ts'
import { enableApiEvents } from '#tests/support/api-events.ts'
import { aBuyer } from '#tests/support/factories.ts'
import { codeIn, NEW_PASSWORD, PASSWORD, tokenOf, tokenStatus } from '#tests/support/identity.ts'
import { useMailLinks } from '#tests/support/mail-links.ts'

describe('password resets', () => {
  const { identity, post, signIn, isVerified, aUserWithResetLink } = useMailLinks()

  test('a reset ends every session and token, and the old password', async () => {
    const { email, visitor, token, reset } = await aUserWithResetLink()
    assert.equal((await post('reset', { token: reset, password: NEW_PASSWORD })).status, 204)
    assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    assert.equal(await tokenOf(visitor), null)
    assert.equal(await signIn(email, PASSWORD), 401)
    assert.equal(await signIn(email, NEW_PASSWORD), 200)
    assert.equal(await isVerified(email), true)
    assert.ok((await identity.mailTo(email)).some(({ template }) => template === 'password-changed'))
  })

  test('a reset revokes the API keys of the user, and only theirs', async () => {
    const { email, reset } = await aUserWithResetLink()
    const { pool } = identity.database
    const { rows: identities } = await pool.query('select id, name from identities where email_key = $1', [
      email,
    ])
    const user = { ...identities[0], email, emailKey: email }
    await registerUser(identity.database, { ...user, role: 'Buyer', image: '' })
    const other = await aBuyer(identity.database)
    for (const owner of [user, other]) await enableApiEvents(identity.database, owner)
    assert.equal((await post('reset', { token: reset, password: NEW_PASSWORD })).status, 204)
    const { rows } = await pool.query('select user_id, revoked_at is not null as revoked from api_keys')
    assert.deepEqual(new Map(rows.map(({ user_id, revoked }) => [user_id, revoked])).get(user.id), true)
    assert.deepEqual(new Map(rows.map(({ user_id, revoked }) => [user_id, revoked])).get(other.id), false)
    const log = await pool.query(
      `select kind from security_log where identity_id = $1 and kind = 'api_key_revoked'`,
      [user.id],
    )
    assert.equal(log.rows.length, 1)
  })

  /** Makes a webhook endpoint of the user with this email. */
  const anEndpointOf = (email: string) =>
    identity.database.pool.query(
      `select from users, create_webhook_endpoint(gen_random_uuid(), id, 'Own', 'https://own.example', '{payout.confirmed}', '', 10)
        where email = $1`,
      [email],
    )
  const endpointsOf = async (email: string) => {
    const { rows } = await identity.database.pool.query(
      `select state, paused_because as cause from webhook_endpoints join users on users.id = user_id where email = $1`,
      [email],
    )
    return rows
  }

  test('a reset pauses the webhook endpoints of the user, who is notified, and no others', async () => {
    const [{ email, reset }, other] = [await aUserWithResetLink(), await identity.aMember()]
    for (const owner of [email, other.email]) await anEndpointOf(owner)
    const token = await identity.tokenIn(email, 'verify-email')
    assert.equal((await post('verify', { token, password: PASSWORD })).status, 200)
    assert.equal((await post('reset', { token: reset, password: NEW_PASSWORD })).status, 204)
    assert.deepEqual(await endpointsOf(email), [{ state: 'paused', cause: 'password_reset' }])
    assert.deepEqual(await endpointsOf(other.email), [{ state: 'active', cause: null }])
    const { rows } = await identity.database.pool.query(
      `select params->>'cause' as cause from notifications join users on users.id = user_id
        where kind = 'webhook_stopped' and email = $1`,
      [email],
    )
    assert.deepEqual(rows, [{ cause: 'password_reset' }])
  })

  test('a reset deletes the webhook endpoints of a user whose email nobody had verified', async () => {
    const { email, reset } = await aUserWithResetLink()
    await anEndpointOf(email)
    assert.equal((await post('reset', { token: reset, password: NEW_PASSWORD })).status, 204)
    assert.deepEqual(await endpointsOf(email), [])
  })

  test('a reset link works once, also for ten concurrent uses, and invalidates the others', async () => {
    const { email, reset } = await aUserWithResetLink()
    await post('request-reset', { email })
    const other = await identity.tokenIn(email, 'reset-password')
    assert.notEqual(other, reset)
    const passwords = Array.from({ length: 10 }, (_, index) => `Another!one${index}`)
    const responses = await Promise.all(
      passwords.map((password) => post('reset', { token: reset, password })),
    )
    assert.equal(responses.filter(({ status }) => status === 204).length, 1)
    assert.equal(responses.filter(({ status }) => status === 422).length, 9)
    const works = await Promise.all(passwords.map((password) => signIn(email, password)))
    assert.equal(works.filter((status) => status === 200).length, 1)
    for (const token of [reset, other]) {
      assert.equal(codeIn(await post('reset', { token, password: NEW_PASSWORD })), 'link_expired')
    }
  })

  test('a sign-in in flight with the old password fails after a reset', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, reset } = await aUserWithResetLink()
      const browsers = Array.from({ length: 6 }, () => identity.visitor())
      const signingIn = browsers.map((one) =>
        one.once('/api/auth/sign-in', { json: { email, password: PASSWORD } }),
      )
      await post('reset', { token: reset, password: NEW_PASSWORD })
      await Promise.all(signingIn)
      assert.deepEqual(await Promise.all(browsers.map(tokenOf)), Array(6).fill(null))
    }
  })

  test('a session starts only with the credentials that were checked', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const { pool } = identity.database
    const { rows } = await pool.query(
      'select id, credentials_version as version from identities where email = $1',
      [email],
    )
    const json = { currentPassword: PASSWORD, password: NEW_PASSWORD }
    await visitor.once('/api/auth/change-password', { json, headers: { authorization } })
    const exchange = { db: identity.database, request: { cookies: {}, headers: {}, ip: '' }, reply: {} }
    await assert.rejects(
      startSession(identity.config, exchange as never, rows[0].id, { method: 'password' }, rows[0].version),
      {
        code: 'wrong_credentials',
      },
    )
  })

  test('an expired, wrong or guessed link does nothing', async () => {
    const { email, reset } = await aUserWithResetLink()
    const verification = await identity.tokenIn(email, 'verify-email')
    assert.equal(codeIn(await post('verify', { token: reset })), 'link_expired')
    assert.equal(codeIn(await post('reset', { token: verification, password: NEW_PASSWORD })), 'link_expired')
    assert.equal(
      codeIn(await post('reset', { token: 'x'.repeat(43), password: NEW_PASSWORD })),
      'link_expired',
    )
    await identity.database.pool.query('update identity_tokens set expires_at = now()')
    assert.equal(codeIn(await post('reset', { token: reset, password: NEW_PASSWORD })), 'link_expired')
    assert.equal(codeIn(await post('verify', { token: verification })), 'link_expired')
  })

  test('a weak new password is refused and the link stays valid', async () => {
    const { reset } = await aUserWithResetLink()
    assert.equal(codeIn(await post('reset', { token: reset, password: 'weak' })), 'invalid_fields')
    assert.equal((await post('reset', { token: reset, password: NEW_PASSWORD })).status, 204)
  })

  test('a reset request gets the same response after the same time, whether or not the account exists', async () => {
    const { email } = await identity.aMember()
    const deleted = await identity.aMember()
    await identity.deleteUserByEmail(deleted.email)
    const responses = []
    for (const address of [email, deleted.email, 'nobody@example.com']) {
      const began = performance.now()
      const page = await post('request-reset', { email: address })
      responses.push({ status: page.status, text: page.text })
      // A lower limit holds on every machine; a timer may be a little early.
      assert.ok(performance.now() - began >= 245)
    }
    assert.equal(responses[0]?.status, 202)
    for (const response of responses) assert.deepEqual(response, responses[0])
    assert.equal(
      (await identity.mailTo(deleted.email)).filter(({ template }) => template === 'reset-password').length,
      0,
    )
  })

  test('at most four reset links an hour are sent; the fifth request gets the same response', async () => {
    const { email } = await identity.aMember()
    for (let time = 0; time < 6; time++) assert.equal((await post('request-reset', { email })).status, 202)
    const mails = (await identity.mailTo(email)).filter(({ template }) => template === 'reset-password')
    assert.equal(mails.length, 4)
  })
})
