import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import cookie from '@fastify/cookie'
import Fastify, { type InjectOptions } from 'fastify'
import { answerErrors } from '#server/http/errors.ts'
import type { Services } from '#server/http/services.ts'
import { openCards } from '#server/payments/open.ts'
import { userRoutes } from '#server/users/routes.ts'
import { useDatabase } from '#tests/support/database.ts'
import { anAdmin, testConfig } from '#tests/support/stories.ts'
import { makeAuthenticate } from './authenticate.ts'
import { identityRoutes } from './routes.ts'
import { setupLink } from './setup.ts'
import { openSigningKeys } from './signing-keys.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tallywork-identity-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

describe('identity', () => {
  const db = useDatabase()
  const config = { ...testConfig, dataDir, publicUrl: 'http://localhost:4300' }
  const app = Fastify()

  before(async () => {
    const keys = await openSigningKeys(db.database, config)
    const authenticate = makeAuthenticate(db.database, keys)
    const cards = await openCards(db.database, config)
    const services = { database: db.database, config, keys, cards, authenticate }
    answerErrors(app)
    await app.register(cookie)
    identityRoutes(app, services)
    userRoutes(app, services)
  })
  after(() => app.close())

  let people = 0
  const aNewPerson = () => ({ name: 'Ruma', email: `ruma.${++people}@example.com`, password: 'Sesame!open' })

  async function post(url: string, payload?: object, headers: Record<string, string> = {}) {
    const options: InjectOptions = { method: 'POST', url: `/api${url}`, headers }
    return app.inject(payload === undefined ? options : { ...options, payload })
  }
  type Answer = Awaited<ReturnType<typeof post>>
  const codeOf = (answer: Answer) => answer.json<{ error: { code: string } }>().error.code
  const cookieOf = (answer: Answer) => {
    const [cookie] = answer.cookies
    assert.ok(cookie)
    return `${cookie.name}=${cookie.value}`
  }
  const tokenOf = async (cookie: string) =>
    (await post('/auth/token', undefined, { cookie })).json<{ token: string; expiresAt: string }>()
  const detailsOf = (email: string, token: string) =>
    app.inject({ url: `/api/user-details/${email}`, headers: { authorization: `Bearer ${token}` } })

  async function aSignedInPerson() {
    const person = aNewPerson()
    const cookie = cookieOf(await post('/auth/sign-up', person))
    const { token } = await tokenOf(cookie)
    return { ...person, cookie, token }
  }

  test('sign up, get a token, register, call, sign out: the token stops at the next call', async () => {
    const person = aNewPerson()
    const signedUp = await post('/auth/sign-up', person)
    assert.equal(signedUp.statusCode, 201)
    assert.deepEqual(signedUp.json(), { user: { email: person.email, name: 'Ruma' } })
    const [cookie] = signedUp.cookies
    assert.deepEqual(
      { name: cookie?.name, path: cookie?.path, httpOnly: cookie?.httpOnly, sameSite: cookie?.sameSite },
      { name: 'tallywork', path: '/', httpOnly: true, sameSite: 'Strict' },
    )

    const { token, expiresAt } = await tokenOf(cookieOf(signedUp))
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
    assert.ok(minutes > 9.9 && minutes <= 10)
    const authorization = `Bearer ${token}`

    assert.equal(codeOf(await detailsOf(person.email, token)), 'not_registered')
    const registered = await post('/user-data', { email: person.email, role: 'Worker' }, { authorization })
    assert.equal(registered.statusCode, 200)
    assert.equal((await detailsOf(person.email, token)).json().coin, 10)

    const out = await post('/auth/sign-out', undefined, { cookie: cookieOf(signedUp) })
    assert.equal(out.statusCode, 204)
    assert.equal(codeOf(await detailsOf(person.email, token)), 'invalid_token')
    const after = await post('/auth/token', undefined, { cookie: cookieOf(signedUp) })
    assert.equal(after.statusCode, 204)
    assert.equal(after.body, '')
  })

  test('an address is taken whatever its spelling, also at the same moment', async () => {
    const person = aNewPerson()
    const answers = await Promise.all(
      [person.email, person.email.toUpperCase(), ` ${person.email} `].map((email) =>
        post('/auth/sign-up', { ...person, email }),
      ),
    )
    assert.deepEqual(
      answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b),
      [201, 409, 409],
    )
    const taken = answers.find((answer) => answer.statusCode === 409)
    assert.ok(taken)
    assert.equal(codeOf(taken), 'email_taken')
  })

  test('the password rules speak in the words of the specification', async () => {
    const said = async (password: string) =>
      (await post('/auth/sign-up', { ...aNewPerson(), password })).json().error.fields.password
    assert.equal(await said('Ab!1'), 'Minimum 6 characters')
    assert.equal(await said('sesame!'), 'Must include uppercase letter')
    assert.equal(await said('SESAME!'), 'Must include lowercase letter')
    assert.equal(await said('Sesame1'), 'Must include special character')
  })

  test('signing in says the same of a wrong password, an unknown address and a deleted person', async () => {
    const { email, password, token } = await aSignedInPerson()
    await post('/user-data', { email, role: 'Worker' }, { authorization: `Bearer ${token}` })
    assert.equal((await post('/auth/sign-in', { email, password })).statusCode, 200)

    const wrong = await post('/auth/sign-in', { email, password: 'Wrong!pass' })
    const unknown = await post('/auth/sign-in', { email: 'nobody@example.com', password })
    await db.database.pool.query('update users set deleted_at = now() where email = $1', [email])
    const deleted = await post('/auth/sign-in', { email, password })
    for (const answer of [wrong, unknown, deleted]) {
      assert.equal(answer.statusCode, 401)
      assert.deepEqual(answer.json(), {
        error: { code: 'wrong_credentials', message: 'Email or password is wrong.' },
      })
    }
    assert.equal(codeOf(await detailsOf(email, token)), 'invalid_token')
    assert.equal(codeOf(await post('/auth/sign-up', { name: 'Again', email, password })), 'email_taken')
    await db.database.pool.query('update users set deleted_at = null where email = $1', [email])
  })

  test('without a token one is asked to sign in; with a broken one the session is said to have ended', async () => {
    assert.equal(codeOf(await app.inject({ url: '/api/user-details/a@b.c' })), 'sign_in_required')
    for (const token of ['nonsense', 'a.b.c', '']) {
      assert.equal(codeOf(await detailsOf('a@b.c', token)), 'invalid_token')
    }
  })

  test('writes from other sites are refused, own and scripts’ are not', async () => {
    const { cookie } = await aSignedInPerson()
    const token = (headers: Record<string, string>) => post('/auth/token', undefined, { cookie, ...headers })
    for (const origin of ['http://localhost:4300', 'http://127.0.0.1:4300']) {
      assert.equal((await token({ origin })).statusCode, 200)
    }
    for (const origin of ['http://localhost:4301', 'https://localhost:4300', 'http://evil.example', 'null']) {
      assert.equal(codeOf(await token({ origin })), 'wrong_origin')
    }
    assert.equal(codeOf(await token({ 'sec-fetch-site': 'cross-site' })), 'wrong_origin')
    assert.equal((await token({ 'sec-fetch-site': 'same-origin' })).statusCode, 200)
  })

  test('signing in again in the same browser ends its earlier session', async () => {
    const { email, password, cookie, token } = await aSignedInPerson()
    const again = await post('/auth/sign-in', { email, password }, { cookie })
    assert.notEqual(cookieOf(again), cookie)
    assert.equal(codeOf(await detailsOf(email, token)), 'invalid_token')
  })

  test('ten wrong passwords from one network close the door there, and a right one before that opens it again', async () => {
    const { email, password } = await aSignedInPerson()
    const wrong = () => post('/auth/sign-in', { email, password: 'Wrong!pass' })
    for (let attempt = 0; attempt < 9; attempt++) assert.equal(codeOf(await wrong()), 'wrong_credentials')
    assert.equal((await post('/auth/sign-in', { email, password })).statusCode, 200)
    for (let attempt = 0; attempt < 10; attempt++) assert.equal(codeOf(await wrong()), 'wrong_credentials')
    const refused = await wrong()
    assert.equal(refused.statusCode, 429)
    assert.match(refused.json().error.message, /try again in 15 minutes/)
    assert.equal((await post('/auth/sign-in', { email, password })).statusCode, 429)
  })

  test('two instances share one key, and a token of one is good at the other', async () => {
    const { email, token } = await aSignedInPerson()
    const other = await openSigningKeys(db.database, config)
    assert.equal((await other.verify(token)).email, email)
    assert.equal((await other.jwks()).length, 1)
    const jwks = (await app.inject({ url: '/api/auth/jwks' })).json<{ keys: Record<string, unknown>[] }>()
    assert.deepEqual(
      Object.keys(jwks.keys[0] ?? {}).toSorted((a, b) => a - b),
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    )
    assert.equal(statSync(join(dataDir, 'auth-secret')).mode & 0o777, 0o600)
  })

  test('the setup link makes one Admin, once, however many open it', async () => {
    const link = await setupLink(db.database, config)
    assert.equal(link, await setupLink(db.database, config))
    const code = new URL(link ?? '').hash.slice('#code='.length)

    const wrong = await post('/setup', { ...aNewPerson(), code: `${code}x` })
    assert.equal(codeOf(wrong), 'link_expired')
    const { email } = await aSignedInPerson()
    assert.equal(codeOf(await post('/setup', { ...aNewPerson(), email, code })), 'email_taken')

    const answers = await Promise.all([1, 2, 3, 4].map(() => post('/setup', { ...aNewPerson(), code })))
    assert.deepEqual(
      answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b),
      [201, 422, 422, 422],
    )
    const made = answers.find((answer) => answer.statusCode === 201)
    assert.ok(made)
    const { token } = await tokenOf(cookieOf(made))
    const details = await detailsOf(made.json().user.email, token)
    assert.equal(details.json().role, 'Admin')
    assert.equal(await setupLink(db.database, config), undefined)
  })

  test('where there is an Admin there is no setup link', async () => {
    await anAdmin(db.database)
    assert.equal(await setupLink(db.database, config), undefined)
  })
})
