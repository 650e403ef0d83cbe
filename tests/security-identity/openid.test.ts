import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answerTo, tokenOf, useIdentity } from '#tests/support/identity.ts'
import { startIssuer } from '#tests/support/oidc-issuer.ts'
import type { Visitor } from '#tests/support/visitor.ts'

/** Goes to the service, chooses this person there, and comes back. */
async function signInAs(visitor: Visitor, sub: string, { id = 'oidc', returnTo = '/dashboard' } = {}) {
  const start = `/api/auth/oidc/${id}/start?returnTo=${encodeURIComponent(returnTo)}`
  const choice = await visitor.go(start)
  if (!choice.url.pathname.includes('/interaction/')) return choice
  return visitor.go(
    choice.url.href,
    { form: { sub } },
    (url) => !url.pathname.startsWith('/api') && url.port === '4300' && !url.pathname.startsWith('/demo'),
  )
}

describe('the demonstration of Google', () => {
  const identity = useIdentity()

  test('works without key and network, and its person registers as a Worker with 10 coins', async () => {
    const visitor = identity.visitor()
    const choice = await visitor.go('/api/auth/oidc/google/start')
    assert.match(choice.text, /This is a demonstration of signing in with Google/)
    const back = await signInAs(visitor, 'demo-1', { id: 'google', returnTo: '/dashboard/my-task?x=1#y' })
    assert.equal(back.url.href, 'http://localhost:4300/dashboard/my-task?x=1#y')
    const token = await tokenOf(visitor)
    assert.ok(token)
    assert.equal(await answerTo(visitor, token), 'ok')
    const headers = { authorization: `Bearer ${token}` }
    const json = { email: 'lamia@google.demo.example', name: 'Lamia Haque', roll: 'Worker', coin: 10 }
    const registered = await visitor.once('/api/user-data', { json, headers })
    assert.equal(registered.json<{ user: { coin: number } }>().user.coin, 10)
    const again = await signInAs(visitor, 'demo-1', { id: 'google' })
    assert.equal(again.url.pathname, '/dashboard')
  })
})
