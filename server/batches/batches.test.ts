import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { BATCH_CHUNK_BYTES, UNPAID_BATCHES_MAX } from '#contract/batches.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { aBuyer, atOnce, aWorker, type TestUser } from '#tests/support/factories.ts'
import { checkDueBatches, purgeUnpaidBatches } from './check.ts'

const base64 = (content: Uint8Array) => Buffer.from(content).toString('base64')

describe('the files of batches', () => {
  const api = useApi()
  let buyer: TestUser
  let project = ''

  before(async () => {
    buyer = await aBuyer(api.database)
    project = (await api.as(buyer).post('/projects', PROJECT)).body._id
  })

  const rows = async (sql: string, values: unknown[] = []) =>
    (await api.database.pool.query(sql, values)).rows

  async function aBatch(user = buyer, projectId = project): Promise<string> {
    const created = await api.as(user).post(`/projects/${projectId}/batches`, { fileName: 'shops.csv' })
    assert.equal(created.status, 201, created.text)
    return created.body._id
  }

  /** Uploads a file in chunks, and ends the upload. */
  async function upload(file: string | Buffer, id?: string): Promise<string> {
    const batch = id ?? (await aBatch())
    const bytes = Buffer.from(file)
    for (let from = 0, number = 0; from < bytes.length; from += BATCH_CHUNK_BYTES, number++) {
      const content = base64(bytes.subarray(from, from + BATCH_CHUNK_BYTES))
      const stored = await api.as(buyer).put(`/batches/${batch}/chunks/${number}`, { content })
      assert.equal(stored.status, 200, stored.text)
    }
    const begun = await api.as(buyer).post(`/batches/${batch}/check`, { bytes: bytes.length })
    assert.equal(begun.status, 202, begun.text)
    return batch
  }

  const batchOf = async (id: string) => (await api.as(buyer).get(`/batches/${id}`)).body
  const cancel = (id: string) => api.as(buyer).post(`/batches/${id}/cancel`)

  test('a file is uploaded, checked in the background, and its cost is known before anything is paid', async () => {
    const id = await upload('name,city\nRupa,Dhaka\nKarim,Sylhet\nRupa,Dhaka\n')
    assert.equal((await batchOf(id)).state, 'checking')
    await checkDueBatches(api.database)
    const { body } = await api.as(buyer).get(`/batches/${id}`)
    assert.equal(body.state, 'checked')
    assert.deepEqual(body.columns, ['name', 'city'])
    assert.deepEqual(
      { items: body.items, rowsRead: body.rowsRead, errors: body.errors, warnings: body.warnings },
      { items: 3, rowsRead: 3, errors: 0, warnings: 1 },
    )
    assert.deepEqual(body.cost, { items: 3, workersPerItem: 2, reward: 3, pay: 18, fee: 0, total: 18 })

    const { body: preview } = await api.as(buyer).get(`/batches/${id}/preview`)
    assert.equal(preview[1].instructions, 'Look up Karim and choose what it sells.')
    assert.deepEqual(preview[0].missing, [])
    const { body: problems } = await api.as(buyer).get(`/batches/${id}/problems`)
    assert.deepEqual(problems, [
      {
        row: 4,
        column: null,
        kind: 'repeated_row',
        isError: false,
        message: 'This row is the same as row 2.',
      },
    ])
    await cancel(id)
  })

  test('a file with errors has no cost, and its report is a file', async () => {
    const id = await upload('city\n=1+1\n')
    await checkDueBatches(api.database)
    const { cost, errors } = await batchOf(id)
    assert.deepEqual({ cost, errors }, { cost: null, errors: 1 })
    const report = await api.as(buyer).get(`/batches/${id}/problems/csv`)
    assert.match(String(report.headers['content-type']), /^text\/csv/)
    assert.match(report.text, /"1","name","Error","The project needs this column, and the file lacks it."/)
    await cancel(id)
  })

  test('chunks are accepted in order, can be resent, and the total size is checked', async () => {
    const id = await aBatch()
    const put = (number: number, text: string) =>
      api.as(buyer).put(`/batches/${id}/chunks/${number}`, { content: base64(Buffer.from(text)) })
    assert.equal((await put(1, 'Rupa\n')).status, 409)
    for (const excess of [1, 2, 3])
      assert.equal((await put(0, 'x'.repeat(BATCH_CHUNK_BYTES + excess))).status, 422)
    assert.equal((await put(0, 'x'.repeat(BATCH_CHUNK_BYTES))).status, 200)
    await atOnce(6, () => put(0, 'name\n'))
    assert.equal((await put(0, 'name\nKa')).body.bytes, 7)
    assert.equal((await put(1, 'rim\n')).body.bytes, 11)
    const early = await api.as(buyer).post(`/batches/${id}/check`, { bytes: 12 })
    assert.equal(early.status, 409)
    assert.match(early.body.error.message, /11 bytes were received/)
    assert.equal((await api.as(buyer).post(`/batches/${id}/check`, { bytes: 11 })).status, 202)
    assert.equal((await api.as(buyer).post(`/batches/${id}/check`, { bytes: 11 })).status, 202)
    assert.equal((await put(1, 'rim\n')).status, 409)
    await checkDueBatches(api.database)
    assert.equal(
      (await api.as(buyer).get(`/batches/${id}/preview`)).body[0].instructions,
      'Look up Karim and choose what it sells.',
    )
    await cancel(id)
  })

  test('a shorter file that is uploaded after a longer one takes its place', async () => {
    const id = await aBatch()
    const put = (number: number, text: string) =>
      api.as(buyer).put(`/batches/${id}/chunks/${number}`, { content: base64(Buffer.from(text)) })
    const longer = ['name\nRupa\n', 'Karim\n', 'Jamila\n', 'Nadia\n']
    for (const [number, text] of longer.entries()) await put(number, text)
    for (const [number, text] of ['name\nSalma\n', 'Mina'].entries()) await put(number, text)
    const begin = (bytes: number) => api.as(buyer).post(`/batches/${id}/check`, { bytes })
    assert.equal((await begin(14)).status, 409)
    assert.equal((await batchOf(id)).bytes, 28)
    const begun = await begin(15)
    assert.deepEqual([begun.status, begun.body.bytes], [202, 15])
    assert.equal((await begin(11)).status, 409)
    await checkDueBatches(api.database)
    assert.deepEqual(
      (await api.as(buyer).get(`/batches/${id}/preview`)).body.map(
        (item: { instructions: string }) => item.instructions,
      ),
      ['Look up Salma and choose what it sells.', 'Look up Mina and choose what it sells.'],
    )
    await cancel(id)
  })

  test('an interrupted check and two concurrent ones end in the same result', async () => {
    const lines = Array.from({ length: 6000 }, (_, index) => `Shop ${index}`)
    const id = await upload(`name\n${lines.join('\n')}\n`)
    await rows(`update batches set rows_read = 4000 where id = $1`, [id])
    await Promise.all([checkDueBatches(api.database), checkDueBatches(api.database)])
    const { state, items, rowsRead } = await batchOf(id)
    assert.deepEqual({ state, items, rowsRead }, { state: 'checked', items: 6000, rowsRead: 6000 })
    await cancel(id)
  })

  test('a batch that is cancelled during its check stays cancelled, and its file is deleted', async () => {
    const id = await upload('name\nRupa\n')
    await Promise.all([checkDueBatches(api.database), cancel(id)])
    assert.equal((await cancel(id)).body.state, 'cancelled')
    assert.deepEqual(await rows('select from batch_chunks where batch_id = $1', [id]), [])
    assert.equal((await api.as(buyer).post(`/batches/${id}/check`, { bytes: 10 })).status, 409)
  })

  test("another buyer's project and batch are not found, and workers have none", async () => {
    const id = await upload('name\nRupa\n')
    const other = await aBuyer(api.database)
    const calls = await Promise.all([
      api.as(other).post(`/projects/${project}/batches`, { fileName: 'x.csv' }),
      api.as(other).get(`/batches/${id}`),
      api.as(other).get(`/batches/${id}/problems`),
      api.as(other).get(`/batches/${id}/problems/csv`),
      api.as(other).get(`/batches/${id}/preview`),
      api.as(other).put(`/batches/${id}/chunks/0`, { content: 'eA==' }),
      api.as(other).post(`/batches/${id}/check`, { bytes: 10 }),
      api.as(other).post(`/batches/${id}/cancel`),
      api.as(buyer).get(`/batches/${randomUUID()}`),
    ])
    assert.deepEqual(
      calls.map(({ status }) => status),
      calls.map(() => 404),
    )
    assert.deepEqual((await api.as(other).get('/batches')).body, [])
    assert.equal((await api.as(await aWorker(api.database)).get('/batches')).status, 403)
    await cancel(id)
  })

  test('a buyer has a limited number of files, also when many requests come at once', async () => {
    const other = await aBuyer(api.database)
    const own = (await api.as(other).post('/projects', PROJECT)).body._id
    const results = await Promise.all(
      Array.from({ length: UNPAID_BATCHES_MAX + 4 }, () =>
        api.as(other).post(`/projects/${own}/batches`, { fileName: 'x.csv' }),
      ),
    )
    assert.equal(results.filter(({ status }) => status === 201).length, UNPAID_BATCHES_MAX)
    const [first] = (await api.as(other).get('/batches?limit=3')).body
    assert.equal((await api.as(other).post(`/batches/${first._id}/cancel`)).status, 200)
    await aBatch(other, own)
  })

  test('batches keep the version of their project; an archived project accepts none', async () => {
    const own = (await api.as(buyer).post('/projects', PROJECT)).body._id
    const id = await aBatch(buyer, own)
    const changed = await api.as(buyer).put(`/projects/${own}`, { ...PROJECT, reward: 9, version: 1 })
    assert.equal(changed.body.version, 2)
    await upload('name\nRupa\n', id)
    await checkDueBatches(api.database)
    const { projectVersion, cost } = await batchOf(id)
    assert.deepEqual([projectVersion, cost.reward], [1, 3])
    await api.as(buyer).put(`/projects/${own}/archived`, { archived: true })
    assert.equal((await api.as(buyer).post(`/projects/${own}/batches`, { fileName: 'x.csv' })).status, 409)
    await cancel(id)
  })

  test('lists are by page, and by project', async () => {
    const own = (await api.as(buyer).post('/projects', PROJECT)).body._id
    const ids = [await aBatch(buyer, own), await aBatch(buyer, own)]
    const first = await api.as(buyer).get(`/batches?project=${own}&limit=1`)
    const second = await api.as(buyer).get(`/batches?project=${own}&limit=1${first.next}`)
    assert.deepEqual(
      [first, second].map(({ body }) => body[0]._id),
      ids.toReversed(),
    )
    assert.equal(second.next, '')
    await Promise.all(ids.map(cancel))
  })

  test('files that were not paid are deleted after a week', async () => {
    const id = await upload('name\nRupa\n')
    await atTime(api.url, later(new Date(), { days: 6 }), purgeUnpaidBatches)
    assert.equal((await rows('select from batches where id = $1', [id])).length, 1)
    await atTime(api.url, later(new Date(), { days: 8 }), purgeUnpaidBatches)
    assert.equal((await rows('select from batches where id = $1', [id])).length, 0)
    assert.equal((await rows('select from batch_chunks where batch_id = $1', [id])).length, 0)
  })
})
