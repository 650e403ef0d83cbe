import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeIn, NEW_PASSWORD, PASSWORD, tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import { useMailLinks } from '#tests/support/mail-links.ts'

describe('links in mail', () => {
  const { identity, post, signIn, isVerified, aUserWithResetLink } = useMailLinks()

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
    assert.equal((await post('reset', { token: reset, password: NEW_PASSWORD })).status, 204)
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
    assert.equal((await post('reset', { token: reset, password: NEW_PASSWORD })).status, 204)
  })

  test('neither the table nor the outbox contains a token in clear', async () => {
    const { reset } = await aUserWithResetLink()
    for (const table of ['identity_tokens', 'outbox']) {
      const { rows } = await identity.database.pool.query(`select * from ${table}`)
      assert.ok(rows.length > 0)
      assert.equal(JSON.stringify(rows).includes(reset), false)
    }
  })

  test('a changed password ends the other sessions and keeps this one', async () => {
    const { email, visitor, token, authorization } = await identity.aMember()
    const other = identity.visitor()
    await other.once('/api/auth/sign-in', { json: { email, password: PASSWORD } })
    const change = (currentPassword: string) =>
      visitor.once('/api/auth/change-password', {
        json: { currentPassword, password: NEW_PASSWORD },
        headers: { authorization },
      })
    assert.equal(codeIn(await change('Wrong!pass')), 'invalid_fields')
    assert.equal((await change(PASSWORD)).status, 204)
    assert.equal(await tokenStatus(visitor, token), 'ok')
    assert.equal(await tokenOf(other), null)
    assert.equal(await signIn(email, PASSWORD), 401)
    assert.equal(await signIn(email, NEW_PASSWORD), 200)
  })

  test('a stolen session cannot be used to guess the password', async () => {
    const { visitor, authorization } = await identity.aMember()
    const json = { currentPassword: 'Wrong!pass', password: NEW_PASSWORD }
    const codes = []
    for (let time = 0; time < 11; time++) {
      codes.push(
        codeIn(await visitor.once('/api/auth/change-password', { json, headers: { authorization } })),
      )
    }
    assert.deepEqual(codes, [...Array(10).fill('invalid_fields'), 'too_many_requests'])
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
