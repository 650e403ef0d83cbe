import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ListedProject } from '#contract/projects.ts'
import { STATEMENTS } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { growsIn, type Plan } from '#tests/load/plans/judge.ts'
import { useApi } from '#tests/support/api.ts'
import { aCheckedBatch } from '#tests/support/batches.ts'
import { aBuyer, aWorker, type TestUser } from '#tests/support/factories.ts'
import { itemWork } from '#tests/support/items.ts'

describe('the list of projects', () => {
  const api = useApi()
  const list = async (buyer: TestUser, query = ''): Promise<ListedProject[]> =>
    (await api.as(buyer).get(`/projects?${query}`)).body
  const workOf = async (buyer: TestUser) => (await list(buyer))[0]?.work

  describe('searched by title', () => {
    let buyer: TestUser
    before(async () => {
      buyer = await aBuyer(api.database)
      for (const title of ['Shops of Dhaka', '100% of shops', 'Count shops', 'দোকানের দাম', 'Photos'])
        await api.as(buyer).post('/projects', { ...PROJECT, title })
    })
    const titles = async (query: string) => (await list(buyer, query)).map(({ title }) => title)

    test('by any part of it, in any case, without patterns', async () => {
      assert.deepEqual(await titles('q=SHOPS'), ['Count shops', '100% of shops', 'Shops of Dhaka'])
      assert.deepEqual(await titles(`q=${encodeURIComponent(' 0% of ')}`), ['100% of shops'])
      assert.deepEqual(await titles('q=%25%25'), [])
      assert.deepEqual(await titles(`q=${encodeURIComponent('দাম')}`), ['দোকানের দাম'])
      assert.equal((await titles('q=')).length, 5)
      assert.deepEqual(await titles('q=shops&archived=true'), [])
    })

    test('in each sequence of code points that a Bangla letter has', async () => {
      const other = await aBuyer(api.database)
      for (const title of ['সম\u09df এক', 'সম\u09af\u09bc দুই'])
        await api.as(other).post('/projects', { ...PROJECT, title })
      for (const q of ['সম\u09df', 'সম\u09af\u09bc'])
        assert.equal((await list(other, `q=${encodeURIComponent(q)}`)).length, 2)
    })

    test('in pages without gaps or repeats', async () => {
      const paged: string[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const path: string = `/projects?q=shops&limit=1${cursor && `&cursor=${cursor}`}`
        const { body, headers } = await api.as(buyer).get(path)
        paged.push(...body.map(({ title }: ListedProject) => title))
        cursor = headers['x-next-cursor'] as string | undefined
      }
      assert.deepEqual(paged, await titles('q=shops'))
    })
  })

  test('work of paid batches is counted, also when they close', async () => {
    const { aBatch, take, work } = itemWork(api)
    const { buyer, taskId } = await aBatch(2, { workersPerItem: 2, reward: 5 })
    const worker = await aWorker(api.database)
    const { id } = await work(worker, taskId)
    await work(worker, taskId)
    await take(await aWorker(api.database), taskId)
    await approveSubmission(api.database, id, buyer.id)
    const expected = { batches: 1, unpaidBatches: 0, failedBatches: 0, items: 2, slots: 4 }
    assert.deepEqual(await workOf(buyer), { ...expected, reserved: 1, pending: 1, done: 1, escrow: 15 })
    await api.as(buyer).post(`/tasks/${taskId}/close`)
    assert.deepEqual(await workOf(buyer), { ...expected, reserved: 1, pending: 1, done: 2, escrow: 10 })
  })

  test('files that wait to be paid or corrected are counted, cancelled ones are not', async () => {
    const good = await aCheckedBatch(api.database, { items: 3 })
    const none = { batches: 1, items: 0, slots: 0, reserved: 0, pending: 0, done: 0, escrow: 0 }
    assert.deepEqual(await workOf(good.buyer), { ...none, unpaidBatches: 1, failedBatches: 0 })
    const [listed] = await list(good.buyer)
    assert.ok(listed && listed.activeAt > listed.changedAt)
    await api.as(good.buyer).post(`/batches/${good.id}/cancel`)
    assert.deepEqual(await workOf(good.buyer), { ...none, batches: 0, unpaidBatches: 0, failedBatches: 0 })

    const bad = await aCheckedBatch(api.database, { items: 3, content: { pictureColumns: ['photo'] } })
    assert.deepEqual(await workOf(bad.buyer), { ...none, unpaidBatches: 0, failedBatches: 1 })
  })

  test('the batches of a project are found by their index among those of others', async () => {
    const buyer = await aBuyer(api.database)
    await api.owner.query(
      `with made as (insert into projects (id, buyer_id) select gen_random_uuid(), $1 from generate_series(1, 100) returning id),
            versions as (insert into project_versions (project_id, version, content) select id, 1, $2 from made)
       insert into batches (id, project_id, project_version, buyer_id, file_name, state)
       select gen_random_uuid(), id, 1, $1, 'shops.csv', 'cancelled' from made cross join generate_series(1, 60)`,
      [buyer.id, PROJECT],
    )
    await api.owner.query('analyze batches')
    const { rows } = await api.database.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (generic_plan, format json) ${STATEMENTS.get('projects_of_buyer')?.sql}`,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    assert.ok(plan)
    assert.deepEqual(growsIn(plan, { table: (name) => name === 'batches' }), [])
  })
})
