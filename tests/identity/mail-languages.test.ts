import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NEW_PASSWORD, PASSWORD, tokenOf, useIdentity } from '#tests/support/identity.ts'

describe('the languages of mails', () => {
  const identity = useIdentity()

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
    await send('reset', { token: await identity.tokenIn(email, 'reset-password'), password: NEW_PASSWORD })
    await send('sign-in', { email, password: NEW_PASSWORD })
    const headers = { authorization: `Bearer ${await tokenOf(visitor)}` }
    await send('change-password', { currentPassword: NEW_PASSWORD, password: PASSWORD }, headers)
    const wanted = `new.${email}`
    await send('change-email', { email: wanted, currentPassword: PASSWORD }, headers)
    await send('verify', { token: await identity.tokenIn(wanted, 'verify-email') })
    const mails = [...(await identity.mailTo(email)), ...(await identity.mailTo(wanted))]
    assert.deepEqual(
      mails.map(({ template, locale, data }) => [template, locale, data.method ?? data.purpose]),
      [
        ['verify-email', 'bn', 'verify-email'],
        ['reset-password', 'bn', undefined],
        ['password-changed', 'bn', 'link'],
        ['password-changed', 'bn', 'password'],
        ['email-changed', 'bn', undefined],
        ['verify-email', 'bn', 'change-email'],
      ],
    )
  })
})
