import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OPERATOR_SETTINGS, type SettingName } from '#contract/operator-settings.ts'
import { completeSettings } from '#server/operator-settings/complete.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'

const RATE = '/operator-settings/withdrawal_rate'

for (const [name, { schema, recommended, ...setting }] of Object.entries(OPERATOR_SETTINGS)) {
  test(`the default and the recommended value of ${name} have its form`, () => {
    assert.deepEqual(schema.parse(setting.default), setting.default)
    if (recommended) assert.deepEqual(schema.parse(recommended), recommended)
  })
}

describe("the operator's settings", () => {
  const api = useApi()

  const current = async (name: SettingName) => {
    const { body } = await api.as(await anAdmin(api.database)).get('/operator-settings')
    return body.find((setting: { name: string }) => setting.name === name)
  }
  async function complete(defaults: unknown): Promise<void> {
    await api.owner.query('select complete_operator_settings($1)', [JSON.stringify(defaults)])
  }

  test('every setting has its default until an Admin changes it, with a reason, and stays in the history', async () => {
    const admin = await anAdmin(api.database)
    const settings = (await api.as(admin).get('/operator-settings')).body
    assert.deepEqual(
      settings.map(({ name, value }: { name: string; value: unknown }) => [name, value]),
      Object.entries(OPERATOR_SETTINGS).map(([name, setting]) => [name, setting.default]),
    )
    const { version } = await current('withdrawal_rate')
    const change = { value: { centsPerCoin: 4 }, version, reason: 'Cards cost more' }
    const { status, body } = await api.as(admin).put(RATE, change)
    assert.equal(status, 200)
    assert.deepEqual([body.version, body.value], [version + 1, { centsPerCoin: 4 }])
    const [latest, first] = body.changes
    assert.deepEqual([latest.changedBy, latest.reason], [admin.name, 'Cards cost more'])
    assert.deepEqual([first.changedBy, first.reason, first.value], [null, 'Default', { centsPerCoin: 5 }])
    assert.deepEqual(await readSetting(api.database, 'withdrawal_rate'), { centsPerCoin: 4 })
    const [{ act, details }] = (await api.as(admin).get('/admin-record?limit=1')).body
    assert.deepEqual(
      [act, details],
      [
        'setting_changed',
        {
          setting: 'withdrawal_rate',
          version: version + 1,
          before: { centsPerCoin: 5 },
          after: { centsPerCoin: 4 },
          reason: 'Cards cost more',
        },
      ],
    )
  })

  test('of ten changes at once from one version one is made, and the others are refused', async () => {
    const admin = await anAdmin(api.database)
    const { version } = await current('withdrawal_rate')
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.as(admin).put(RATE, { value: { centsPerCoin: 10 + index }, version, reason: 'A race' }),
      ),
    )
    const refused = results.filter(({ body }) => body.error?.code === 'state_conflict')
    assert.equal(refused.length, 9)
    assert.equal((await current('withdrawal_rate')).version, version + 1)
  })

  test('every other Admin is notified of a change, and nobody else', async () => {
    const [admin, other] = [await anAdmin(api.database), await anAdmin(api.database)]
    const { version } = await current('withdrawal_rate')
    await api.as(admin).put(RATE, { value: { centsPerCoin: 6 }, version, reason: 'Cards cost less' })
    const { rows } = await api.database.pool.query(
      `select role, users.id, kind, params from notifications join users on users.id = user_id
        where kind = 'setting_changed' and params ->> 'reason' = 'Cards cost less'`,
    )
    assert.ok(rows.some(({ id }) => id === other.id))
    assert.ok(rows.every(({ id, role }) => id !== admin.id && role === 'Admin'))
    const [notice] = (await api.as(other).get(`/notifications/${other.email}`)).body
    assert.deepEqual(
      [notice.message, notice.actionRoute],
      [`${admin.name} changed the setting "Withdrawal rate": Cards cost less`, '/dashboard/settings'],
    )
  })

  test('the same value again changes nothing', async () => {
    const admin = await anAdmin(api.database)
    const { version, value } = await current('packages')
    const { body } = await api
      .as(admin)
      .put('/operator-settings/packages', { value, version, reason: 'Same' })
    assert.equal(body.version, version)
  })

  test('a value that its form forbids, an unknown name and a missing reason are refused', async () => {
    const client = api.as(await anAdmin(api.database))
    const { version } = await current('withdrawal_rate')
    const change = { value: { centsPerCoin: 5 }, version, reason: 'A test' }
    const refused = await client.put(RATE, { ...change, value: { centsPerCoin: 0.5 } })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['centsPerCoin']])
    assert.equal((await client.put(RATE, { ...change, value: {} })).status, 400)
    assert.equal((await client.put(RATE, { ...change, reason: ' ' })).status, 422)
    assert.equal((await client.put('/operator-settings/unknown', change)).status, 404)
    const { value } = await current('packages')
    const twice = { ...value, packages: [value.packages[0], value.packages[0]] }
    const packages = await client.put('/operator-settings/packages', { ...change, value: twice })
    assert.match(packages.body.error.message, /same price/)
    assert.equal((await current('withdrawal_rate')).version, version)
  })

  test('only Admins see and change them', async () => {
    const change = { value: { centsPerCoin: 100 }, version: 1, reason: 'More for me' }
    for (const user of [await aWorker(api.database), await aBuyer(api.database)]) {
      assert.equal((await api.as(user).get('/operator-settings')).status, 403)
      assert.equal((await api.as(user).put(RATE, change)).status, 403)
    }
    assert.equal((await api.anyone.get('/operator-settings')).status, 401)
  })

  test('a start adds new settings and new properties, and keeps what the operator chose', async () => {
    await changeSettings(api.database, 'withdrawal_rate', { centsPerCoin: 8 })
    const { value, version } = await current('withdrawal_rate')
    assert.deepEqual(value, { centsPerCoin: 8 })
    await complete({ withdrawal_rate: { centsPerCoin: 77, later: true }, added_later: { a: 1 } })
    const { rows } = await api.owner.query(
      `select operator_setting('withdrawal_rate') as rate, operator_setting('added_later') as added`,
    )
    assert.deepEqual(rows, [{ rate: { ...value, later: true }, added: { a: 1 } }])
    assert.equal((await current('withdrawal_rate')).version, version + 1)
    const before = await api.owner.query('select * from operator_setting_changes order by name, version')
    const client = await api.owner.connect()
    await completeSettings(client, api.database.functions)
    client.release()
    const after = await api.owner.query('select * from operator_setting_changes order by name, version')
    assert.deepEqual(after.rows, before.rows)
  })

  test('the history cannot be rewritten, not even by the owner of the tables', async () => {
    for (const sql of [
      `update operator_setting_changes set reason = ''`,
      'delete from operator_setting_changes',
      'truncate operator_setting_changes',
    ])
      await assert.rejects(api.owner.query(sql), /append-only/)
  })
})
