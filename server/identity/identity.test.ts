import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anAdmin } from '#tests/support/factories.ts'
import { answerTo, codeIn, tokenOf, useIdentity } from '#tests/support/identity.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { setupLink } from './setup.ts'

describe('identity', () => {
  const identity = useIdentity()

  const roleOf = async (visitor: Visitor, email: string) => {
    const headers = { authorization: `Bearer ${await tokenOf(visitor)}` }
    return (await visitor.once(`/api/user-details/${email}`, { headers })).json<{ role: string }>().role
  }

  test('sign up, get a token, register, call, sign out: the token stops at the next call', async () => {
    const visitor = identity.visitor()
    const person = identity.aNewPerson()
    const signedUp = await visitor.once('/api/auth/sign-up', { json: person })
    assert.equal(signedUp.status, 201)
    assert.deepEqual(signedUp.json(), { user: { email: person.email, name: person.name } })

    const page = await visitor.once('/api/auth/token', { method: 'POST' })
    const { token, expiresAt } = page.json<{ token: string; expiresAt: string }>()
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
    assert.ok(minutes > 9.9 && minutes <= 10)

    const headers = { authorization: `Bearer ${token}` }
    const details = () => visitor.once(`/api/user-details/${person.email}`, { headers })
    assert.equal(codeIn(await details()), 'not_registered')
    await visitor.once('/api/user-data', { json: { email: person.email, role: 'Worker' }, headers })
    assert.equal((await details()).json<{ coin: number }>().coin, 10)

    const out = await visitor.once('/api/auth/sign-out', { method: 'POST' })
    assert.equal(out.status, 204)
    assert.equal(codeIn(await details()), 'invalid_token')
    assert.equal(await tokenOf(visitor), null)
  })

  test('a stranger who asks for a token is told 204, without a body', async () => {
    const page = await identity.visitor().once('/api/auth/token', { method: 'POST' })
    assert.deepEqual([page.status, page.text], [204, ''])
  })

  test('password rules have the prescribed messages', async () => {
    const said = async (password: string) => {
      const json = { ...identity.aNewPerson(), password }
      const page = await identity.visitor().once('/api/auth/sign-up', { json })
      assert.equal(page.status, 422)
      return page.json<{ error: { fields: { password: string } } }>().error.fields.password
    }
    assert.equal(await said(''), 'Password is required')
    assert.equal(await said('Ab!1'), 'Minimum 6 characters')
    assert.equal(await said('sesame!'), 'Must include uppercase letter')
    assert.equal(await said('SESAME!'), 'Must include lowercase letter')
    assert.equal(await said('Sesame1'), 'Must include special character')
  })

  test('the same password typed on another keyboard is the same password', async () => {
    const person = { ...identity.aNewPerson(), password: 'Caf\u00e9!open' }
    await identity.visitor().once('/api/auth/sign-up', { json: person })
    const json = { email: person.email, password: 'Cafe\u0301!open' }
    assert.equal((await identity.visitor().once('/api/auth/sign-in', { json })).status, 200)
  })

  test('without a token one is asked to sign in; with a broken one the session is said to have ended', async () => {
    const visitor = identity.visitor()
    assert.equal(codeIn(await visitor.once('/api/auth/identity')), 'sign_in_required')
    for (const token of ['nonsense', 'a.b.c', '', 'x'.repeat(5000)]) {
      assert.equal(await answerTo(visitor, token), 'invalid_token')
    }
  })

  test('a changed role counts at the next call, with the token one has', async () => {
    const { email, visitor } = await identity.aMember()
    assert.equal(await roleOf(visitor, email), 'Worker')
    await identity.database.pool.query(`update users set role = 'Buyer' where email = $1`, [email])
    assert.equal(await roleOf(visitor, email), 'Buyer')
    await identity.database.pool.query(`update users set role = 'Worker' where email = $1`, [email])
  })

  test('the setup link makes one Admin, once, however many open it', async () => {
    const link = await setupLink(identity.database, identity.config)
    assert.equal(link, await setupLink(identity.database, identity.config))
    const code = new URL(link ?? '').hash.slice('#code='.length)
    const setUp = (json: object) => identity.visitor().once('/api/setup', { json })

    assert.equal(codeIn(await setUp({ ...identity.aNewPerson(), code: `${code}x` })), 'link_expired')
    const { email } = await identity.aMember()
    assert.equal(codeIn(await setUp({ ...identity.aNewPerson(), email, code })), 'email_taken')

    const people = [1, 2, 3, 4].map(() => ({ visitor: identity.visitor(), ...identity.aNewPerson() }))
    const answers = await Promise.all(
      people.map(({ visitor, ...person }) => visitor.once('/api/setup', { json: { ...person, code } })),
    )
    const made = people.filter((_, index) => answers[index]?.status === 201)
    assert.equal(made.length, 1)
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201).map(codeIn),
      Array(3).fill('link_expired'),
    )
    const [admin] = made
    assert.ok(admin)
    assert.equal(await roleOf(admin.visitor, admin.email), 'Admin')
    assert.equal(await setupLink(identity.database, identity.config), undefined)
  })

  test('where there is an Admin there is no setup link', async () => {
    await anAdmin(identity.database)
    assert.equal(await setupLink(identity.database, identity.config), undefined)
  })

  test('a person sees how they sign in', async () => {
    const { email, name, visitor, authorization } = await identity.aMember()
    const page = await visitor.once('/api/auth/identity', { headers: { authorization } })
    assert.deepEqual(page.json(), { email, name, emailVerified: false, hasPassword: true, linkedTo: [] })
  })
})
