import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { AUDIT_ACT_NAMES, AUDIT_DETAIL_NAMES } from '#contract/admin-audit-log-texts.en.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aTask,
  aWorker,
  type TestUser,
} from '#tests/support/factories.ts'

/** The action is the second or third argument; the first may be a call. */
const ACT =
  /log_(?:admin_action|dispute_file|refund|setting_proposal)\((?:coalesce\([^)]*\)|[^,()]+),(?:[^,()']+,)? *'([a-z_]+)'/g

/** The details of a call, to the end of its statement. A function of their own makes the totals of a payout batch. */
const DETAILS = /(?:log_admin_action\(|function payout_batch_totals\()[^;]*?(jsonb_build_object\([^;]*);/g
const KEY = /(?:jsonb_build_object\(|,)\s*'(\w+)',/g

/** Returns what `find` finds in the files of SQL functions, each once. */
async function inSqlFunctions(find: (sql: string) => (string | undefined)[]): Promise<string[]> {
  const found = new Set<string>()
  for await (const path of glob('server/**/*.sql', { exclude: ['server/database/**'] }))
    for (const name of find(readFileSync(path, 'utf8'))) if (name !== undefined) found.add(name)
  return [...found]
}

describe('the admin audit log by filters', () => {
  const api = useApi()
  const freeze = (admin: TestUser, user: TestUser, reason: string) =>
    api.as(admin).post(`/users/${user.id}/freezes`, { reason })

  test('finds actions by Admin, action, user and day, and pages through them', async () => {
    const [first, second] = [await anAdmin(api.database), await anAdmin(api.database)]
    const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database, { coins: 100 })]
    const task = await aTask(api.database, buyer, { slots: 1, reward: 5 })
    assert.equal((await freeze(first, worker, '=Two people, one number')).status, 200)
    assert.equal((await api.as(second).delete(`/delete-task/${task}`)).status, 200)
    assert.equal((await api.as(second).put(`/update-role/${worker.id}`, { value: 'Buyer' })).status, 200)

    const found = async (query: string) => {
      const { status, body } = await api.as(first).get(`/audit-log?${query}`)
      assert.equal(status, 200)
      return body.map(({ act }: { act: string }) => act)
    }
    assert.deepEqual(await found(''), ['role_changed', 'task_deleted', 'user_frozen'])
    assert.deepEqual(await found(`admin=${second.id}`), ['role_changed', 'task_deleted'])
    assert.deepEqual(await found(`admin=${second.id}&act=task_deleted`), ['task_deleted'])
    assert.deepEqual(await found(`admin=${second.id.toUpperCase()}`), await found(`admin=${second.id}`))
    assert.deepEqual(await found(`user=${worker.id}`), ['role_changed', 'user_frozen'])
    assert.deepEqual(await found(`user=${encodeURIComponent(buyer.email)}`), ['task_deleted'])
    assert.deepEqual(await found(`user=${worker.id}&act=user_frozen&admin=${first.id}`), ['user_frozen'])
    assert.deepEqual(await found('user=nobody@example.com'), [])
    const today = new Date().toISOString().slice(0, 10)
    assert.equal((await found(`from=${today}&to=${today}`)).length, 3)
    assert.deepEqual(await found('to=2020-01-01'), [])
    assert.deepEqual(await found('from=2100-01-01'), [])

    const page = await api.as(first).get('/audit-log?limit=2')
    const rest = await api.as(first).get(`/audit-log?limit=2${page.next}`)
    assert.deepEqual([page.body.length, rest.body.length, rest.next], [2, 1, ''])
    const [frozen] = rest.body
    assert.deepEqual(
      [frozen.admin._id, frozen.user._id, frozen.reason],
      [first.id, worker.id, '=Two people, one number'],
    )
    assert.equal(page.body[1].user._id, buyer.id, 'a task is of its buyer')
  })

  test('its file has the same actions, and the chain is checked', async () => {
    const admin = await anAdmin(api.database)
    const { text } = await api.as(admin).get('/audit-log/export?act=user_frozen')
    const lines = text.split('\r\n').filter((line) => line !== '')
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /"User frozen".*"'=Two people, one number"/)
    const { body } = await api.as(admin).get('/audit-log/chain')
    assert.deepEqual([body.entries, body.broken], [3, 0])
    assert.match(body.lastHash, /^[0-9a-f]{64}$/)
  })

  test('is for Admins only', async () => {
    const worker = await aWorker(api.database)
    for (const path of ['/audit-log', '/audit-log/chain', '/audit-log/export'])
      assert.equal((await api.as(worker).get(path)).status, 403)
  })

  test('finds what was decided about submissions and unmatched payments of a user', async () => {
    const admin = await anAdmin(api.database)
    const { worker, buyer, submissionId } = await aPendingSubmission(api.database)
    const { rows } = await api.owner.query(
      `insert into unmatched_payments (intent_id, cause, mode, user_id, cents, currency, paid_at)
       values ('pi_unmatched', 'no_purchase', 'sandbox', $1, 1000, 'usd', now()) returning id`,
      [buyer.id],
    )
    await api.owner.query(
      `select log_admin_action($1, act, subject) from (values ('review_decided', $2::uuid), ('unmatched_payment_credited', $3)) as actions (act, subject)`,
      [admin.id, submissionId, rows[0].id],
    )
    for (const [user, act] of [
      [worker, 'review_decided'],
      [buyer, 'unmatched_payment_credited'],
    ] as const) {
      const { body } = await api.as(admin).get(`/audit-log?user=${user.id}`)
      assert.deepEqual(
        body.map((action: { act: string; user: { _id: string } }) => [action.act, action.user._id]),
        [[act, user.id]],
      )
      const { text } = await api.as(admin).get(`/audit-log/export?user=${user.id}`)
      assert.equal(text.trim().split('\r\n').length, 2)
    }
  })

  test('every action of the SQL functions has a name', async () => {
    const acts = await inSqlFunctions((sql) => [...sql.matchAll(ACT)].map(([, act]) => act))
    assert.ok(acts.length > 30)
    assert.deepEqual(
      acts.filter((act) => !Object.hasOwn(AUDIT_ACT_NAMES, act)),
      [],
    )
  })

  test('every detail of the SQL functions has a name', async () => {
    const details = await inSqlFunctions((sql) =>
      [...sql.matchAll(DETAILS)].flatMap(([, details = '']) =>
        [...details.matchAll(KEY)].map(([, key]) => key),
      ),
    )
    assert.ok(details.length > 30)
    assert.deepEqual(
      details.filter((detail) => detail !== 'reason' && !Object.hasOwn(AUDIT_DETAIL_NAMES, detail)),
      [],
    )
  })
})
