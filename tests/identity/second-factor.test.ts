import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { purgeExpiredIdentityRows } from '#server/identity/purge-expired.ts'
import { addAuthenticator, codeOf } from '#tests/support/authenticator.ts'
import { anApp, codeIn, PASSWORD, tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import { childEnvironment } from '#tests/support/server-process.ts'
import { TEST_SECRET } from '#tests/support/signing-keys.ts'
import { aVisitor, type Visitor } from '#tests/support/visitor.ts'

type Status = { factors: { _id: string; kind: string }[]; recoveryCodesLeft: number }

describe('a second factor', () => {
  const identity = useIdentity()

  async function aProtectedMember() {
    const member = await identity.aMember()
    return { ...member, ...(await addAuthenticator(member)) }
  }
  const signIn = (visitor: Visitor, email: string, password = PASSWORD) =>
    visitor.once('/api/auth/sign-in', { json: { email, password } })
  const enter = (visitor: Visitor, code: string) => visitor.once('/api/auth/sign-in/code', { json: { code } })
  /** A new browser in which the password was accepted. */
  async function halfway(email: string) {
    const visitor = identity.visitor()
    assert.equal(codeIn(await signIn(visitor, email)), 'second_factor_required')
    return visitor
  }
  const statusOf = async ({ visitor, authorization }: { visitor: Visitor; authorization: string }) =>
    (await visitor.once('/api/auth/second-factor', { headers: { authorization } })).json<Status>()

  test('the password alone starts no session and gives no token', async () => {
    const { email, visitor: owner, token } = await aProtectedMember()
    const visitor = identity.visitor()
    const response = await signIn(visitor, email)
    assert.deepEqual([response.status, codeIn(response)], [401, 'second_factor_required'])
    assert.equal(await tokenOf(visitor), null)
    assert.equal(
      [...visitor.jar.values()].some(({ name }) => name === 'tallywork'),
      false,
    )
    assert.equal(await tokenStatus(owner, token), 'ok') // existing sessions stay
  })

  test('a code of the app completes the sign-in, once', async () => {
    const { email, secret } = await aProtectedMember()
    const visitor = await halfway(email)
    const pending = await visitor.once('/api/auth/sign-in/second-factor')
    assert.deepEqual(pending.json(), { methods: ['authenticator', 'recovery-code'] })
    const cookie = [...visitor.jar.values()].find(({ name }) => name === 'tallywork-sign-in')?.value
    assert.ok(cookie)

    const code = await codeOf(secret, 1)
    const completed = await enter(visitor, `${code.slice(0, 3)} ${code.slice(3)}`)
    assert.deepEqual(
      [completed.status, completed.json<{ user: object }>().user],
      [200, { email, name: 'Ruma' }],
    )
    assert.notEqual(await tokenOf(visitor), null)

    // The same pending sign-in and the same code are both used up.
    const replay = await identity.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/code',
      cookies: { 'tallywork-sign-in': cookie },
      payload: { code },
    })
    assert.equal(replay.json<{ error: { code: string } }>().error.code, 'sign_in_required')
    assert.equal(codeIn(await enter(await halfway(email), code)), 'invalid_fields')
  })

  test('ten browsers that enter the same code at once start one session', async () => {
    const { email, secret } = await aProtectedMember()
    const visitors = await Promise.all(Array.from({ length: 10 }, () => halfway(email)))
    const code = await codeOf(secret, 1)
    const statuses = await Promise.all(visitors.map(async (visitor) => (await enter(visitor, code)).status))
    assert.equal(statuses.filter((status) => status === 200).length, 1)
  })

  test('codes from further than one step away are wrong', async () => {
    const { email, secret } = await aProtectedMember()
    const visitor = await halfway(email)
    for (const steps of [-3, 3, 20]) {
      assert.equal(codeIn(await enter(visitor, await codeOf(secret, steps))), 'invalid_fields')
    }
  })

  test('guesses are limited over all instances; a recovery code still works then', async () => {
    const { email, secret, recoveryCodes } = await aProtectedMember()
    const other = await anApp(identity.context)
    const browsers = [await halfway(email), aVisitor(other, identity.config.publicUrl)]
    await signIn(browsers[1] as Visitor, email)
    const guess = (index: number) => enter(browsers[index % 2] as Visitor, '000000')
    for (let index = 0; index < 10; index++) assert.equal((await guess(index)).status, 422)
    assert.equal((await guess(0)).status, 429)
    assert.equal((await guess(1)).status, 429)
    const { rows } = await identity.database.pool.query(
      `select hits from rate_limits join identities on key = 'second-factor-day:' || identities.id where email = $1`,
      [email],
    )
    assert.deepEqual(rows, [{ hits: 10 }]) // what is refused does not count for the day
    assert.equal((await enter(await halfway(email), await codeOf(secret, 1))).status, 429)
    assert.equal((await enter(await halfway(email), recoveryCodes[0] ?? '')).status, 200)
    await other.close()
  })

  test('a recovery code works once, in any spelling, and is reported by mail', async () => {
    const { email, recoveryCodes } = await aProtectedMember()
    assert.equal(new Set(recoveryCodes).size, 10)
    const [first = '', second = ''] = recoveryCodes
    assert.match(first, /^([2-9a-z]{4}-){3}[2-9a-z]{4}$/)
    const visitor = await halfway(email)
    assert.equal((await enter(visitor, first.toUpperCase().replaceAll('-', ' '))).status, 200)
    const authorization = `Bearer ${await tokenOf(visitor)}`
    assert.equal((await statusOf({ visitor, authorization })).recoveryCodesLeft, 9)
    assert.equal(codeIn(await enter(await halfway(email), first)), 'invalid_fields')
    const mails = await identity.mailTo(email)
    assert.equal(mails.at(-1)?.data.change, 'recovery-code-used')

    // New codes replace all earlier ones.
    const replaced = await visitor.once('/api/auth/second-factor/recovery-codes', {
      method: 'POST',
      headers: { authorization },
    })
    const [fresh = ''] = replaced.json<{ recoveryCodes: string[] }>().recoveryCodes
    assert.equal(codeIn(await enter(await halfway(email), second)), 'invalid_fields')
    assert.equal((await enter(await halfway(email), fresh)).status, 200)
  })

  test('a code of one user does not complete the sign-in of another', async () => {
    const [one, two] = [await aProtectedMember(), await aProtectedMember()]
    const visitor = await halfway(one.email)
    assert.equal(codeIn(await enter(visitor, await codeOf(two.secret, 1))), 'invalid_fields')
    assert.equal(codeIn(await enter(visitor, two.recoveryCodes[0] ?? '')), 'invalid_fields')
  })

  test('nothing is accepted without a pending sign-in, or after it expired', async () => {
    const { email, secret, recoveryCodes } = await aProtectedMember()
    assert.equal(codeIn(await enter(identity.visitor(), recoveryCodes[0] ?? '')), 'sign_in_required')
    const visitor = await halfway(email)
    await identity.database.pool.query(`update pending_sign_ins set expires_at = now() - interval '1 second'`)
    assert.equal(codeIn(await enter(visitor, await codeOf(secret, 1))), 'sign_in_required')
    assert.deepEqual((await visitor.once('/api/auth/sign-in/second-factor')).json(), { methods: [] })
    await purgeExpiredIdentityRows(identity.database)
    const { rows } = await identity.database.pool.query('select from pending_sign_ins')
    assert.equal(rows.length, 0)
  })

  test('a password reset keeps the factor of a verified user, and ends sign-ins that wait for it', async () => {
    const { email, secret } = await aProtectedMember()
    await identity.database.pool.query('update identities set email_verified_at = now() where email = $1', [
      email,
    ])
    const visitor = await halfway(email)
    await visitor.once('/api/auth/request-reset', { json: { email } })
    const token = await identity.tokenIn(email, 'reset-password')
    const password = 'Sesame!again'
    assert.equal((await visitor.once('/api/auth/reset', { json: { token, password } })).status, 204)
    assert.equal(codeIn(await enter(visitor, await codeOf(secret, 1))), 'wrong_credentials')
    assert.equal(codeIn(await signIn(identity.visitor(), email, password)), 'second_factor_required')
  })

  test('a factor that a stranger put on an unverified email ends when its owner resets the password', async () => {
    const { email } = await aProtectedMember()
    const owner = identity.visitor()
    await owner.once('/api/auth/request-reset', { json: { email } })
    const token = await identity.tokenIn(email, 'reset-password')
    await owner.once('/api/auth/reset', { json: { token, password: 'Sesame!again' } })
    assert.equal((await signIn(owner, email, 'Sesame!again')).status, 200)
  })

  test('a stolen token adds, removes and replaces nothing, not even with the password', async () => {
    const { id, visitor, authorization, secret, email } = await aProtectedMember()
    const headers = { authorization }
    const expire = () =>
      identity.database.pool.query(`update sessions set proved_at = now() - interval '601 seconds'`)
    const send = async (method: string, path: string, json?: object) => {
      const page = await visitor.once(`/api/auth/${path}`, { method, headers, ...(json && { json }) })
      return page.status < 300 ? 'ok' : codeIn(page)
    }
    await expire()
    assert.equal(await send('POST', 'second-factor/authenticator'), 'proof_required')
    assert.equal(
      await send('POST', `second-factor/authenticator/${id}/confirm`, { code: '000000' }),
      'proof_required',
    )
    assert.equal(await send('DELETE', `second-factor/${id}`), 'proof_required')
    assert.equal(await send('POST', 'second-factor/recovery-codes'), 'proof_required')
    assert.equal(await send('POST', 'step-up', { currentPassword: PASSWORD }), 'state_conflict')
    assert.equal(await send('POST', 'step-up/code', { code: '000000' }), 'invalid_fields')
    assert.equal(await send('DELETE', `second-factor/${id}`), 'proof_required')
    const newPassword = { currentPassword: PASSWORD, password: 'Sesame!again' }
    const newEmail = { currentPassword: PASSWORD, email: `new.${email}` }
    assert.equal(await send('POST', 'change-password', newPassword), 'proof_required')
    assert.equal(await send('POST', 'change-email', newEmail), 'proof_required')
    assert.deepEqual(await identity.mailTo(newEmail.email), [])

    assert.equal(await send('POST', 'step-up/code', { code: await codeOf(secret, 1) }), 'ok')
    assert.equal(await send('POST', 'change-email', newEmail), 'ok')
    assert.equal(await send('DELETE', `second-factor/${id}`), 'ok')
    assert.equal((await signIn(identity.visitor(), email)).status, 200)
    await expire()
    assert.equal(await send('POST', 'change-password', newPassword), 'ok') // without a second factor
  })

  test('a secret counts once it is confirmed; a wrong code confirms nothing', async () => {
    const member = await identity.aMember()
    const headers = { authorization: member.authorization }
    const begun = await member.visitor.once('/api/auth/second-factor/authenticator', {
      method: 'POST',
      headers,
    })
    const { _id, secret, uri } = begun.json<{ _id: string; secret: string; uri: string }>()
    assert.match(uri, new RegExp(`^otpauth://totp/.*ruma.*secret=${secret}`))
    const confirm = (code: string, as = headers) =>
      member.visitor.once(`/api/auth/second-factor/authenticator/${_id}/confirm`, {
        json: { code },
        headers: as,
      })
    assert.equal(codeIn(await confirm('000000')), 'invalid_fields')
    const stranger = await identity.aMember()
    assert.equal(
      codeIn(await confirm(await codeOf(secret), { authorization: stranger.authorization })),
      'not_found',
    )
    assert.deepEqual((await statusOf(member)).factors, [])
    assert.equal((await signIn(identity.visitor(), member.email)).status, 200)
    assert.equal((await confirm(await codeOf(secret))).status, 200)
    const repeated = await confirm(await codeOf(secret, 1))
    assert.equal(codeIn(repeated), 'state_conflict')
    assert.match(repeated.text, /This app was added already/)
    assert.deepEqual(
      (await identity.mailTo(member.email)).filter(({ template }) => template === 'second-factor-changed')
        .length,
      1,
    )
  })

  test('removing the last factor deletes the recovery codes and is reported by mail', async () => {
    const member = await aProtectedMember()
    const second = await addAuthenticator(member)
    assert.deepEqual(second.recoveryCodes, [])
    const remove = (id: string, authorization = member.authorization) =>
      member.visitor.once(`/api/auth/second-factor/${id}`, { method: 'DELETE', headers: { authorization } })
    const stranger = await identity.aMember()
    assert.equal(codeIn(await remove(member.id, stranger.authorization)), 'not_found')
    assert.equal((await remove(member.id)).status, 204)
    assert.deepEqual((await statusOf(member)).recoveryCodesLeft, 10)
    assert.equal((await remove(second.id)).status, 204)
    assert.deepEqual(await statusOf(member), { factors: [], recoveryCodesLeft: 0, required: false })
    assert.equal((await signIn(identity.visitor(), member.email)).status, 200)
    assert.equal((await identity.mailTo(member.email)).at(-1)?.data.change, 'factor-removed')
  })

  test('the operator resets it: no factor, no session, a mail, and the password alone signs in', async () => {
    const { email, visitor, token } = await aProtectedMember()
    const reset = (of: string) =>
      spawnSync(process.execPath, ['server/identity/second-factor/reset-second-factor-command.ts', of], {
        env: { ...childEnvironment(), DATABASE_URL: identity.url, AUTH_SECRET: TEST_SECRET },
        encoding: 'utf8',
      })
    const { status, stdout, stderr } = reset(email.toUpperCase())
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^Removed the second factors \(1\) of /)
    assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    assert.equal((await identity.mailTo(email)).at(-1)?.data.change, 'all-removed')
    assert.equal((await signIn(identity.visitor(), email)).status, 200)
    const withoutEmail = reset('')
    assert.deepEqual(
      [withoutEmail.status, withoutEmail.stderr],
      [2, 'Usage: npm run reset-second-factor -- EMAIL\n'],
    )
    const unknown = reset('nobody@example.com')
    assert.deepEqual([unknown.status, unknown.stderr.trim()], [1, 'Nobody signs in with nobody@example.com'])
  })

  test('the database holds neither secrets nor recovery codes', async () => {
    const { secret, recoveryCodes } = await aProtectedMember()
    const { rows } = await identity.database.pool.query<{ text: string }>(
      `select encode(secret_encrypted, 'escape') as text from totp_secrets
       union all select encode(hash, 'escape') from recovery_codes`,
    )
    for (const { text } of rows) {
      for (const value of [secret, ...recoveryCodes]) assert.equal(text.includes(value), false)
    }
  })
})
