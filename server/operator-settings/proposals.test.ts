import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SettingName } from '#contract/operator-settings.ts'
import { asRefusal } from '#server/http/errors.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import { type Api, useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { anAdmin, aWorker, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { settleProposals } from './queries.ts'

const STRICT = { twoPersonAboveCents: 5000, firstPayout: true, newAccountNumber: true, riskScore: 50 }

async function propose(
  api: Api,
  admin: TestUser,
  value: unknown,
  name: SettingName = 'payout_rules',
): Promise<{ status: number; body: Setting }> {
  const { version } = await current(api, admin, name)
  return api.as(admin).put(`/operator-settings/${name}`, { value, version, reason: 'Fewer clicks' })
}
type Setting = {
  version: number
  value: unknown
  changes: { changedBy: string; confirmedBy: string | null }[]
  proposal: { _id: string; effectiveAt: string | null; proposedBy: { name: string } } | null
  error?: { code: string; message: string }
}
async function current(api: Api, admin: TestUser, name: SettingName = 'payout_rules'): Promise<Setting> {
  const { body } = await api.as(admin).get('/operator-settings')
  return body.find((setting: { name: string }) => setting.name === name)
}
const decide = (api: Api, admin: TestUser, id: string | undefined, decision: 'confirm' | 'withdraw') =>
  api.as(admin).patch(`/setting-proposals/${id}`, { decision })

describe('rules about Admins, with two Admins', () => {
  const api = useApi()

  async function setStrictRules() {
    await changeSettings(api.database, 'payout_rules', STRICT)
    await changeSettings(api.database, 'refund_rules', { twoPersonAboveCents: 5000 })
    await changeSettings(api.database, 'risk', { reviewScore: 50 })
    return { admin: await anAdmin(api.database), other: await anAdmin(api.database) }
  }
  async function aProposal(value: unknown = { ...STRICT, firstPayout: false }) {
    const { admin, other } = await setStrictRules()
    const { body } = await propose(api, admin, value)
    return { admin, other, id: body.proposal?._id }
  }

  test('a weaker rule waits for another Admin, and a stricter one is in force at once', async () => {
    const { admin } = await setStrictRules()
    const weaker: [SettingName, object][] = [
      ['payout_rules', { ...STRICT, twoPersonAboveCents: 5001 }],
      ['payout_rules', { ...STRICT, twoPersonAboveCents: null }],
      ['payout_rules', { ...STRICT, twoPersonAboveCents: 0, newAccountNumber: false }],
      ['payout_rules', { ...STRICT, firstPayout: false }],
      ['payout_rules', { ...STRICT, riskScore: 51 }],
      ['refund_rules', { twoPersonAboveCents: 5001 }],
      ['refund_rules', { twoPersonAboveCents: null }],
      ['risk', { reviewScore: 51 }],
      ['risk', { reviewScore: null }],
    ]
    for (const [name, value] of weaker) {
      const before = await readSetting(api.database, name)
      const { status, body } = await propose(api, admin, value, name)
      assert.deepEqual([status, body.proposal?.proposedBy.name], [202, admin.name], JSON.stringify(value))
      assert.deepEqual(await readSetting(api.database, name), before)
      assert.equal((await decide(api, admin, body.proposal?._id, 'withdraw')).status, 200)
    }
    const stricter: [SettingName, object][] = [
      ['payout_rules', { ...STRICT, twoPersonAboveCents: 0, riskScore: 30 }],
      ['risk', { reviewScore: 30 }],
    ]
    for (const [name, value] of stricter) {
      const { status, body } = await propose(api, admin, value, name)
      assert.deepEqual([status, body.proposal], [200, null])
    }
  })

  test('another Admin confirms it, and the history and the audit log name both', async () => {
    const { admin, other, id } = await aProposal()
    assert.equal((await decide(api, admin, id, 'confirm')).body.error.code, 'yourself')
    const { status, body } = await decide(api, other, id, 'confirm')
    assert.deepEqual([status, body.value, body.proposal], [200, { ...STRICT, firstPayout: false }, null])
    assert.deepEqual([body.changes[0].changedBy, body.changes[0].confirmedBy], [admin.name, other.name])
    assert.equal((await decide(api, other, id, 'confirm')).status, 200)
    assert.equal((await decide(api, other, id, 'withdraw')).body.error.code, 'already_decided')
    const record = (await api.as(admin).get('/admin-record?limit=2')).body
    assert.deepEqual(
      record.map((entry: Record<string, string>) => [entry.act, entry.admin, entry.subject]),
      [
        ['setting_changed', other.id, admin.id],
        ['setting_change_proposed', admin.id, admin.id],
      ],
    )
    const messages = async (user: TestUser) =>
      (await api.as(user).get(`/notifications/${user.email}`)).body.map(
        ({ message }: { message: string }) => message,
      )
    assert.ok((await messages(admin))[0].startsWith(`${other.name} confirmed your change`))
    assert.ok((await messages(other))[0].startsWith(`${admin.name} wants to change the setting`))
  })

  test('each Admin can withdraw it, and nobody else sees or decides it', async () => {
    const { other, id } = await aProposal()
    assert.equal((await decide(api, await aWorker(api.database), id, 'confirm')).status, 403)
    assert.equal((await decide(api, other, id, 'withdraw')).body.proposal, null)
    assert.equal((await decide(api, other, id, 'confirm')).body.error.code, 'already_decided')
    assert.deepEqual(await readSetting(api.database, 'payout_rules'), STRICT)
  })

  test('a setting has one waiting change, which lapses when the setting changes', async () => {
    const { admin, other, id } = await aProposal()
    const second = await propose(api, other, { ...STRICT, riskScore: null })
    assert.equal(second.body.error?.code, 'state_conflict')
    assert.equal((await propose(api, other, { ...STRICT, twoPersonAboveCents: 10 })).status, 200)
    assert.equal((await decide(api, other, id, 'confirm')).body.error.code, 'already_decided')
    assert.deepEqual(await readSetting(api.database, 'payout_rules'), { ...STRICT, twoPersonAboveCents: 10 })
    assert.equal((await current(api, admin)).proposal, null)
  })

  test('it lapses when its proposer is demoted or deleted, also when they become an Admin again', async () => {
    for (const remove of ['demote', 'delete']) {
      const { admin, other, id } = await aProposal()
      const client = api.as(other)
      if (remove === 'demote') {
        assert.equal((await client.put(`/update-role/${admin.id}`, { value: 'Buyer' })).status, 200)
        await api.database.pool.query(`update users set role = 'Admin' where id = $1`, [admin.id])
      } else assert.equal((await client.delete(`/delete-user/${admin.id}`)).status, 200)
      assert.equal((await decide(api, other, id, 'confirm')).body.error.code, 'already_decided', remove)
      assert.deepEqual(await readSetting(api.database, 'payout_rules'), STRICT)
    }
  })

  test('of confirmations, withdrawals, stricter changes and a demotion at once one takes effect', async () => {
    for (let round = 0; round < 6; round++) {
      const { admin, other, id } = await aProposal()
      const third = await anAdmin(api.database)
      const { version } = await current(api, admin)
      await Promise.all([
        decide(api, other, id, 'confirm'),
        decide(api, third, id, 'confirm'),
        decide(api, admin, id, 'withdraw'),
        propose(api, other, { ...STRICT, twoPersonAboveCents: 1 }),
        ...(round % 2 === 0 ? [api.as(third).put(`/update-role/${admin.id}`, { value: 'Worker' })] : []),
        settleProposals(api.database),
      ])
      const { rows } = await api.database.pool.query(
        `select state, decided_by, proposed_by,
                (select count(*)::int from operator_setting_changes as changes
                  where changes.name = proposals.name and confirmed_by is not null and changes.version > $2) as confirmed
           from setting_proposals as proposals where id = $1`,
        [id, version],
      )
      const [{ state, decided_by, proposed_by, confirmed }] = rows
      assert.notEqual(state, 'waiting')
      assert.equal(confirmed, state === 'confirmed' ? 1 : 0)
      if (state === 'confirmed') assert.notEqual(decided_by, proposed_by)
    }
  })

  test('the database refuses a weaker rule without a confirmed change, also to the version before this rule', async () => {
    const { admin } = await setStrictRules()
    for (const [name, value] of [
      ['payout_rules', { firstPayout: false }],
      ['risk', { reviewScore: null }],
    ] as const)
      await assert.rejects(
        api.owner.query(
          `update operator_settings set value = value || $2::jsonb, changed_by = $3 where name = $1`,
          [name, JSON.stringify(value), admin.id],
        ),
        (error) => {
          const { code, message } = asRefusal(error)
          return code === 'state_conflict' && message.startsWith('Somebody else has changed this setting')
        },
      )
    await assert.rejects(
      api.owner.query(
        `insert into setting_proposals (name, version, value, reason, state, proposed_by, decided_by, decided_at)
         values ('payout_rules', 1, '{}', '', 'confirmed', $1, $1, now())`,
        [admin.id],
      ),
      /setting_proposals_confirmed/,
    )
  })
})

