import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserTableRow } from '#contract/user-table.ts'
import { updateRecords } from '#server/records/update.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { deleteUser } from '#server/users/delete.ts'
import { growsIn } from '#tests/load/plans/judge.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import { allStatements } from '#tests/support/statements.ts'

describe('the table of users', () => {
  const api = useApi({}, { isNew: true })
  const admin = () => anAdmin(api.database)

  /** Follows the cursors of pages of two. */
  async function listed(as: TestUser, query: string): Promise<UserTableRow[]> {
    const rows: UserTableRow[] = []
    let cursor = ''
    do {
      const { status, body, next } = await api.as(as).get(`/users?limit=2&${query}${cursor}`)
      assert.equal(status, 200)
      rows.push(...body)
      cursor = next
    } while (cursor !== '')
    return rows
  }
  const namesOf = (rows: UserTableRow[]) => rows.map(({ name }) => name)

  test('has balance, work, approval, flags and destinations of a user', async () => {
    const buyer = await aBuyer(api.database, { coins: 300 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { slots: 1, reward: 100 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    await updateRecords(api.database)
    await api.owner.query(
      `insert into payout_destinations (id, user_id, slot, payment_system, account_number, holder_name, usable_at)
       values (gen_random_uuid(), $1, 1, 'Rocket', '017110009998', 'Shirin \u09ae\u09df\u09a8\u09be', now())`,
      [worker.id],
    )
    await api.owner.query(
      `insert into freezes (user_id, cause, reason) values ($1, 'dispute', 'A dispute is open')`,
      [buyer.id],
    )
    const rows = await listed(await admin(), 'sort=joined')
    const [ofWorker, ofBuyer] = [worker, buyer].map(({ id }) => rows.find(({ _id }) => _id === id))
    assert.deepEqual(
      [ofWorker?.coins, ofWorker?.work, ofWorker?.approvalPercent, ofWorker?.isFrozen],
      [110, 1, 100, false],
    )
    assert.deepEqual(ofWorker?.destinations, [{ system: 'Rocket', accountNumber: '017110009998' }])
    assert.deepEqual([ofBuyer?.tasks, ofBuyer?.approvalPercent, ofBuyer?.isFrozen], [1, 100, true])

    for (const q of [
      '01711000999',
      '+880 1711-000999',
      'shirin \u09ae\u09df\u09a8\u09be',
      'SHIRIN \u09ae\u09af\u09bc\u09a8\u09be',
      worker.id,
      worker.email,
    ]) {
      const found = await listed(await admin(), `q=${encodeURIComponent(q)}`)
      assert.deepEqual(
        found.map(({ _id }) => _id),
        [worker.id],
        q,
      )
    }
    assert.deepEqual(
      (await listed(await admin(), 'flag=frozen')).map(({ _id }) => _id),
      [buyer.id],
    )
    assert.deepEqual((await listed(await admin(), 'flag=frozen&role=Worker')).length, 0)
  })

  test('every order and filter lists each user once, over all pages', async () => {
    for (const name of ['Ayesha Akter', 'রহিমা বেগম', '=cmd()', 'ayesha akter']) {
      await aWorker(api.database, { name, coins: 40 })
    }
    const viewer = await admin()
    const everybody = new Set((await listed(viewer, '')).map(({ _id }) => _id))
    for (const sort of ['joined', 'name', 'balance', 'seen', 'tasks', 'work', 'approval']) {
      for (const order of ['asc', 'desc']) {
        const ids = (await listed(viewer, `sort=${sort}&order=${order}`)).map(({ _id }) => _id)
        assert.equal(ids.length, everybody.size, `${sort} ${order}`)
        assert.deepEqual(new Set(ids), everybody, `${sort} ${order}`)
        for (const filter of ['q=ayesha', 'flag=reviewer', 'q=ayesha&flag=debt&role=Worker'])
          await listed(viewer, `sort=${sort}&order=${order}&${filter}`)
      }
    }
    const balances = (await listed(viewer, 'sort=balance&order=desc')).map(({ coins }) => coins)
    assert.deepEqual(
      balances,
      balances.toSorted((one, other) => other - one),
    )
    const names = namesOf(await listed(viewer, 'sort=name&q=ayesha'))
    assert.deepEqual(names.length, 2)
    assert.equal((await api.as(viewer).get('/users?sort=name&cursor=WyJhIl0')).status, 400)
    assert.equal((await api.as(viewer).get('/users?sort=wealth')).status, 422)
    assert.deepEqual(await listed(viewer, `q=${encodeURIComponent("!'&")}`), [])
  })

  test('the totals and the file have exactly the users of the filter', async () => {
    const viewer = await admin()
    const users = await Promise.all(
      ['=HYPERLINK("x") Kamal', 'Kamal Hossain', 'Kamal Deleted'].map((name) =>
        aWorker(api.database, { name, coins: 20 }),
      ),
    )
    await deleteUser(api.database, users[2]?.id ?? '', viewer.id)
    await api.owner.query(
      `insert into payout_destinations (id, user_id, slot, payment_system, account_number, holder_name, usable_at)
       values (gen_random_uuid(), $1, 1, 'Bkash', '01711000777', 'Kamal Hossain', now())`,
      [users[1]?.id],
    )
    const { body: totals } = await api.as(viewer).get('/users/totals?q=kamal')
    assert.deepEqual(totals, { users: 2, coins: 60, debt: 0 })
    const { status, text, headers } = await api.as(viewer).get('/users/export?q=kamal')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    const lines = text.split('\r\n').filter((line) => line !== '')
    assert.equal(lines.length, 3)
    assert.match(lines[0] ?? '', /^\uFEFF"Id","Name","Email"/)
    assert.match(text, /"'=HYPERLINK\(""x""\) Kamal"/, 'a formula is text')
    assert.match(text, /"bKash 01711000777"/)
    const { rows } = await api.database.pool.query(
      `select params from security_log where kind = 'data_exported' and identity_id = $1`,
      [viewer.id],
    )
    assert.deepEqual(rows, [{ params: { data: 'users' } }])
  })

  test('is for Admins only', async () => {
    const worker = await aWorker(api.database)
    for (const path of ['/users', '/users/totals', '/users/export']) {
      assert.equal((await api.as(worker).get(path)).status, 403)
      assert.equal((await api.anyone.get(path)).status, 401)
    }
  })

  test('sorted by join date or name it reads one page of users', async () => {
    const statements = await allStatements()
    const client = await api.database.pool.connect()
    try {
      await client.query('set enable_seqscan = off; set enable_mergejoin = off; set enable_hashjoin = off')
      for (const name of ['joined_desc', 'joined_asc', 'name_asc', 'name_desc']) {
        const { rows } = await client.query(
          `explain (generic_plan, format json) ${statements.get(`users_table_${name}`)?.sql}`,
        )
        const plan = rows[0]['QUERY PLAN'][0].Plan
        assert.deepEqual(growsIn(plan, { table: () => true }), [])
        assert.match(JSON.stringify(plan), name.startsWith('joined') ? /users_newest/ : /users_by_name/)
      }
    } finally {
      client.release(true)
    }
  })
})
