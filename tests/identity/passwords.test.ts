import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NewPassword } from '#contract/auth.ts'
import { setupLink } from '#server/identity/setup.ts'
import { codeIn, PASSWORD, tokenOf, useIdentity } from '#tests/support/identity.ts'
import type { Page } from '#tests/support/visitor.ts'

const outcome = (page: Page) =>
  page.status < 300 ? 'accepted' : `${codeIn(page)} ${Object.keys(page.json<Refused>().error.fields ?? {})}`
type Refused = { error: { fields?: Record<string, string> } }
const WEAK = 'invalid_fields password'

describe('new passwords', () => {
  const identity = useIdentity({ name: 'Bazaar of Jobs' })
  let users = 0
  const signUp = async (password: string, localPart = `member.${++users}`) => {
    const json = { name: 'Ruma', email: `${localPart}@example.com`, password }
    return outcome(await identity.visitor().once('/api/auth/sign-up', { json }))
  }

  test('the commonest are refused, in any case and with the usual substitutes', async () => {
    for (const password of [
      'Password!',
      'P@ssw0rd',
      'pAsSw0rd!!',
      'Password1!',
      'Qwerty123!',
      'Dr@gon!',
      '1qaz@WSX',
      'Abc123!',
      'Trustno1!',
      'Iloveyou1!',
      'Welcome1!',
      'Admin@123',
      'Abcd1234!',
      'P@ssword123',
      'Charli3!',
    ]) {
      assert.ok(NewPassword.safeParse(password).success, `${password} satisfies the rules of the contract`)
      assert.equal(await signUp(password), WEAK, password)
    }
  })

  test('those of the email and of the site are refused', async () => {
    assert.equal(await signUp('Xx-rumana-7!', 'rumana'), WEAK)
    assert.equal(await signUp('My-Tallyw0rk!'), WEAK)
    assert.equal(await signUp('Bazaar of Jobs!'), WEAK)
    assert.equal(await signUp('Better-ana!', 'ana'), 'accepted') // too short to matter
  })

  test('others that satisfy the rules of the contract are accepted', async () => {
    for (const password of [PASSWORD, 'Secret!', 'Secret!pass', 'Better-2', 'Ab!cde', 'Café!au-lait'])
      assert.equal(await signUp(password), 'accepted', password)
  })

  test('a changed and a reset password follow the same rules, and nothing changes', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const change = (password: string) =>
      visitor.once('/api/auth/change-password', {
        json: { currentPassword: PASSWORD, password },
        headers: { authorization },
      })
    assert.equal(outcome(await change('Password!')), WEAK)
    await visitor.once('/api/auth/request-reset', { json: { email } })
    const token = await identity.tokenIn(email, 'reset-password')
    const reset = async (password: string) =>
      outcome(await visitor.once('/api/auth/reset', { json: { token, password } }))
    assert.equal(await reset('Password!'), WEAK)
    const again = await visitor.once('/api/auth/sign-in', { json: { email, password: PASSWORD } })
    assert.equal(again.status, 200)
    assert.equal(await reset('Secret!'), 'accepted') // the link is still good
  })

  test('an Admin’s password has eight characters or more', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    await identity.database.pool.query(`update users set role = 'Admin' where email = $1`, [email])
    const change = async (password: string) =>
      outcome(
        await visitor.once('/api/auth/change-password', {
          json: { currentPassword: PASSWORD, password },
          headers: { authorization },
        }),
      )
    assert.equal(await change('Secret!'), WEAK)
    await visitor.once('/api/auth/request-reset', { json: { email } })
    const token = await identity.tokenIn(email, 'reset-password')
    const mail = (await identity.mailTo(email)).find(({ template }) => template === 'reset-password')
    assert.equal(new URL(mail?.link ?? '').hash, `#token=${token}&role=Admin`)
    const json = { token, password: 'Secret!' }
    assert.equal(outcome(await visitor.once('/api/auth/reset', { json })), WEAK)
    assert.equal(await change('Secret!8'), 'accepted')
  })
})

describe('the password of a new Admin', () => {
  const identity = useIdentity()

  test('has eight characters or more before the promotion', async () => {
    const { pool } = identity.database
    const admin = await identity.aMember()
    await pool.query(`update users set role = 'Admin' where email = $1`, [admin.email])
    const promote = async (email: string) => {
      const { rows } = await pool.query<{ id: string }>('select id from users where email = $1', [email])
      const page = await admin.visitor.once(`/api/update-role/${rows[0]?.id}`, {
        method: 'PUT',
        json: { value: 'Admin' },
        headers: { authorization: admin.authorization },
      })
      return page.status === 200 ? 'promoted' : page.json<{ error: { message: string } }>().error.message
    }
    const asBefore0345 = (email: string) =>
      pool.query('update identities set password_suits_admin = null where email = $1', [email])
    const signIn = (email: string, password: string) =>
      identity.visitor().once('/api/auth/sign-in', { json: { email, password } })

    const short = { ...identity.aNewUser(), password: 'Secret!' }
    const visitor = identity.visitor()
    await visitor.once('/api/auth/sign-up', { json: short })
    const headers = { authorization: `Bearer ${await tokenOf(visitor)}` }
    await visitor.once('/api/user-data', { json: { email: short.email, role: 'Worker' }, headers })
    assert.match(await promote(short.email), /must choose a password of at least 8 characters/)
    await asBefore0345(short.email)
    assert.match(await promote(short.email), /must sign in again with their password/)
    await signIn(short.email, short.password)
    assert.match(await promote(short.email), /must choose a password/)
    const json = { currentPassword: short.password, password: 'Secret!8' }
    await visitor.once('/api/auth/change-password', { json, headers })
    assert.equal(await promote(short.email), 'promoted')

    const long = await identity.aMember()
    await asBefore0345(long.email)
    await signIn(long.email, PASSWORD)
    assert.equal(await promote(long.email), 'promoted')

    const changedByOlderInstance = { ...identity.aNewUser(), password: 'Secret!' }
    await identity.visitor().once('/api/auth/sign-up', { json: changedByOlderInstance })
    await pool.query('update identities set password_suits_admin = true where email = $1', [
      changedByOlderInstance.email,
    ])
    await signIn(changedByOlderInstance.email, changedByOlderInstance.password)
    const { rows: suits } = await pool.query(
      'select password_suits_admin as suits from identities where email = $1',
      [changedByOlderInstance.email],
    )
    assert.deepEqual(suits, [{ suits: false }])

    const reset = await identity.aMember()
    await visitor.once('/api/auth/request-reset', { json: { email: reset.email } })
    const token = await identity.tokenIn(reset.email, 'reset-password')
    await visitor.once('/api/auth/reset', { json: { token, password: 'Secret!' } })
    assert.match(await promote(reset.email), /must choose a password/)
  })
})

describe('the password of the first Admin', () => {
  const identity = useIdentity({ demo: false })

  test('has eight characters or more, and the link stays good until then', async () => {
    const link = await setupLink(identity.database, identity.config)
    const code = new URL(link ?? '').hash.slice('#code='.length)
    const setUp = async (password: string) =>
      outcome(
        await identity.visitor().once('/api/setup', {
          json: { code, name: 'Root', email: 'root@example.com', password },
        }),
      )
    assert.equal(await setUp('Secret!'), WEAK)
    assert.equal(await setUp('Secret!8'), 'accepted')
  })
})
