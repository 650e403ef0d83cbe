import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startSession } from '#server/identity/sessions.ts'
import { registerUser } from '#server/users/register.ts'
import { enableApiEvents } from '#tests/support/api-events.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer } from '#tests/support/factories.ts'
import { codeIn, PASSWORD, tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'

const NEW = 'Another!one'

describe('links in mail', () => {
  const identity = useIdentity()

  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    identity.visitor().once(`/api/auth/${path}`, { json, headers })
  const signIn = async (email: string, password: string) =>
    (await post('sign-in', { email, password })).status
  const isVerified = async (email: string) => {
    const { rows } = await identity.database.pool.query<{ verified: boolean }>(
      'select email_verified_at is not null as verified from identities where email = $1',
      [email],
    )
    return rows[0]?.verified
  }
  /** A member who has asked for a reset, and the token from the mail. */
  async function aUserWithResetLink() {
    const member = await identity.aMember()
    await post('request-reset', { email: member.email })
    return { ...member, reset: await identity.tokenIn(member.email, 'reset-password') }
  }

  test('sign-up sends a link that verifies the email, once', async () => {
    const { email, visitor } = await identity.aMember()
    const [mail] = await identity.mailTo(email)
    assert.equal(mail?.template, 'verify-email')
    assert.match(mail.link ?? '', /^http:\/\/localhost:4300\/verify#token=[\w-]{43}$/)
    const token = await identity.tokenIn(email, 'verify-email')
    assert.equal(await isVerified(email), false)
    const verify = () => visitor.once('/api/auth/verify', { json: { token } })
    assert.deepEqual((await verify()).json(), { email })
    assert.equal(await isVerified(email), true)
    assert.equal(codeIn(await verify()), 'link_expired')
  })

  test('a link is checked without being used, for its own purpose only, and not after its use', async () => {
    const { reset } = await aUserWithResetLink()
    const isUsable = async (purpose: string) => {
      const response = await post('check-link', { purpose, token: reset })
      return (response.json() as { usable: boolean }).usable
    }
    assert.deepEqual([await isUsable('reset'), await isUsable('reset')], [true, true])
    assert.deepEqual([await isUsable('verify'), await isUsable('setup')], [false, false])
    assert.equal((await post('reset', { token: reset, password: NEW })).status, 204)
    assert.equal(await isUsable('reset'), false)
  })

  test('the owner’s click does not verify an account that a stranger created with their email', async () => {
    const { email } = await identity.aMember()
    const owner = await identity.aMember()
    const token = await identity.tokenIn(email, 'verify-email')
    assert.equal(codeIn(await post('verify', { token })), 'sign_in_required')
    const signedIn = await owner.visitor.once('/api/auth/verify', { json: { token } })
    assert.equal(codeIn(signedIn), 'sign_in_required')
    assert.equal(codeIn(await post('verify', { token, password: 'Owner!guess' })), 'wrong_credentials')
    assert.equal(await isVerified(email), false)
  })

  test('on another device the password replaces the session, and cannot be guessed there', async () => {
    const { email } = await identity.aMember()
    const token = await identity.tokenIn(email, 'verify-email')
    const { email: other } = await identity.aMember()
    const otherToken = await identity.tokenIn(other, 'verify-email')
    assert.equal((await post('verify', { token, password: PASSWORD })).status, 200)
    assert.equal(await isVerified(email), true)
    for (let time = 0; time < 10; time++) await post('verify', { token: otherToken, password: 'Wrong!pass' })
    assert.equal(codeIn(await post('verify', { token: otherToken, password: PASSWORD })), 'too_many_requests')
  })

  test('a mail scanner that opens the link does not use it: the token is in the fragment, and a GET does nothing', async () => {
    const { email, reset } = await aUserWithResetLink()
    const mail = (await identity.mailTo(email)).find(({ template }) => template === 'reset-password')
    const link = new URL(mail?.link ?? '')
    assert.equal(link.search, '')
    assert.equal(link.hash, `#token=${reset}`)
    for (const method of ['GET', 'HEAD']) {
      const page = await identity.visitor().once(`/api/auth/reset?token=${reset}`, { method })
      assert.equal(page.status, 404)
    }
    assert.equal((await post('reset', { token: reset, password: NEW })).status, 204)
  })

  test('neither the table nor the outbox contains a token in clear', async () => {
    const { reset } = await aUserWithResetLink()
    for (const table of ['identity_tokens', 'outbox']) {
      const { rows } = await identity.database.pool.query(`select * from ${table}`)
      assert.ok(rows.length > 0)
      assert.equal(JSON.stringify(rows).includes(reset), false)
    }
  })

  test('a reset ends every session and token, and the old password', async () => {
    const { email, visitor, token, reset } = await aUserWithResetLink()
    assert.equal((await post('reset', { token: reset, password: NEW })).status, 204)
    assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    assert.equal(await tokenOf(visitor), null)
    assert.equal(await signIn(email, PASSWORD), 401)
    assert.equal(await signIn(email, NEW), 200)
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
    assert.equal((await post('reset', { token: reset, password: NEW })).status, 204)
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
    assert.equal((await post('reset', { token: reset, password: NEW })).status, 204)
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
    assert.equal((await post('reset', { token: reset, password: NEW })).status, 204)
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
      assert.equal(codeIn(await post('reset', { token, password: NEW })), 'link_expired')
    }
  })

  test('a sign-in in flight with the old password fails after a reset', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, reset } = await aUserWithResetLink()
      const browsers = Array.from({ length: 6 }, () => identity.visitor())
      const signingIn = browsers.map((one) =>
        one.once('/api/auth/sign-in', { json: { email, password: PASSWORD } }),
      )
      await post('reset', { token: reset, password: NEW })
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
    const json = { currentPassword: PASSWORD, password: NEW }
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
    assert.equal(codeIn(await post('reset', { token: verification, password: NEW })), 'link_expired')
    assert.equal(codeIn(await post('reset', { token: 'x'.repeat(43), password: NEW })), 'link_expired')
    await identity.database.pool.query('update identity_tokens set expires_at = now()')
    assert.equal(codeIn(await post('reset', { token: reset, password: NEW })), 'link_expired')
    assert.equal(codeIn(await post('verify', { token: verification })), 'link_expired')
  })

  test('a weak new password is refused and the link stays valid', async () => {
    const { reset } = await aUserWithResetLink()
    assert.equal(codeIn(await post('reset', { token: reset, password: 'weak' })), 'invalid_fields')
    assert.equal((await post('reset', { token: reset, password: NEW })).status, 204)
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

  test('a changed password ends the other sessions and keeps this one', async () => {
    const { email, visitor, token, authorization } = await identity.aMember()
    const other = identity.visitor()
    await other.once('/api/auth/sign-in', { json: { email, password: PASSWORD } })
    const change = (currentPassword: string) =>
      visitor.once('/api/auth/change-password', {
        json: { currentPassword, password: NEW },
        headers: { authorization },
      })
    assert.equal(codeIn(await change('Wrong!pass')), 'invalid_fields')
    assert.equal((await change(PASSWORD)).status, 204)
    assert.equal(await tokenStatus(visitor, token), 'ok')
    assert.equal(await tokenOf(other), null)
    assert.equal(await signIn(email, PASSWORD), 401)
    assert.equal(await signIn(email, NEW), 200)
  })

  test('a stolen session cannot be used to guess the password', async () => {
    const { visitor, authorization } = await identity.aMember()
    const json = { currentPassword: 'Wrong!pass', password: NEW }
    const codes = []
    for (let time = 0; time < 11; time++) {
      codes.push(
        codeIn(await visitor.once('/api/auth/change-password', { json, headers: { authorization } })),
      )
    }
    assert.deepEqual(codes, [...Array(10).fill('invalid_fields'), 'too_many_requests'])
  })

  test('an email changes when the link sent to the new one is followed; the old one is notified', async () => {
    const { email, visitor, token, authorization } = await identity.aMember()
    const wanted = `New.${email}`
    const json = { email: wanted, currentPassword: PASSWORD }
    const asked = await visitor.once('/api/auth/change-email', { json, headers: { authorization } })
    assert.equal(asked.status, 202)
    assert.equal(await signIn(wanted, PASSWORD), 401)
    const link = await identity.tokenIn(wanted, 'verify-email')
    assert.equal(codeIn(await post('verify', { token: link })), 'sign_in_required')
    assert.deepEqual((await visitor.once('/api/auth/verify', { json: { token: link } })).json(), {
      email: wanted,
    })

    assert.equal(await signIn(email, PASSWORD), 401)
    assert.equal(await signIn(wanted.toLowerCase(), PASSWORD), 200)
    assert.equal(await tokenStatus(visitor, token), 'ok')
    const details = await visitor.once(`/api/user-details/${wanted}`, { headers: { authorization } })
    assert.equal(details.json<{ email: string }>().email, wanted)
    assert.ok((await identity.mailTo(email)).some(({ template }) => template === 'email-changed'))
  })

  test('the links of a deleted user do nothing, so that the email stays taken', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const wanted = `later.${email}`
    const json = { email: wanted, currentPassword: PASSWORD }
    await visitor.once('/api/auth/change-email', { json, headers: { authorization } })
    await post('request-reset', { email })
    const change = await identity.tokenIn(wanted, 'verify-email')
    const reset = await identity.tokenIn(email, 'reset-password')
    await identity.deleteUserByEmail(email)
    assert.equal(codeIn(await post('verify', { token: change, password: PASSWORD })), 'link_expired')
    assert.equal(codeIn(await post('reset', { token: reset, password: NEW })), 'link_expired')
    assert.equal(codeIn(await post('sign-up', { name: 'Ruma', email, password: PASSWORD })), 'email_taken')
  })

  test('an email in use cannot be taken, at the request or when the link is followed', async () => {
    const [one, two] = [await identity.aMember(), await identity.aMember()]
    const ask = (who: typeof one, email: string) =>
      who.visitor.once('/api/auth/change-email', {
        json: { email, currentPassword: PASSWORD },
        headers: { authorization: who.authorization },
      })
    assert.equal((await ask(one, two.email.toUpperCase())).status, 202)
    assert.equal((await identity.mailTo(two.email.toUpperCase())).length, 0)

    const free = `free.${one.email}`
    await ask(one, free)
    const first = await identity.tokenIn(free, 'verify-email')
    await ask(two, free)
    const second = await identity.tokenIn(free, 'verify-email')
    const responses = await Promise.all([
      one.visitor.once('/api/auth/verify', { json: { token: first } }),
      two.visitor.once('/api/auth/verify', { json: { token: second } }),
    ])
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
  })

  test('an email that changes during the registration is not registered', async () => {
    const [visitor, newcomer] = [identity.visitor(), identity.aNewUser()]
    await visitor.once('/api/auth/sign-up', { json: newcomer })
    const authorization = `Bearer ${await tokenOf(visitor)}`
    const { pool } = identity.database
    await inOpenTransaction(pool, async (change) => {
      await change.query('update identities set email = $2, email_key = $2 where email = $1', [
        newcomer.email,
        `new.${newcomer.email}`,
      ])
      const json = { email: newcomer.email, role: 'Worker' }
      const registration = visitor.once('/api/user-data', { json, headers: { authorization } })
      await eventually(() => lockWaits(pool))
      await change.query('commit')
      assert.equal(codeIn(await registration), 'not_yours')
    })
    const { rows } = await pool.query('select from users where email = $1', [newcomer.email])
    assert.equal(rows.length, 0)
  })

  test('the verification mail can be resent a few times, and not to verified users', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const again = () =>
      visitor.once('/api/auth/request-verification', { method: 'POST', headers: { authorization } })
    for (let time = 0; time < 5; time++) assert.equal((await again()).status, 202)
    assert.equal(codeIn(await again()), 'too_many_requests')
    await visitor.once('/api/auth/verify', { json: { token: await identity.tokenIn(email, 'verify-email') } })
    const before = (await identity.mailTo(email)).length
    assert.equal((await again()).status, 202)
    assert.equal((await identity.mailTo(email)).length, before)
  })

  test('the resent mail has the language of the user, or of the request of an identity that is no user yet', async () => {
    const bangla = { 'accept-language': 'bn' }
    const localesOf = async (email: string) => (await identity.mailTo(email)).map(({ locale }) => locale)
    const user = await identity.aMember()
    const resend = (visitor: typeof user.visitor, authorization: string) =>
      visitor.once('/api/auth/request-verification', {
        method: 'POST',
        headers: { authorization, ...bangla },
      })
    await resend(user.visitor, user.authorization)
    assert.deepEqual(await localesOf(user.email), ['en', 'en'])

    const visitor = identity.visitor()
    const newcomer = identity.aNewUser()
    await visitor.once('/api/auth/sign-up', { json: newcomer, headers: bangla })
    await resend(visitor, `Bearer ${await tokenOf(visitor)}`)
    assert.deepEqual(await localesOf(newcomer.email), ['bn', 'bn'])
  })

  test('the mails of a new password or email have the language of the request of an identity that is no user yet', async () => {
    const [visitor, newcomer] = [identity.visitor(), identity.aNewUser()]
    const send = async (path: string, json: object, headers = {}) => {
      const { status, text } = await visitor.once(`/api/auth/${path}`, {
        json,
        headers: { 'accept-language': 'bn', ...headers },
      })
      assert.ok(status < 300, text)
    }
    const { email } = newcomer
    await send('sign-up', newcomer)
    await send('request-reset', { email })
    await send('reset', { token: await identity.tokenIn(email, 'reset-password'), password: NEW })
    await send('sign-in', { email, password: NEW })
    const headers = { authorization: `Bearer ${await tokenOf(visitor)}` }
    await send('change-password', { currentPassword: NEW, password: PASSWORD }, headers)
    const wanted = `new.${email}`
    await send('change-email', { email: wanted, currentPassword: PASSWORD }, headers)
    await send('verify', { token: await identity.tokenIn(wanted, 'verify-email') })
    const mails = [...(await identity.mailTo(email)), ...(await identity.mailTo(wanted))]
    assert.deepEqual(
      mails.map(({ template, locale }) => [template, locale]),
      [
        ['verify-email', 'bn'],
        ['reset-password', 'bn'],
        ['password-changed', 'bn'],
        ['password-changed', 'bn'],
        ['email-changed', 'bn'],
        ['verify-email', 'bn'],
      ],
    )
  })
})

describe('where sign-in requires a verified email', () => {
  const identity = useIdentity({ verifyFor: new Set(['sign-in']) })

  test('sign-up starts no session; following the link does', async () => {
    const visitor = identity.visitor()
    const user = identity.aNewUser()
    assert.equal((await visitor.once('/api/auth/sign-up', { json: user })).status, 201)
    assert.equal(await tokenOf(visitor), null)
    const signIn = () =>
      visitor.once('/api/auth/sign-in', { json: user, headers: { 'accept-language': 'bn' } })
    assert.equal(codeIn(await signIn()), 'email_not_verified')
    assert.deepEqual(
      (await identity.mailTo(user.email)).map(({ locale }) => locale),
      ['en', 'bn'],
    )
    const wrong = await visitor.once('/api/auth/sign-in', { json: { ...user, password: 'Wrong!pass' } })
    assert.equal(codeIn(wrong), 'wrong_credentials')
    const token = await identity.tokenIn(user.email, 'verify-email')
    await visitor.once('/api/auth/verify', { json: { token, password: user.password } })
    assert.equal((await signIn()).status, 200)
  })
})
