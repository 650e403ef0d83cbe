import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PASSWORD, useIdentity } from '#tests/support/identity.ts'

describe('mail to one address', () => {
  const identity = useIdentity()
  const kinds = async (email: string) => (await identity.mailTo(email)).map(({ template }) => template)

  /** Users ask to change their email to this one, five times each: one alone passes the limit. */
  async function flood(email: string, users = 1): Promise<number[]> {
    const statuses: number[] = []
    for (let user = 0; user < users; user++) {
      const { visitor, authorization } = await identity.aMember()
      const json = { email, currentPassword: PASSWORD }
      for (let time = 0; time < 5; time++) {
        const headers = { authorization }
        statuses.push((await visitor.once('/api/auth/change-email', { json, headers })).status)
      }
    }
    return statuses
  }

  test('six users cannot send thirty mails to a stranger; their responses do not say so', async () => {
    const email = 'stranger@example.com'
    assert.deepEqual(new Set(await flood(email, 6)), new Set([202]))
    assert.equal((await kinds(email)).length, 3)
    await flood(email.toUpperCase())
    assert.equal((await kinds(email.toUpperCase())).length, 0)
  })

  test('mail limits do not keep the owner of an address from signing up and resetting the password', async () => {
    const user = identity.aNewUser()
    await flood(user.email)
    await identity.visitor().once('/api/auth/sign-up', { json: user })
    await flood(user.email)
    await identity.visitor().once('/api/auth/request-reset', { json: { email: user.email } })
    assert.deepEqual((await kinds(user.email)).slice(3), ['verify-email', 'reset-password'])
  })

  test('notices of a changed password are limited per address, and the first ones arrive', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    let [current, next] = [PASSWORD, 'Another!one']
    for (let time = 0; time < 12; time++) {
      const json = { currentPassword: current, password: next }
      const { status } = await visitor.once('/api/auth/change-password', { json, headers: { authorization } })
      assert.equal(status, 204)
      ;[current, next] = [next, current]
    }
    assert.equal((await kinds(email)).filter((kind) => kind === 'password-changed').length, 10)
  })

  test('the counts contain no address', async () => {
    const { rows } = await identity.database.pool.query(`select key from rate_limits where key like 'mail:%'`)
    assert.ok(rows.length > 0)
    assert.equal(JSON.stringify(rows).includes('example.com'), false)
  })
})
