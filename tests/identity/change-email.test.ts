import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '#tests/support/eventually.ts'
import { codeIn, NEW_PASSWORD, PASSWORD, tokenOf, tokenStatus } from '#tests/support/identity.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { useMailLinks } from '#tests/support/mail-links.ts'

describe('a change of the email', () => {
  const { identity, post, signIn } = useMailLinks()

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
    assert.equal(codeIn(await post('reset', { token: reset, password: NEW_PASSWORD })), 'link_expired')
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
})
