import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anAdmin } from '#tests/support/factories.ts'
import { codeIn, tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { setupLink } from './setup.ts'

describe('identity', () => {
  const identity = useIdentity()

  const roleOf = async (visitor: Visitor, email: string) => {
    const headers = { authorization: `Bearer ${await tokenOf(visitor)}` }
    return (await visitor.once(`/api/user-details/${email}`, { headers })).json<{ role: string }>().role
  }

  test('after sign-up, token, registration and sign-out, the next request with the token fails', async () => {
    const visitor = identity.visitor()
    const account = identity.aNewUser()
    const signUp = await visitor.once('/api/auth/sign-up', { json: account })
    assert.equal(signUp.status, 201)
    assert.deepEqual(signUp.json(), { user: { email: account.email, name: account.name } })

    const issued = await visitor.once('/api/auth/token', { method: 'POST' })
    const { token, expiresAt } = issued.json<{ token: string; expiresAt: string }>()
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
    assert.ok(minutes > 9.9 && minutes <= 10)

    const headers = { authorization: `Bearer ${token}` }
    const details = () => visitor.once(`/api/user-details/${account.email}`, { headers })
    assert.equal(codeIn(await details()), 'not_registered')
    await visitor.once('/api/user-data', { json: { email: account.email, role: 'Worker' }, headers })
    assert.equal((await details()).json<{ coin: number }>().coin, 10)

    const signOut = await visitor.once('/api/auth/sign-out', { method: 'POST' })
    assert.equal(signOut.status, 204)
    assert.equal(codeIn(await details()), 'invalid_token')
    assert.equal(await tokenOf(visitor), null)
  })

  test('a token request without a session returns 204 without a body', async () => {
    const response = await identity.visitor().once('/api/auth/token', { method: 'POST' })
    assert.deepEqual([response.status, response.text], [204, ''])
  })

  test('an invalid password gives the prescribed message', async () => {
    const messageFor = async (password: string) => {
      const json = { ...identity.aNewUser(), password }
      const response = await identity.visitor().once('/api/auth/sign-up', { json })
      assert.equal(response.status, 422)
      return response.json<{ error: { fields: { password: string } } }>().error.fields.password
    }
    assert.equal(await messageFor(''), 'Password is required')
    assert.equal(await messageFor('Ab!1'), 'Minimum 6 characters')
    assert.equal(await messageFor('sesame!'), 'Must include uppercase letter')
    assert.equal(await messageFor('SESAME!'), 'Must include lowercase letter')
    assert.equal(await messageFor('Sesame1'), 'Must include special character')
  })

  test('a password matches in any Unicode normal form', async () => {
    const account = { ...identity.aNewUser(), password: 'Caf\u00e9!open' }
    await identity.visitor().once('/api/auth/sign-up', { json: account })
    const json = { email: account.email, password: 'Cafe\u0301!open' }
    assert.equal((await identity.visitor().once('/api/auth/sign-in', { json })).status, 200)
  })

  test('a missing token is rejected with sign_in_required, a malformed one with invalid_token', async () => {
    const visitor = identity.visitor()
    assert.equal(codeIn(await visitor.once('/api/auth/identity')), 'sign_in_required')
    for (const token of ['nonsense', 'a.b.c', '', 'x'.repeat(5000)]) {
      assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    }
  })

  test('a changed role applies to the next request, also with an earlier token', async () => {
    const { email, visitor } = await identity.aMember()
    assert.equal(await roleOf(visitor, email), 'Worker')
    await identity.database.pool.query(`update users set role = 'Buyer' where email = $1`, [email])
    assert.equal(await roleOf(visitor, email), 'Buyer')
    await identity.database.pool.query(`update users set role = 'Worker' where email = $1`, [email])
  })

  test('concurrent uses of the setup link create exactly one Admin', async () => {
    const link = await setupLink(identity.database, identity.config)
    assert.equal(link, await setupLink(identity.database, identity.config))
    const code = new URL(link ?? '').hash.slice('#code='.length)
    const setUp = (json: object) => identity.visitor().once('/api/setup', { json })

    assert.equal(codeIn(await setUp({ ...identity.aNewUser(), code: `${code}x` })), 'link_expired')
    const { email } = await identity.aMember()
    assert.equal(codeIn(await setUp({ ...identity.aNewUser(), email, code })), 'email_taken')
    const isUsable = async (token: string) => {
      const json = { purpose: 'setup', token }
      const response = await identity.visitor().once('/api/auth/check-link', { json })
      return (response.json() as { usable: boolean }).usable
    }
    assert.deepEqual([await isUsable(code), await isUsable(`${code}x`)], [true, false])

    const candidates = [1, 2, 3, 4].map(() => ({ visitor: identity.visitor(), ...identity.aNewUser() }))
    const responses = await Promise.all(
      candidates.map(({ visitor, ...account }) => visitor.once('/api/setup', { json: { ...account, code } })),
    )
    const created = candidates.filter((_, index) => responses[index]?.status === 201)
    assert.equal(created.length, 1)
    assert.deepEqual(
      responses.filter(({ status }) => status !== 201).map(codeIn),
      Array(3).fill('link_expired'),
    )
    assert.equal(await isUsable(code), false)
    const [admin] = created
    assert.ok(admin)
    assert.equal(await roleOf(admin.visitor, admin.email), 'Admin')
    assert.ok(
      [...admin.visitor.jar.values()].some(({ name }) => name === 'tallywork-device'),
      'others cannot lock the Admin out of this browser',
    )
    assert.equal(await setupLink(identity.database, identity.config), undefined)
  })

  test('there is no setup link when an Admin exists', async () => {
    await anAdmin(identity.database)
    assert.equal(await setupLink(identity.database, identity.config), undefined)
  })

  test('the identity endpoint returns how a user signs in', async () => {
    const { email, name, visitor, authorization } = await identity.aMember()
    const response = await visitor.once('/api/auth/identity', { headers: { authorization } })
    assert.deepEqual(response.json(), {
      email,
      name,
      emailVerified: false,
      hasPassword: true,
      hasSecondFactor: false,
      linkedTo: [],
    })
  })
})
