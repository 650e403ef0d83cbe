import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeIn, PASSWORD, useIdentity } from '#tests/support/identity.ts'

describe('cross-site requests', () => {
  const identity = useIdentity()
  const FOREIGN = ['http://localhost:4301', 'https://localhost:4300', 'http://evil.example', 'null', '']

  test('are refused: signing in, up and out, the token, and every other write', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const calls: [string, object][] = [
      ['/api/auth/sign-in', { email, password: PASSWORD }],
      ['/api/auth/sign-up', identity.aNewUser()],
      ['/api/auth/token', {}],
      ['/api/auth/sign-out', {}],
      ['/api/auth/request-reset', { email }],
      ['/api/setup', {}],
      ['/api/user-data', { email, role: 'Buyer' }],
    ]
    for (const [path, json] of calls) {
      for (const origin of FOREIGN) {
        const page = await visitor.once(path, { json, headers: { authorization, origin } })
        assert.equal(codeIn(page), 'wrong_origin', `${path} from ${origin}`)
      }
      const headers = { authorization, 'sec-fetch-site': 'cross-site' }
      assert.equal(codeIn(await visitor.once(path, { json, headers })), 'wrong_origin')
    }
  })

  test('are allowed from our own origin and from scripts', async () => {
    const { visitor } = await identity.aMember()
    const own = [
      { origin: 'http://localhost:4300', 'sec-fetch-site': 'same-origin' },
      { origin: 'http://127.0.0.1:4300' },
      {},
    ]
    for (const headers of own) {
      const page = await visitor.once('/api/auth/token', {
        method: 'POST',
        headers: headers as Record<string, string>,
      })
      assert.equal(page.status, 200)
    }
  })

  test('other content types than JSON, which a form could send, are refused', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const page = await identity.app.inject({
        method: 'POST',
        url: '/api/auth/sign-in',
        headers: { 'content-type': type },
        payload: JSON.stringify({ email: 'a@example.com', password: PASSWORD }),
      })
      assert.equal(page.statusCode, 415)
    }
  })
})

describe('in production', () => {
  const identity = useIdentity({ production: true, demo: false })

  test('only the exact origin is accepted, also on this machine', async () => {
    const page = await identity.visitor().once('/api/auth/token', {
      method: 'POST',
      headers: { origin: 'http://127.0.0.1:4300' },
    })
    assert.equal(codeIn(page), 'wrong_origin')
  })
})