describe('rules about Admins, with one Admin', () => {
  const api = useApi()
  const settleAt = (moment: Date) =>
    atTime(api.url, moment, async (database) => (await settleProposals(database)).settled)

  test('a weaker rule takes effect after 24 hours without another Admin', async () => {
    await changeSettings(api.database, 'payout_rules', STRICT)
    const admin = await anAdmin(api.database)
    const value = { ...STRICT, twoPersonAboveCents: null }
    const { status, body } = await propose(api, admin, value)
    assert.equal(status, 202)
    assert.equal((await decide(api, admin, body.proposal?._id, 'confirm')).body.error.code, 'yourself')
    const due = new Date(body.proposal?.effectiveAt ?? 0)
    assert.equal(await settleAt(later(due, { minutes: -1 })), 0)

    // While there is another Admin, the change waits for them; after that the time starts again.
    const other = await anAdmin(api.database)
    assert.equal(await settleAt(later(due, { minutes: 1 })), 0)
    assert.equal((await current(api, admin)).proposal?.effectiveAt, null)
    assert.equal((await api.as(admin).delete(`/delete-user/${other.id}`)).status, 200)
    assert.equal(await settleAt(later(due, { minutes: 2 })), 0)
    assert.equal(await settleAt(later(due, { hours: 23 })), 0)
    assert.deepEqual(await readSetting(api.database, 'payout_rules'), STRICT)

    assert.equal(await settleAt(later(due, { hours: 25 })), 1)
    assert.deepEqual(await readSetting(api.database, 'payout_rules'), value)
    assert.equal(await settleAt(later(due, { hours: 26 })), 0)
    const [notice] = (await api.as(admin).get(`/notifications/${admin.email}`)).body
    assert.match(notice.message, /^The waiting time is over/)
  })
})
