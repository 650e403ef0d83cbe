import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '#server/database/database.ts'
import { asRefusal } from '#server/http/errors.ts'
import { acceptPasskey } from '#server/identity/second-factor/passkeys.ts'
import { addAuthenticator } from '#tests/support/authenticator.ts'
import { codeIn, PASSWORD, SITE, tokenOf, useIdentity } from '#tests/support/identity.ts'
import { anAuthenticator } from '#tests/support/passkey.ts'
import type { Visitor } from '#tests/support/visitor.ts'

type Json = Record<string, unknown>

describe('passkeys', () => {
  const identity = useIdentity()
  const post = (visitor: Visitor, path: string, json?: object, authorization?: string) =>
    visitor.once(`/api/auth/${path}`, {
      method: 'POST',
      ...(json && { json }),
      ...(authorization && { headers: { authorization } }),
    })

  async function aMemberWithPasskey() {
    const member = await identity.aMember()
    const authenticator = anAuthenticator(SITE)
    const options = (
      await post(member.visitor, 'second-factor/passkey-options', undefined, member.authorization)
    ).json<Json>()
    const added = await post(
      member.visitor,
      'second-factor/passkeys',
      { name: 'My phone', response: authenticator.create(options) },
      member.authorization,
    )
    assert.equal(added.status, 200, added.text)
    const { recoveryCodes } = added.json<{ recoveryCodes: string[] }>()
    return { ...member, authenticator, recoveryCodes }
  }
  async function halfway(email: string) {
    const visitor = identity.visitor()
    const refused = await post(visitor, 'sign-in', { email, password: PASSWORD })
    assert.equal(codeIn(refused), 'second_factor_required')
    return visitor
  }
  const optionsOf = async (visitor: Visitor) => (await post(visitor, 'sign-in/passkey-options')).json<Json>()

  test('a passkey is added with recovery codes, and completes a pending sign-in', async () => {
    const { email, authenticator, recoveryCodes } = await aMemberWithPasskey()
    assert.equal(recoveryCodes.length, 10)
    const visitor = await halfway(email)
    const response = authenticator.get(await optionsOf(visitor))
    const completed = await post(visitor, 'sign-in/passkey', { response })
    assert.deepEqual(completed.json<Json>(), { user: { email, name: 'Ruma' } })
    assert.notEqual(await tokenOf(visitor), null)
    // The response is good once, also in another pending sign-in.
    const again = await post(await halfway(email), 'sign-in/passkey', { response })
    assert.equal(codeIn(again), 'invalid_fields')
  })

  test('a passkey that verifies its user signs in without a password; one that does not, does not', async () => {
    const { email, authenticator } = await aMemberWithPasskey()
    const visitor = identity.visitor()
    const options = await optionsOf(visitor)
    const unverified = await post(visitor, 'sign-in/passkey', {
      response: authenticator.get(options, { verified: false }),
    })
    assert.equal(codeIn(unverified), 'invalid_fields')
    const response = authenticator.get(await optionsOf(visitor))
    const signedIn = await post(visitor, 'sign-in/passkey', { response })
    assert.equal(signedIn.json<{ user: { email: string } }>().user.email, email)
  })

  test('a passkey signs in alone also while another user’s sign-in waits for a code', async () => {
    const { email, authenticator } = await aMemberWithPasskey()
    const other = await identity.aMember()
    await addAuthenticator(other)
    const visitor = await halfway(other.email)
    const response = authenticator.get(await optionsOf(visitor))
    const signedIn = await post(visitor, 'sign-in/passkey', { response })
    assert.equal(signedIn.json<{ user: { email: string } }>().user.email, email)
  })

  test('a refused passkey is in the activity of its owner', async () => {
    const { authenticator, email } = await aMemberWithPasskey()
    const visitor = identity.visitor()
    const response = authenticator.get(await optionsOf(visitor), { verified: false })
    assert.equal(codeIn(await post(visitor, 'sign-in/passkey', { response })), 'invalid_fields')
    const { rows } = await identity.database.pool.query(
      `select params from security_log join identities on identities.id = identity_id
        where email = $1 and kind = 'sign_in_failed'`,
      [email],
    )
    assert.deepEqual(rows, [{ params: { reason: 'passkey' } }])
  })

  test('responses for another site, another user, another purpose and a copied authenticator are refused', async () => {
    const [one, two] = [await aMemberWithPasskey(), await aMemberWithPasskey()]
    const visitor = await halfway(one.email)
    const prove = async (response: object) => codeIn(await post(visitor, 'sign-in/passkey', { response }))
    const elsewhere = one.authenticator.get(await optionsOf(visitor), { at: 'http://evil.example' })
    assert.equal(await prove(elsewhere), 'invalid_fields')
    assert.equal(await prove(two.authenticator.get(await optionsOf(visitor))), 'invalid_fields')
    assert.equal(await prove(one.authenticator.get({ challenge: 'AAAA' })), 'invalid_fields')

    const stepUp = await post(one.visitor, 'step-up/passkey-options', undefined, one.authorization)
    assert.equal(await prove(one.authenticator.get(stepUp.json<Json>())), 'invalid_fields')

    one.authenticator.rewind()
    assert.equal(await prove(one.authenticator.get(await optionsOf(visitor))), 'invalid_fields')
    assert.equal(await tokenOf(visitor), null)
  })

  test('proves the identity of a session again', async () => {
    const { visitor, authorization, authenticator } = await aMemberWithPasskey()
    await identity.database.pool.query(`update sessions set proved_at = now() - interval '601 seconds'`)
    const begin = () => post(visitor, 'second-factor/authenticator', undefined, authorization)
    assert.equal(codeIn(await begin()), 'proof_required')
    const options = await post(visitor, 'step-up/passkey-options', undefined, authorization)
    const response = authenticator.get(options.json<Json>())
    assert.equal((await post(visitor, 'step-up/passkey', { response }, authorization)).status, 204)
    assert.equal((await begin()).status, 200)
  })

  test('a failed query is no refusal of the passkey', async () => {
    const { authenticator } = await aMemberWithPasskey()
    const visitor = identity.visitor()
    const response = authenticator.get(await optionsOf(visitor))
    const { config, url } = identity
    const brief = openDatabase({ connectionString: url, query_timeout: 200 }, { max: 1, prepare: true })
    const lock = await identity.database.pool.connect()
    try {
      await lock.query('begin')
      await lock.query('lock table webauthn_challenges in access exclusive mode')
      await assert.rejects(
        acceptPasskey(brief, config, 'sign-in', null, response as never),
        (error) => asRefusal(error).code === 'unavailable',
      )
    } finally {
      await brief.close()
      await lock.query('rollback')
      lock.release()
    }
  })
})
