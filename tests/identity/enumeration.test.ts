import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PASSWORD, useIdentity } from '#tests/support/identity.ts'
import { signInAt } from '#tests/support/oidc-visit.ts'
import { cheapenPasswordHashes, hashesMade } from '#tests/support/password-hashes.ts'

describe('account enumeration', () => {
  const identity = useIdentity()

  before(cheapenPasswordHashes)

  async function attempt(email: string): Promise<{ text: string; status: number; hashes: number }> {
    const before = hashesMade()
    const page = await identity
      .visitor()
      .once('/api/auth/sign-in', { json: { email, password: 'Wrong!pass' } })
    return { text: page.text, status: page.status, hashes: hashesMade() - before }
  }

  test('by the response and the work done: an unknown email, a wrong password, a deleted user and one without a password look alike', async () => {
    const known = await identity.aMember()
    const deleted = await identity.aMember()
    await identity.deleteUserByEmail(deleted.email)
    await signInAt(identity.visitor(), 'google', 'demo-1')
    const addresses = ['nobody@example.com', known.email, deleted.email, 'lamia@google.demo.example']
    for (const email of addresses) {
      const { status, text, hashes } = await attempt(email)
      assert.equal(status, 401)
      assert.equal(hashes, 1, 'without a hash the response would be several times faster')
      assert.equal(text, '{"error":{"code":"wrong_credentials","message":"Email or password is wrong."}}')
    }
    const right = await identity.visitor().once('/api/auth/sign-in', {
      json: { email: deleted.email, password: PASSWORD },
    })
    assert.equal(right.status, 401)
  })
})
