import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORM_ERRORS } from '#contract/form-errors.en.ts'
import { REFUSAL_TEXTS } from '#contract/refusals.en.ts'
import { codeIn, PASSWORD, SITE, tokenOf, useIdentity } from '#tests/support/identity.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const SIGN_IN = '/forms/auth/sign-in'
const SIGN_UP = '/forms/auth/sign-up'
const headers = { origin: SITE, 'sec-fetch-site': 'same-origin' }

/** Sends a form as a page without scripts does. Returns the status and the `Location`. */
async function post(visitor: Visitor, path: string, form: Record<string, string>, page = path) {
  const sent = { ...headers, referer: SITE + page }
  const { status, headers: received } = await visitor.once(path, { form, headers: sent })
  return { status, location: received.get('location') }
}
const redirect = (location: string) => ({ status: 303, location })

describe('the forms of the sign-in and sign-up pages without scripts', () => {
  const identity = useIdentity()

  test('a right password starts a session and redirects to the dashboard', async () => {
    const { email } = await identity.aMember()
    const visitor = identity.visitor()
    const signedIn = await post(visitor, SIGN_IN, { email, password: PASSWORD })
    assert.deepEqual(signedIn, redirect('/dashboard'))
    assert.notEqual(await tokenOf(visitor), null)
  })

  test('a wrong password and an unknown email redirect to the same error, without what was typed', async () => {
    const { email } = await identity.aMember()
    const visitor = identity.visitor()
    for (const form of [
      { email, password: 'Wrong!pass' },
      { email: 'nobody@example.com', password: PASSWORD },
    ]) {
      assert.deepEqual(await post(visitor, SIGN_IN, form), redirect('/login#wrong_credentials'))
    }
    assert.equal(await tokenOf(visitor), null)
  })

  test('a sign-in returns to the path that the page’s URL names, also after a failure', async () => {
    const { email } = await identity.aMember()
    const returnTo = '?returnTo=%2Fdashboard%2Fmy-task%3Fpage%3D2'
    const signIn = (password: string, query: string) =>
      post(identity.visitor(), SIGN_IN, { email, password }, `/login${query}`)
    assert.deepEqual(await signIn('Wrong!pass', returnTo), redirect(`/login${returnTo}#wrong_credentials`))
    assert.deepEqual(await signIn(PASSWORD, returnTo), redirect('/dashboard/my-task?page=2'))
    for (const foreign of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/..//evil.example',
      'javascript:alert(1)',
      '/api/auth/jwks',
      '/a\r\nset-cookie: a=b',
    ]) {
      const query = `?${new URLSearchParams({ returnTo: foreign })}`
      assert.deepEqual(await signIn(PASSWORD, query), redirect('/dashboard'), foreign)
    }
  })

  test('a form of a page in Bangla redirects to pages in Bangla', async () => {
    const { email } = await identity.aMember()
    const signIn = (password: string, page: string) =>
      post(identity.visitor(), SIGN_IN, { email, password }, page)
    const returnTo = '?returnTo=%2Fbn%2Fdashboard%2Fmy-task'
    assert.deepEqual(await signIn('Wrong!pass', '/bn/login'), redirect('/bn/login#wrong_credentials'))
    assert.deepEqual(
      await signIn('Wrong!pass', `/bn/login${returnTo}`),
      redirect(`/bn/login${returnTo}#wrong_credentials`),
    )
    assert.deepEqual(await signIn(PASSWORD, '/bn/login'), redirect('/bn/dashboard'))
    assert.deepEqual(await signIn(PASSWORD, `/bn/login${returnTo}`), redirect('/bn/dashboard/my-task'))
    const newcomer = { ...identity.aNewUser(), role: 'Buyer' }
    const signedUp = await post(identity.visitor(), SIGN_UP, newcomer, '/bn/sign-up')
    assert.deepEqual(signedUp, redirect('/bn/dashboard?role=Buyer'))
  })

  test('a sign-up starts a session and redirects with the role to the rest of the profile', async () => {
    const visitor = identity.visitor()
    const signedUp = await post(visitor, SIGN_UP, { ...identity.aNewUser(), role: 'Buyer', image: '' })
    assert.deepEqual(signedUp, redirect('/dashboard?role=Buyer'))
    assert.notEqual(await tokenOf(visitor), null)
  })

  test('a role that nobody can choose is not passed on', async () => {
    const form = { ...identity.aNewUser(), role: 'Admin#<script>' }
    assert.deepEqual(await post(identity.visitor(), SIGN_UP, form), redirect('/dashboard'))
  })

  test('the errors of a sign-up are named by code and field', async () => {
    const { email } = await identity.aMember()
    const newcomer = identity.aNewUser()
    for (const [form, error] of [
      [{ ...newcomer, email }, 'email_taken'],
      [{ ...newcomer, password: 'secret' }, 'invalid_fields.password'],
      [{ ...newcomer, email: 'nowhere' }, 'invalid_fields.email'],
      [{ ...newcomer, name: ' ' }, 'invalid_fields'],
    ] as const) {
      assert.deepEqual(await post(identity.visitor(), SIGN_UP, form), redirect(`/sign-up#${error}`))
    }
  })

  test('a form of another site, or one that does not say from where it comes, is refused', async () => {
    const { email } = await identity.aMember()
    const form = { email, password: PASSWORD }
    const foreign = [{ origin: 'http://evil.example' }, { origin: 'null' }, {}]
    for (const sent of [...foreign, { ...headers, 'sec-fetch-site': 'cross-site' }]) {
      const visitor = identity.visitor()
      for (const path of [SIGN_IN, SIGN_UP]) {
        const page = await visitor.once(path, { form, headers: sent as Record<string, string> })
        assert.deepEqual([page.status, codeIn(page)], [403, 'wrong_origin'])
      }
      assert.equal(await tokenOf(visitor), null)
    }
  })

  test('a form endpoint takes no JSON', async () => {
    const page = await identity.visitor().once(SIGN_IN, { json: { email: 'a@b.c' }, headers })
    assert.equal(page.status, 415)
  })

  test('form posts and API requests share one rate limit', async () => {
    const { email } = await identity.aMember()
    const visitor = identity.visitor()
    const json = { email, password: 'Wrong!pass' }
    for (let round = 0; round < 5; round++) {
      assert.equal((await visitor.once('/api/auth/sign-in', { json })).status, 401)
      assert.deepEqual(await post(visitor, SIGN_IN, json), redirect('/login#wrong_credentials'))
    }
    const right = { email, password: PASSWORD }
    assert.deepEqual(await post(visitor, SIGN_IN, right), redirect('/login#too_many_requests'))
    assert.equal((await visitor.once('/api/auth/sign-in', { json: right })).status, 429)
  })
})

describe('the sign-in form where a verified email is required', () => {
  const identity = useIdentity({ verifyFor: new Set(['sign-in'] as const) })

  test('an unverified email gets no session', async () => {
    const { email, password } = identity.aNewUser()
    const visitor = identity.visitor()
    await post(visitor, SIGN_UP, { name: 'Ruma', email, password })
    const signedIn = await post(visitor, SIGN_IN, { email, password })
    assert.deepEqual(signedIn, redirect('/login#email_not_verified'))
    assert.equal(await tokenOf(visitor), null)
  })
})

test('a form shows the sentences of the API', () => {
  const texts = FORM_ERRORS as Record<string, string>
  for (const code of ['wrong_credentials', 'email_not_verified', 'email_taken', 'unavailable'] as const)
    assert.equal(texts[code], REFUSAL_TEXTS[code])
})
