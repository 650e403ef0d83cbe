import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { readConfig } from '#server/config.ts'
import { setupLink } from '#server/identity/setup.ts'
import { BODIES } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { addAuthenticator } from '#tests/support/authenticator.ts'
import { anAdmin, aWorker } from '#tests/support/factories.ts'
import { codeIn, PASSWORD, tokenOf, useIdentity } from '#tests/support/identity.ts'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

describe('where Admins need a second factor', () => {
  const api = useApi({ adminSecondFactor: 'required' })

  test('an Admin without one is refused at every endpoint of Admins and of other users’ data', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    const client = api.as(admin)
    const urlOf = (path: string, email: string) =>
      path
        .replace(':email', email)
        .replace('saved-cards/:id', 'saved-cards/pm_unknown1')
        .replace(':field', 'other')
        .replace(':number', '0')
        .replaceAll(/:\w+/g, NOBODY)
    for (const { name, endpoint } of ENDPOINTS) {
      const { who, named } = endpoint.access
      if (who === 'anyone' || who === 'session' || (who !== 'signed-in' && !who.includes('Admin'))) continue
      if (who === 'signed-in' && named !== undefined) continue
      const body = endpoint.method === 'GET' ? undefined : (BODIES[name]?.(worker) ?? {})
      const { status, body: reply } = await client.call(
        endpoint.method,
        urlOf(endpoint.path, worker.email),
        body,
      )
      assert.deepEqual([status, reply?.error?.code], [403, 'second_factor_missing'], name)
    }
    assert.equal((await client.get(`/statement/${worker.email}`)).body.error.code, 'not_yours')
    assert.equal((await client.get(`/user-details/${admin.email}`)).status, 200)
    assert.equal((await client.get('/auth/second-factor')).body.required, true)
    assert.equal((await api.as(worker).get(`/coin-role/${worker.email}`)).status, 200)
  })

  test('with one, everything is admitted again at the next request', async () => {
    const admin = await anAdmin(api.database)
    assert.equal((await api.as(admin).get('/admin-stats')).status, 403)
    await api.database.pool.query(
      `insert into webauthn_credentials (id, identity_id, credential_id, public_key, sign_count, name)
       values (gen_random_uuid(), $1, 'one', '', 0, 'Passkey')`,
      [admin.id],
    )
    assert.equal((await api.as(admin).get('/admin-stats')).status, 200)
  })
})

describe('the first Admin where Admins need a second factor', () => {
  const identity = useIdentity({ adminSecondFactor: 'required' })

  test('sets it up after the setup link, and keeps the last one', async () => {
    const link = await setupLink(identity.database, identity.config)
    const code = new URL(link ?? '').hash.slice('#code='.length)
    const visitor = identity.visitor()
    const email = 'first.admin@example.com'
    const created = await visitor.once('/api/setup', {
      json: { code, name: 'Root', email, password: PASSWORD },
    })
    assert.equal(created.status, 201)
    const authorization = `Bearer ${await tokenOf(visitor)}`
    const headers = { authorization }
    const users = () =>
      visitor.once('/api/update-role/00000000-0000-4000-8000-000000000000', {
        method: 'PUT',
        json: { value: 'Buyer' },
        headers,
      })
    assert.equal(codeIn(await users()), 'second_factor_missing')
    const { rows: refused } = await identity.database.pool.query(
      `select params from security_log where kind = 'access_refused' order by id desc limit 1`,
    )
    assert.deepEqual(refused, [
      { params: { method: 'PUT', path: '/update-role/:id', code: 'second_factor_missing' } },
    ])
    const { id } = await addAuthenticator({ visitor, authorization })
    assert.equal(codeIn(await users()), 'user_not_found')

    const removed = await visitor.once(`/api/auth/second-factor/${id}`, { method: 'DELETE', headers })
    assert.equal(codeIn(removed), 'state_conflict')
    assert.equal(
      codeIn(await identity.visitor().once('/api/auth/sign-in', { json: { email, password: PASSWORD } })),
      'second_factor_required',
    )
  })
})

test('production requires it, development and a demo offer it', () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://work.example',
    AUTH_SECRET: RANDOM_SECRET,
    MAIL: 'folder',
    CARD_PROVIDER: 'sandbox',
    ALLOW_SANDBOX: '1',
  }
  const settingOf = (env: NodeJS.ProcessEnv) => readConfig(env).adminSecondFactor
  assert.equal(settingOf(production), 'required')
  assert.equal(settingOf({ ...production, DEMO: '1' }), 'offered')
  assert.equal(settingOf({ ...production, ADMIN_SECOND_FACTOR: 'offered' }), 'offered')
  assert.equal(settingOf({}), 'offered')
  assert.equal(settingOf({ ADMIN_SECOND_FACTOR: 'required' }), 'required')
})
