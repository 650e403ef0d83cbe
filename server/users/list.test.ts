import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { updateRecords } from '#server/records/update.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { aPastWorker, aTaskFor } from '#tests/support/audience.ts'
import { aBuyer, anAdmin, aPendingSubmission, aTask, aWorker, giveCoins } from '#tests/support/factories.ts'
import { deleteUser } from './delete.ts'
import { maskEmail } from './mask-email.ts'

describe('public user lists', () => {
  const api = useApi()

  test('users are listed in pages, by role and by name, with only the public fields', async () => {
    const users = await Promise.all([
      aWorker(api.database, { name: 'রহিমা বেগম' }),
      aBuyer(api.database, { name: 'Rahim Traders' }),
      aWorker(api.database, { name: "O'Brien <b>" }),
    ])
    const listed: string[] = []
    let cursor = ''
    do {
      const { body, next } = await api.anyone.get(`/get-all-user?limit=2${cursor}`)
      for (const user of body) {
        assert.deepEqual(Object.keys(user).sort(), [
          '_id',
          'buyerRecord',
          'email',
          'image',
          'name',
          'role',
          'workerRecord',
        ])
        listed.push(user._id)
      }
      cursor = next
    } while (cursor !== '')
    assert.deepEqual(listed.toSorted(), users.map(({ id }) => id).toSorted())
    assert.deepEqual(listed, listed.toSorted().toReversed(), 'newest first')

    const names = async (query: string) =>
      (await api.anyone.get(`/get-all-user?${query}`)).body.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names('role=Buyer'), ['Rahim Traders'])
    assert.deepEqual(await names(`q=${encodeURIComponent('রহিমা')}`), ['রহিমা বেগম'])
    assert.deepEqual(await names('q=rah&role=Buyer'), ['Rahim Traders'])
    assert.deepEqual(await names('q=rah&role=Worker'), [])
    await aWorker(api.database, { name: 'Ada 5b3e1cd9c7-1e7d/x' })
    assert.deepEqual(await names('q=ada 5b3e1cd9c7-1e7d/x'), ['Ada 5b3e1cd9c7-1e7d/x'])
    await aWorker(api.database, { name: 'আ\u09dfে\u09b6া Jose\u0301' })
    for (const q of ['আ\u09dfে', 'আ\u09af\u09bcে', 'jos\u00e9', 'jose\u0301'])
      assert.deepEqual(await names(`q=${encodeURIComponent(q)}`), ['আ\u09dfে\u09b6া Jose\u0301'], q)
    assert.deepEqual(await names('q=---'), [], 'A search without a word finds nothing')
    assert.deepEqual(await names('q=---&sort=approved'), [])
    assert.equal((await api.anyone.get('/get-all-user?role=Boss')).status, 422)
    assert.equal((await api.anyone.get('/get-all-user?cursor=zzz')).status, 400)
  })

  test('a listed user has their records', async () => {
    const worker = await aWorker(api.database, { name: 'Kestrel' })
    await api.database.pool.query(
      'insert into worker_records (worker_id, approved, rejected) values ($1, 97, 3)',
      [worker.id],
    )
    const [listed] = (await api.anyone.get('/get-all-user?q=kestrel')).body
    assert.deepEqual([listed.workerRecord, listed.buyerRecord], [{ approved: 97, rejected: 3 }, null])
  })

  test('ordered by approved work, workers with decided work come first and all others follow by name, in pages', async () => {
    const records = { Tern: [12, 0], Plover: [340, 2], Heron: [200, 9], Grebe: [0, 3] } as const
    for (const [name, [approved, rejected]] of Object.entries(records)) {
      const { id } = await aWorker(api.database, { name })
      await api.database.pool.query(
        'insert into worker_records (worker_id, approved, rejected) values ($1, $2, $3)',
        [id, approved, rejected],
      )
    }
    const newcomer = await aWorker(api.database, { name: 'Newcomer' })
    const former = await aBuyer(api.database, { name: 'Former worker' })
    await api.database.pool.query(
      'insert into worker_records (worker_id, approved, rejected) values ($1, 900, 0)',
      [former.id],
    )
    for (const limit of [1, 2, 3]) {
      const listed: { _id: string; name: string }[] = []
      let cursor = ''
      do {
        const { body, next } = await api.anyone.get(`/get-all-user?sort=approved&limit=${limit}${cursor}`)
        listed.push(...body)
        cursor = next
      } while (cursor !== '')
      const names = listed.map(({ name }) => name)
      assert.deepEqual(
        names.filter((name) => name in records),
        ['Plover', 'Heron', 'Tern', 'Grebe'],
      )
      assert.ok(names.indexOf('Grebe') < names.indexOf('Newcomer'))
      const others = listed.slice(names.indexOf('Grebe') + 1).map(({ _id }) => _id)
      assert.deepEqual(others, others.toSorted().toReversed(), 'the others are newest first')
      assert.ok(others.includes(newcomer.id) && others.includes(former.id))
      assert.equal(new Set(listed.map(({ _id }) => _id)).size, listed.length)
      const { rows } = await api.database.pool.query('select from users where deleted_at is null')
      assert.equal(listed.length, rows.length, 'everybody is listed')
    }
    const names = async (query: string) =>
      (await api.anyone.get(`/get-all-user?sort=approved&${query}`)).body.map(
        ({ name }: { name: string }) => name,
      )
    assert.deepEqual(await names('q=plov&role=Worker'), ['Plover'])
    assert.ok((await names('role=Buyer')).includes('Former worker'))
    assert.deepEqual(await names('q=newcom&role=Worker'), ['Newcomer'])
    assert.deepEqual(await names('q=newcom&role=Buyer'), [])
    assert.equal((await api.anyone.get('/get-all-user?sort=coins')).status, 422)
    assert.equal((await api.anyone.get('/get-all-user?sort=approved&cursor=WzFd')).status, 400)
  })

  test('Admins are listed like every registered user', async () => {
    const admin = await anAdmin(api.database)
    assert.ok((await api.anyone.get('/get-all-user')).text.includes(admin.email))
    assert.ok((await api.anyone.get('/get-all-user?role=Admin')).text.includes(admin.email))
  })

  test("a user's page has the public fields and the records, and is not found after the user's deletion", async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(api.database)
    const profile = (id: string) => api.anyone.get(`/users/${id}`)
    assert.deepEqual((await profile(buyer.id)).body, {
      _id: buyer.id,
      name: buyer.name,
      email: buyer.email,
      image: '',
      role: 'Buyer',
      buyerRecord: null,
      workerRecord: null,
    })
    await approveSubmission(api.database, submissionId, buyer.id)
    await updateRecords(api.database)
    const { buyerRecord } = (await profile(buyer.id)).body
    assert.deepEqual([buyerRecord.decided, buyerRecord.approved, buyerRecord.rejected], [1, 1, 0])
    assert.deepEqual((await profile(worker.id)).body.workerRecord, { approved: 1, rejected: 0 })
    const [task] = (await api.anyone.get('/all-task')).body
    assert.equal(task.buyerId, buyer.id)

    await deleteUser(api.database, worker.id, (await anAdmin(api.database)).id)
    assert.equal((await profile(worker.id)).status, 404)
    assert.equal((await profile(randomUUID())).status, 404)
  })

  test('the top workers are up to date and ordered by coins', async () => {
    const rich = await aWorker(api.database, { coins: 70_000 })
    const richer = await aWorker(api.database, { coins: 80_000 })
    await aBuyer(api.database, { coins: 90_000 })
    const top = async (query = '') => (await api.anyone.get(`/top-workers${query}`)).body
    const ids = (rows: { _id: string }[]) => rows.map(({ _id }) => _id)
    assert.deepEqual(ids(await top()).slice(0, 2), [richer.id, rich.id])
    await giveCoins(api.database, rich.accountId, 20_000)
    const [first, second] = await top()
    assert.deepEqual([first._id, second._id], [rich.id, richer.id])
    assert.equal(first.coin, 90_010)
    const page = await api.anyone.get('/top-workers?limit=1')
    const next = await top(`?limit=1${page.next}`)
    assert.deepEqual(ids([...page.body, ...next]), [rich.id, richer.id])
  })
})

