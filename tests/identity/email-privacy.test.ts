import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { emailKey } from '#server/email-key.ts'
import { codeIn, PASSWORD, tokenOf, useIdentity } from '#tests/support/identity.ts'

/** Spellings of one email: what looks or compares the same must be the same user. */
const SPELLINGS = [
  'jose@example.com',
  'JOSE@EXAMPLE.COM',
  '  jose@example.com ',
  'ｊｏｓｅ@example.com',
  'jose@ｅｘａｍｐｌｅ.com',
  'joſe@example.com',
]

describe('one email in many spellings', () => {
  const identity = useIdentity()

  test('has one identity, also under concurrent sign-ups', async () => {
    const responses = await Promise.all(
      SPELLINGS.map((email) =>
        identity.visitor().once('/api/auth/sign-up', { json: { name: 'José', email, password: PASSWORD } }),
      ),
    )
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, ...Array(SPELLINGS.length - 1).fill(409)],
    )
    for (const email of SPELLINGS) {
      const page = await identity.visitor().once('/api/auth/sign-in', { json: { email, password: PASSWORD } })
      assert.equal(page.status, 200, email)
    }
  })

  test('is stored and mailed as it is compared, so that a link goes to the owner of the compared one', async () => {
    const { email } = identity.aNewUser()
    const other = email.replace('ruma', 'ｒuma')
    const [visitor, json] = [identity.visitor(), { ...identity.aNewUser(), email: other }]
    const signedUp = await visitor.once('/api/auth/sign-up', { json })
    assert.equal(signedUp.json<{ user: { email: string } }>().user.email, email)
    const wanted = `new.${other}`
    await visitor.once('/api/auth/change-email', {
      json: { email: wanted, currentPassword: PASSWORD },
      headers: { authorization: `Bearer ${await tokenOf(visitor)}` },
    })
    // As identities were stored before.
    await identity.database.pool.query('update identities set email = $2 where email = $1', [email, other])
    await identity.visitor().once('/api/auth/request-reset', { json: { email } })
    const templatesTo = async (to: string) => (await identity.mailTo(to)).map(({ template }) => template)
    assert.deepEqual(await templatesTo(email), ['verify-email', 'reset-password'])
    assert.deepEqual(await templatesTo(`new.${email}`), ['verify-email'])
    assert.deepEqual([...(await templatesTo(other)), ...(await templatesTo(wanted))], [])
  })

  test('invisible and invalid emails are refused', async () => {
    const bad = [
      'jo\u200bse@example.com',
      'jo\u00adse@example.com',
      'jo\u202ese@example.com',
      'jo\ufe0fse@example.com',
      'jose\u0000@example.com',
      'jose@exam\u200dple.com',
      'jose@example.com/x',
      'jose@example.com:25',
      'jose@example.com?x',
      'jose@exa%6dple.com',
      'jose@',
      '@example.com',
      'jose',
      'jo@se@example.com',
      'jo se@example.com',
      'jose@example..com',
      'jose@example.com.',
      'jose@example。com',
      `${'x'.repeat(250)}@example.com`,
    ]
    for (const email of bad) {
      const page = await identity
        .visitor()
        .once('/api/auth/sign-up', { json: { ...identity.aNewUser(), email } })
      assert.equal(codeIn(page), 'invalid_fields', JSON.stringify(email))
    }
  })
})

describe('the email key', () => {
  test('is stable: the key of a key is the key', () => {
    const address = fc
      .tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
      .map(([local, domain]) => `${local}@${domain}.com`)
    fc.assert(
      fc.property(address, (text) => {
        const key = emailKey(text)
        if (key !== undefined) assert.equal(emailKey(key), key)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  test('is the same for both forms of a name in another script', () => {
    assert.equal(emailKey('a@bücher.example'), 'a@xn--bcher-kva.example')
    assert.equal(emailKey('a@xn--bcher-kva.example'), 'a@xn--bcher-kva.example')
    assert.equal(emailKey('É@example.com'), emailKey('e\u0301@example.com'))
  })
})
