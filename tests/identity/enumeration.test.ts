import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PASSWORD, useIdentity } from '#tests/support/identity.ts'
import { signInAt } from '#tests/support/oidc-visit.ts'

describe('account enumeration', () => {
  const identity = useIdentity()

  async function attempt(email: string): Promise<{ text: string; status: number; cpuMs: number }> {
    const before = process.cpuUsage()
    const page = await identity
      .visitor()
      .once('/api/auth/sign-in', { json: { email, password: 'Wrong!pass' } })
    return { text: page.text, status: page.status, cpuMs: process.cpuUsage(before).user / 1000 }
  }

  test('by the response: an unknown email, a wrong password, a deleted user and one without a password look alike', async () => {
    const known = await identity.aMember()
    const deleted = await identity.aMember()
    await identity.deletePerson(deleted.email)
    await signInAt(identity.visitor(), 'google', 'demo-1')
    const addresses = ['nobody@example.com', known.email, deleted.email, 'lamia@google.demo.example']
    for (const email of addresses) {
      const { status, text } = await attempt(email)
      assert.equal(status, 401)
      assert.equal(text, '{"error":{"code":"wrong_credentials","message":"Email or password is wrong."}}')
    }
    const right = await identity.visitor().once('/api/auth/sign-in', {
      json: { email: deleted.email, password: PASSWORD },
    })
    assert.equal(right.status, 401)
  })

  test('by the work done: an unknown email costs the same as a known one', async () => {
    const medians = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 15; round++) {
      const { email } = await identity.aMember()
      medians.known.push((await attempt(email)).cpuMs)
      medians.unknown.push((await attempt(`nobody.${round}@example.com`)).cpuMs)
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    const [known, unknown] = [median(medians.known), median(medians.unknown)]
    // A skipped hash would make one of them several times faster.
    assert.ok(
      Math.max(known, unknown) / Math.min(known, unknown) < 1.6,
      `known ${known} ms, unknown ${unknown} ms`,
    )
  })
})
