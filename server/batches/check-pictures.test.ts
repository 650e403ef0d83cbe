import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BATCH_PICTURES_MAX } from '#contract/batches.ts'
import { pictureFailure } from '#server/images/fetch-picture.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, dayFromNow, type TestUser } from '#tests/support/factories.ts'
import { png, startSite } from '#tests/support/picture-site.ts'
import { checkDueBatches } from './check.ts'
import { checkDuePictures } from './check-pictures.ts'

const OTHER = 'https://other.example'
/** Only the picture that never comes is not waited for. */
const timeoutOf = (url: string) => (url.endsWith('/slow.png') ? 500 : 60_000)

describe('the pictures in the files of batches', () => {
  const api = useApi()
  let site: Awaited<ReturnType<typeof startSite>>

  before(async () => {
    site = await startSite(({ url }, response) => {
      if (url === '/missing.png') response.writeHead(404).end(png)
      else if (url === '/moved.png') response.writeHead(302, { location: '/good.png' }).end()
      else if (url === '/text.png') response.setHeader('content-type', 'image/png').end('<html>')
      else if (url === '/large.png') response.setHeader('content-length', 10 * 1024 * 1024 + 1).write(png)
      else if (url !== '/slow.png') response.end(png)
    })
  })
  after(() => site.close())

  const rows = async (sql: string, values: unknown[] = []) =>
    (await api.database.pool.query(sql, values)).rows
  // Files need https, for which the other site has no certificate.
  const check = (url: string) =>
    pictureFailure(url.replace(OTHER, site.url), { anyOrigin: true, isAllowed: () => true }, timeoutOf(url))
  const checkPictures = (checkOne = check) => checkDuePictures(api.database, checkOne)

  /** A file with these pictures, whose rows are read. */
  async function aFileWith(pictures: string[], given?: TestUser) {
    const buyer = given ?? (await aBuyer(api.database, { coins: 100 }))
    const as = api.as(buyer)
    const project = await as.post('/projects', { ...PROJECT, pictureColumns: ['photo'], workersPerItem: 1 })
    const { _id: id } = (await as.post(`/projects/${project.body._id}/batches`, { fileName: 'x.csv' })).body
    const file = Buffer.from(`name,photo\n${pictures.map((url, place) => `Shop ${place},${url}\n`).join('')}`)
    for (let from = 0; from < file.length; from += 200_000) {
      const content = file.subarray(from, from + 200_000).toString('base64')
      assert.equal((await as.put(`/batches/${id}/chunks/${from / 200_000}`, { content })).status, 200)
    }
    assert.equal((await as.post(`/batches/${id}/check`, { bytes: file.length })).status, 202)
    await checkDueBatches(api.database)
    const batch = async () => (await as.get(`/batches/${id}`)).body
    const problems = async () => (await as.get(`/batches/${id}/problems`)).body
    return { buyer, as, id, batch, problems }
  }

  test('those that do not load are reported by row and column with the reason, before anything can be paid', async () => {
    const paths = ['good', 'missing', 'slow', 'text', 'moved', 'large', 'missing', 'good']
    const { as, id, batch, problems } = await aFileWith(paths.map((path) => `${OTHER}/${path}.png`))
    const waiting = await batch()
    assert.deepEqual(
      [waiting.state, waiting.cost, waiting.pictures, waiting.picturesChecked],
      ['checking', null, 6, 0],
    )
    const payment = { completion_date: dayFromNow(7), total: 24 }
    assert.equal((await as.post(`/batches/${id}/funding`, payment)).status, 409)

    assert.equal(await checkPictures(), 1)
    const { state, errors, warnings, picturesChecked, cost } = await batch()
    assert.deepEqual(
      [state, errors, warnings, picturesChecked, cost.total],
      ['checked', 0, 6, 6, payment.total],
    )
    assert.deepEqual(
      (await problems()).map(({ row, column, kind, isError, message }: Record<string, unknown>) => [
        [row, column, kind, isError],
        message,
      ]),
      [
        [3, 'status 404.'],
        [4, 'did not respond in time.'],
        [5, 'This URL does not lead to a picture (JPEG, PNG, WebP, GIF or AVIF).'],
        [6, 'status 302.'],
        [7, 'This picture is larger than 10 MB.'],
        [8, 'status 404.'],
      ].map(([row, end]) => [
        [row, 'photo', 'picture_not_loaded', false],
        String(end).startsWith('This')
          ? end
          : `This picture does not load: its host ${String(end).startsWith('status') ? 'responds with ' : ''}${end}`,
      ]),
    )
    assert.deepEqual(
      site.requested.toSorted(),
      ['good', 'large', 'missing', 'moved', 'slow', 'text'].map((path) => `/${path}.png`),
    )
    const report = await as.get(`/batches/${id}/problems/csv`)
    assert.match(
      report.text,
      /"3","photo","Warning","This picture does not load: its host responds with status 404\."/,
    )
    assert.deepEqual(await rows('select from batch_pictures where batch_id = $1', [id]), [])
    assert.equal((await as.post(`/batches/${id}/funding`, payment)).status, 202)
  })

  test('a file whose host does not respond delays neither the rows nor the pictures of other buyers', async () => {
    const slow = await aFileWith([`${OTHER}/held.png`])
    const held = Promise.withResolvers<void>()
    const requested = Promise.withResolvers<void>()
    const run = checkPictures(async (url) => {
      if (!url.endsWith('/held.png')) return null
      requested.resolve()
      await held.promise
      return 'timeout'
    })
    await requested.promise
    const other = await aFileWith([`${OTHER}/good.png`])
    assert.equal((await other.batch()).pictures, 1)
    // Another run leaves the file that is claimed alone.
    assert.equal(await checkPictures(), 1)
    assert.deepEqual([(await other.batch()).state, (await slow.batch()).state], ['checked', 'checking'])
    held.resolve()
    assert.equal(await run, 1)
    assert.equal((await slow.batch()).warnings, 1)
  })

  test('a check whose instance died continues after its claim, without the pictures that were requested', async () => {
    const { id, batch } = await aFileWith([`${OTHER}/first.png`, `${OTHER}/second.png`])
    await rows(`update batch_pictures set result = '404' where batch_id = $1 and number = 1`, [id])
    await rows(
      `update batches set pictures_checked = 1, pictures_until = clock_time() + interval '1 minute',
              pictures_claimed_until = clock_time() + interval '1 minute' where id = $1`,
      [id],
    )
    const requested: string[] = []
    const record = async (url: string) => {
      requested.push(url)
      return null
    }
    assert.equal(await checkPictures(record), 0)
    await rows('update batches set pictures_claimed_until = clock_time() where id = $1', [id])
    assert.equal(await checkPictures(record), 1)
    assert.deepEqual(requested, [`${OTHER}/second.png`])
    const { picturesChecked, warnings } = await batch()
    assert.deepEqual([picturesChecked, warnings], [2, 1])
  })

  test('pictures that are not checked in time are counted in the report, and the batch can be paid', async () => {
    const { id, batch, problems } = await aFileWith([`${OTHER}/a.png`, `${OTHER}/b.png`])
    await rows('update batches set pictures_until = clock_time() where id = $1', [id])
    assert.equal(await checkPictures(), 1)
    const { state, cost } = await batch()
    assert.deepEqual([state, cost.total], ['checked', 6])
    const [{ message, ...problem }] = await problems()
    assert.deepEqual(problem, { row: null, column: null, kind: 'pictures_not_checked', isError: false })
    assert.equal(message, '2 pictures were not checked.')
  })

  test('a host that never responds is given up, and a file has a limited number of requests', async () => {
    const buyer = await aBuyer(api.database)
    const urls = Array.from({ length: BATCH_PICTURES_MAX + 5 }, (_, place) => `${OTHER}/${place}.png`)
    const { problems, batch } = await aFileWith(urls, buyer)
    let requests = 0
    await checkPictures(async () => {
      requests++
      return 'unreachable'
    })
    const { pictures, picturesChecked, warnings } = await batch()
    assert.equal(pictures, BATCH_PICTURES_MAX + 5)
    assert.equal(picturesChecked, requests)
    // Up to eight requests are in flight when the tenth fails.
    assert.ok(requests >= 10 && requests < 20, String(requests))
    assert.equal(warnings, requests + 1)
    assert.equal((await problems())[0].kind, 'pictures_not_checked')
  })

  test('requests are limited in all and to one host', async () => {
    const files = await Promise.all(
      Array.from({ length: 6 }, (_, file) =>
        aFileWith(
          Array.from({ length: 12 }, (__, place) =>
            file < 2 ? `${OTHER}/${file}-${place}.png` : `https://host${file}.example/${place}.png`,
          ),
        ),
      ),
    )
    const running: string[] = []
    let mostOfHost = 0
    let most = 0
    const full = Promise.withResolvers<void>()
    await checkPictures(async (url) => {
      most = Math.max(most, running.push(url))
      mostOfHost = Math.max(mostOfHost, running.filter((other) => other.startsWith(OTHER)).length)
      if (running.length === 32) full.resolve()
      await full.promise
      running.splice(running.indexOf(url), 1)
      return null
    })
    assert.equal(most, 32)
    assert.ok(mostOfHost <= 8, String(mostOfHost))
    for (const { batch } of files) assert.equal((await batch()).state, 'checked')
  })

  test('the pictures of a file with errors are not requested; a cancelled check ends', async () => {
    const failed = await aFileWith([`${OTHER}/a.png`, 'no URL'])
    assert.deepEqual([(await failed.batch()).state, (await failed.batch()).pictures], ['checked', 0])
    assert.deepEqual(await rows('select from batch_pictures where batch_id = $1', [failed.id]), [])
    const cancelled = await aFileWith([`${OTHER}/a.png`])
    const checked = await checkPictures(async () => {
      await cancelled.as.post(`/batches/${cancelled.id}/cancel`)
      return null
    })
    assert.equal(checked, 0)
    assert.equal((await cancelled.batch()).state, 'cancelled')
  })
})