describe('public lists with masked emails', () => {
  const api = useApi({ publicEmails: 'masked' })

  test('only Admins see emails and search by them', async () => {
    const worker = await aWorker(api.database, { coins: 100 })
    const admin = await anAdmin(api.database)
    const searchWord = worker.email.split('@')[0]?.split('.')[2] ?? ''
    for (const path of ['/get-all-user', '/top-workers']) {
      for (const client of [api.anyone, api.as(worker), api.withHeader('Bearer junk')]) {
        const { status, text } = await client.get(path)
        assert.equal(status, 200)
        assert.ok(text.includes('w•••@example.com') && !text.includes(worker.email))
      }
      assert.ok((await api.as(admin).get(path)).text.includes(worker.email))
    }
    assert.equal((await api.anyone.get(`/get-all-user?q=${searchWord}`)).body.length, 0)
    assert.equal((await api.as(admin).get(`/get-all-user?q=${searchWord}`)).body.length, 1)
  })

  test("a user's page masks their email, and an Admin's does not exist", async () => {
    const [user, admin] = [await aWorker(api.database), await anAdmin(api.database)]
    assert.equal((await api.anyone.get(`/users/${user.id}`)).body.email, maskEmail(user.email))
    assert.equal((await api.anyone.get(`/users/${admin.id}`)).status, 404)
    const asAdmin = api.as(admin)
    assert.equal((await asAdmin.get(`/users/${user.id}`)).body.email, user.email)
    assert.equal((await asAdmin.get(`/users/${admin.id}`)).status, 200)
  })

  test("only Admins see a buyer's email on a task", async () => {
    const buyer = await aBuyer(api.database)
    const admin = await anAdmin(api.database)
    await aTask(api.database, buyer, { slots: 1, reward: 5 })
    for (const path of ['/all-task', '/task-list-worker']) {
      for (const client of [api.anyone, api.as(buyer), api.withHeader('Bearer junk')]) {
        const { text } = await client.get(path)
        assert.ok(text.includes('b•••@example.com') && !text.includes(buyer.email))
      }
      assert.ok((await api.as(admin).get(path)).text.includes(buyer.email))
    }
  })

  test("a buyer's email is masked in the tasks that favourites see first", async () => {
    const buyer = await aBuyer(api.database, { coins: 100 })
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    await api.as(buyer).put(`/my-workers/${pseudonym}/favourite`, { favourite: true })
    await aTaskFor(api.database, buyer, { visibility: 'favourites_first' })
    const { body } = await api.as(worker).get('/tasks-for-favourites')
    assert.deepEqual(
      body.map((task: { buyer: string }) => task.buyer),
      ['b•••@example.com'],
    )
  })

  test("a buyer's email is masked in the details of a task, except for the buyer and Admins", async () => {
    const [buyer, other] = [await aBuyer(api.database), await aBuyer(api.database)]
    const [worker, admin] = [await aWorker(api.database), await anAdmin(api.database)]
    const path = `/task-datails/${await aTask(api.database, buyer, { slots: 1, reward: 5 })}`
    for (const user of [worker, other]) {
      const { body, text } = await api.as(user).get(path)
      assert.equal(body.buyer, 'b•••@example.com')
      assert.ok(!text.includes(buyer.email))
    }
    for (const user of [buyer, admin]) assert.equal((await api.as(user).get(path)).body.buyer, buyer.email)
  })

  test('work can be submitted with the masked email of the details, and not with another one', async () => {
    const [buyer, worker] = [await aBuyer(api.database), await aWorker(api.database)]
    const taskId = await aTask(api.database, buyer, { slots: 1, reward: 5 })
    const submit = (email: string) =>
      api.as(worker).post('/submiteted-task', { taskId, submissoin_data: 'done', buyer_email: email })
    assert.equal((await submit('another@example.com')).status, 409)
    const { body: task } = await api.as(worker).get(`/task-datails/${taskId}`)
    assert.equal((await submit(task.buyer)).status, 200)
  })

  test('only Admins see who the Admins are', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    for (const query of ['', '?role=Admin', `?q=${encodeURIComponent(admin.name)}`, '?role=Admin&q=admin']) {
      for (const client of [api.anyone, api.as(worker)])
        assert.ok(!(await client.get(`/get-all-user${query}`)).text.includes(admin.id), query)
      assert.ok((await api.as(admin).get(`/get-all-user${query}`)).text.includes(admin.id), query)
    }
  })

  test('concurrent requests of Admins and visitors never share a response', async () => {
    const worker = await aWorker(api.database)
    const admin = await anAdmin(api.database)
    const requests = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? api.as(admin) : api.anyone).get('/get-all-user'),
    )
    const texts = (await Promise.all(requests)).map(({ text }) => text)
    texts.forEach((text, index) => {
      assert.equal(text.includes(worker.email), index % 2 === 0)
    })
  })
})
