import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { BATCH_SAMPLES } from '#contract/batches.ts'
import { FOREIGN_PICTURE_PATH } from '#contract/images.ts'
import { beginFunding, fundDueBatches } from '#server/batches/fund.ts'
import { cancelBatch } from '#server/batches/upload.ts'
import { isPublicAddress } from '#server/http/public-request.ts'
import { closeTask } from '#server/tasks/close.ts'
import { aCheckedBatch } from '#tests/support/batches.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aWorker, dayFromNow, testConfig } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { runMigrationInBatches } from '#tests/support/migrations.ts'
import { png, startSite } from '#tests/support/picture-site.ts'
import { recordTransactions } from '#tests/support/record-transactions.ts'
import { createPictureCheck } from './check-picture.ts'
import { pictureFailure } from './fetch-picture.ts'
import { purgeForeignPictures } from './foreign-pictures.ts'
import { purgeUnusedImages } from './purge-unused.ts'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

describe('pictures of items and submissions', () => {
  const db = useDatabase()
  let instance: Instance
  let site: Awaited<ReturnType<typeof startSite>>

  before(async () => {
    instance = await anInstance(db.database)
    site = await startSite(({ url = '' }, response) => {
      if (requests(url) === failingRequest[url]) response.writeHead(503)
      response.end(png)
    })
  })
  after(async () => {
    await instance.close()
    site.close()
  })
  const show = (url: string, on = instance) =>
    on.app.inject({ url: `${FOREIGN_PICTURE_PATH}?url=${encodeURIComponent(url)}` })
  const requests = (path: string) => site.requested.filter((requested) => requested === path).length
  /** The number of the request to a path for which the other site has no time. */
  const failingRequest: Record<string, number> = { '/first-busy.png': 1, '/then-busy.png': 2 }
  async function aUserWith(image: string) {
    const { id } = await aWorker(db.database)
    await db.database.pool.query('update users set image = $1 where id = $2', [image, id])
  }
  const widthOf = async ({ rawPayload }: { rawPayload: Buffer }) => (await sharp(rawPayload).metadata()).width
  const aBatchWith = (...photos: string[]) =>
    aCheckedBatch(db.database, {
      items: photos.length,
      content: { pictureColumns: ['photo'] },
      column: { name: 'photo', values: photos },
    })
  /** A paid batch with pictures of the other site. Files need https, for which that site has no certificate. */
  async function anOpenBatchWith(...paths: string[]) {
    const { pool } = db.database
    const batch = await aBatchWith(...paths.map((path) => `https://other.example${path}`))
    const { buyer, id, total } = batch
    await pool.query(
      `update batch_chunks set content = convert_to(replace(convert_from(content, 'UTF8'), 'https://other.example', $2), 'UTF8')
        where batch_id = $1`,
      [id, site.url],
    )
    await beginFunding(db.database, testConfig, id, buyer.id, { completion_date: dayFromNow(7), total })
    await fundDueBatches(db.database, testConfig)
    const { rows } = await pool.query<{ task_id: string }>('select task_id from batches where id = $1', [id])
    return { ...batch, taskId: rows[0]?.task_id ?? '' }
  }

  test('the picture of an item is served large enough to work with, by the URL that its worker gets', async () => {
    const { taskId } = await anOpenBatchWith('/shop.png')
    const authorization = await instance.signIn(await aWorker(db.database))
    const taken = await instance.app.inject({
      method: 'POST',
      url: `/api/tasks/${taskId}/items`,
      headers: { authorization },
    })
    assert.deepEqual(taken.json().pictures, [{ column: 'photo', url: `${site.url}/shop.png` }])
    const shown = await show(taken.json().pictures[0].url)
    assert.equal(shown.statusCode, 200)
    assert.equal(await widthOf(shown), 900)
    assert.equal(requests('/shop.png'), 1)
    assert.equal((await show(`${site.url}/shop.png?other`)).statusCode, 404)
  })

  test('a picture that is stored small is fetched again for an item', async () => {
    const url = `${site.url}/both.png`
    await aUserWith(url)
    assert.equal(await widthOf(await show(url)), 400)
    await anOpenBatchWith('/both.png')
    const other = await anInstance(db.database)
    assert.equal(await widthOf(await show(url, other)), 900)
    await other.close()
    assert.equal(requests('/both.png'), 2)
  })

  test('a picture whose site has no time is fetched again, and not replaced by a small one meanwhile', async () => {
    const [first, second] = ['/first-busy.png', '/then-busy.png'].map((path) => site.url + path) as [
      string,
      string,
    ]
    await aUserWith(second)
    assert.equal(await widthOf(await show(second)), 400)
    await anOpenBatchWith('/first-busy.png', '/then-busy.png')
    for (const wanted of [404, 200]) {
      const other = await anInstance(db.database)
      for (const url of [first, second]) {
        const shown = await show(url, other)
        assert.equal(shown.statusCode, wanted)
        if (wanted === 200) assert.equal(await widthOf(shown), 900)
      }
      await other.close()
    }
  })

  test('the first items of a file that is not paid are shown with their pictures, until it is cancelled', async () => {
    const url = 'https://other.example/first.png'
    await db.database.pool.query('insert into foreign_pictures values ($1, $2, now(), $2)', [url, png])
    const { buyer, id } = await aBatchWith(url)
    const preview = await instance.app.inject({
      url: `/api/batches/${id}/preview`,
      headers: { authorization: await instance.signIn(buyer) },
    })
    assert.deepEqual(preview.json()[0].pictures, [{ column: 'photo', url }])
    assert.equal(await widthOf(await show(url)), 900)
    await cancelBatch(db.database, id, buyer.id)
    const other = await anInstance(db.database)
    assert.equal((await show(url, other)).statusCode, 404)
    await other.close()
  })

  test('a URL is found without the spaces around it, of every kind that the web app leaves out', async () => {
    const kinds = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    // A line break would need quotation marks in the file.
    const spaces = kinds.filter((character) => character.trim() === '' && !/[\n\r]/.test(character)).join('')
    const url = 'https://other.example/spaces.png'
    const { buyer, id } = await aBatchWith(`${spaces}${url}${spaces}`)
    const { rows } = await db.database.pool.query('select url from item_pictures where batch_id = $1', [id])
    await cancelBatch(db.database, id, buyer.id)
    assert.deepEqual(rows, [{ url }])
  })

  test('pictures that were uploaded here are not requested by the check of a file, nor a private network', async () => {
    const hash = sha1('uploaded')
    const uploaded = `${site.url}/images/${hash}-1280.webp`
    const { id } = await aWorker(db.database)
    await db.database.pool.query(
      'insert into images (hash, url, thumb_url, uploader) values ($1, $2, $2, $3)',
      [hash, uploaded, id],
    )
    const check = createPictureCheck(db.database, testConfig)
    assert.equal(await check(uploaded), null)
    const strict = { anyOrigin: true, isAllowed: isPublicAddress }
    assert.equal(await pictureFailure(`${site.url}/private.png`, strict), 'unreachable')
    assert.equal(
      await pictureFailure('http://other.example/', { ...strict, anyOrigin: false }),
      'unreachable',
    )
    assert.deepEqual([requests(new URL(uploaded).pathname), requests('/private.png')], [0, 0])
  })

  test('with an image host, pictures in submissions are served large, and those of profiles small', async () => {
    const [work, profile] = [`${site.url}/work.png`, `${site.url}/profile.png`]
    await imagesAt([work, profile])
    await aUserWith(profile)
    assert.equal(await widthOf(await show(work)), 900)
    assert.equal(await widthOf(await show(profile)), 400)
  })

  /** Pictures that somebody uploaded three days ago. */
  async function imagesAt(urls: string[], uploader?: string) {
    await db.database.pool.query(
      `insert into images (hash, url, thumb_url, uploader, uploaded_at)
       select left(encode(sha256(url::bytea), 'hex'), 40), url, url || '?small', $2, clock_time() - interval '9 days' from unnest($1::text[]) as url`,
      [urls, uploader ?? (await aWorker(db.database)).id],
    )
  }
  async function notExpected(): Promise<never> {
    throw new Error('The purge only removes')
  }

  test('copies of the pictures of items are kept until 60 days after their batch has closed', async () => {
    const { pool } = db.database
    const open = await anOpenBatchWith('/open.png')
    const closed = await anOpenBatchWith('/closed.png')
    const urls = [`${site.url}/open.png`, `${site.url}/closed.png`]
    for (const url of urls) await show(url)
    await pool.query(`update foreign_pictures set fetched_at = fetched_at - interval '2 days'`)
    await closeTask(db.database, closed.taskId, closed.buyer.id)
    const kept = async () => {
      await purgeForeignPictures(db.database)
      const { rows } = await pool.query<{ url: string }>(
        'select url from foreign_pictures where url = any ($1) order by url desc',
        [urls],
      )
      return rows.map(({ url }) => url)
    }
    assert.deepEqual(await kept(), urls)
    for (const { taskId } of [open, closed])
      await pool.query(`update tasks set closed_at = closed_at - interval '61 days' where id = $1`, [taskId])
    assert.deepEqual(await kept(), urls.slice(0, 1))
    const other = await anInstance(db.database)
    assert.equal((await show(urls[1] ?? '', other)).statusCode, 200)
    await other.close()
  })

  test('uploaded pictures that items show are kept, and all of a buyer whose file is not paid', async () => {
    const [named, shown, small, unused] = ['named', 'shown', 'small', 'unused'].map(
      (name) => `https://work.example.com/images/${name}.webp`,
    ) as [string, string, string, string]
    await imagesAt([shown, small, unused])
    const { buyer, id, total } = await aBatchWith(shown, ` ${small}?small `)
    await beginFunding(db.database, testConfig, id, buyer.id, { completion_date: dayFromNow(7), total })
    await fundDueBatches(db.database, testConfig)
    const unpaid = await aBatchWith('https://other.example/unpaid.png')
    await imagesAt([named], unpaid.buyer.id)

    const store = { put: notExpected, get: notExpected, remove: async () => {} }
    const left = async () => {
      await purgeUnusedImages(db.database, store, testConfig.appealDays)
      const { rows } = await db.database.pool.query<{ url: string }>(
        `select url from images where url like 'https://work.example.com/%' order by url`,
      )
      return rows.map(({ url }) => url)
    }
    assert.deepEqual(await left(), [named, shown, small])
    await cancelBatch(db.database, unpaid.id, unpaid.buyer.id)
    assert.deepEqual(await left(), [shown, small])
  })

  test('an uploaded picture that a file names is kept while the file is not paid, also if somebody else uploaded it first', async () => {
    const { pool } = db.database
    const names = ['large', 'small', 'other'].map((name) => `https://own.example/images/${sha1(name)}`)
    const [large = '', small = '', other = ''] = names.map((name) => `${name}-1280.webp`)
    await pool.query(
      `insert into images (hash, url, thumb_url, uploader, uploaded_at)
       select substring(url from '[0-9a-f]{40}'), url, replace(url, '-1280', '-400'), $2, clock_time() - interval '9 days'
         from unnest($1::text[]) as url`,
      [[large, small, other], (await aWorker(db.database)).id],
    )
    const first = Array.from({ length: BATCH_SAMPLES }, (_, n) => `https://other.example/${n}.png`)
    const { buyer, id } = await aBatchWith(...first, large, ` ${small.replace('-1280', '-400')} `)
    const left = async () => {
      const store = { put: notExpected, get: notExpected, remove: async () => {} }
      await purgeUnusedImages(db.database, store, testConfig.appealDays)
      const { rows } = await pool.query(`select url from images where url like 'https://own.example/%'`)
      return new Set(rows.map(({ url }) => url))
    }
    assert.deepEqual(await left(), new Set([large, small]))
    await cancelBatch(db.database, id, buyer.id)
    assert.deepEqual(await left(), new Set())
  })

  test('an unused picture behind very many that are kept is deleted, a page at a time', async () => {
    const { pool } = db.database
    await pool.query(
      `insert into images (hash, url, thumb_url, uploader, uploaded_at)
       select lpad(to_hex(number), 40, '0'), 'https://many.example/' || number, 'https://many.example/small/' || number, $1,
              clock_time() - case when number in (500, 501, 1100) then interval '9 days' else interval '0' end
         from generate_series(1, 1100) as number`,
      [(await aWorker(db.database)).id],
    )
    const ranges: unknown[][] = []
    const recording = recordTransactions(db.database, ({ name }, values) => {
      if (name === 'images_lock_unused') ranges.push(values.slice(1))
    })
    const { rows: hashes } = await pool.query<{ hash: string }>('select hash from images order by hash')
    const removed: string[] = []
    const store = {
      put: notExpected,
      get: notExpected,
      remove: async (hash: string) => void removed.push(hash),
    }
    await purgeUnusedImages(recording, store, testConfig.appealDays)
    assert.deepEqual(
      removed.filter((hash) => hash.startsWith('00000')).map((hash) => Number.parseInt(hash, 16)),
      [500, 501, 1100],
    )
    for (const [after = '', last = 'g'] of ranges as string[][])
      assert.ok(hashes.filter(({ hash }) => hash > after && hash <= last).length <= 500)
    await pool.query(`delete from images where url like 'https://many.example/%'`)
  })

  test('the upgrade adds the pictures of items that were written before, and of files that are not paid', async () => {
    const { pool } = db.database
    const [paid, unpaid] = [
      await anOpenBatchWith('/paid.png'),
      await aBatchWith('https://other.example/1.png'),
    ]
    const stored = () => pool.query('select url, batch_id from item_pictures order by url, batch_id')
    const { rows: before } = await stored()
    assert.ok([paid.id, unpaid.id].every((id) => before.some(({ batch_id }) => batch_id === id)))
    await pool.query('delete from item_pictures')
    await runMigrationInBatches(pool, '0334_earlier_item_pictures')
    assert.deepEqual((await stored()).rows, before)
  })
})
