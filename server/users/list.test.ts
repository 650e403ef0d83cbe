import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aTask, aWorker, giveCoins } from '#tests/support/factories.ts'

describe('the public lists of people', () => {
  const api = useApi()

  test('all people, page by page, by role and by name, and nothing but what the screens show', async () => {
    const people = await Promise.all([
      aWorker(api.database, { name: 'রহিমা বেগম' }),
      aBuyer(api.database, { name: 'Rahim Traders' }),
      aWorker(api.database, { name: "O'Brien <b>" }),
    ])
    const found: string[] = []
    let cursor = ''
    do {
      const { body, next } = await api.anyone.get(`/get-all-user?limit=2${cursor}`)
      for (const person of body) {
        assert.deepEqual(Object.keys(person).sort(), ['_id', 'email', 'image', 'name', 'role'])
        found.push(person._id)
      }
      cursor = next
    } while (cursor !== '')
    assert.deepEqual(found.toSorted(), people.map(({ id }) => id).toSorted())
    assert.deepEqual(found, found.toSorted().toReversed(), 'newest first')

    const names = async (query: string) =>
      (await api.anyone.get(`/get-all-user?${query}`)).body.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names('role=Buyer'), ['Rahim Traders'])
    assert.deepEqual(await names(`q=${encodeURIComponent('রহিমা')}`), ['রহিমা বেগম'])
    assert.deepEqual(await names('q=rah&role=Buyer'), ['Rahim Traders'])
    assert.deepEqual(await names('q=rah&role=Worker'), [])
    assert.equal((await api.anyone.get('/get-all-user?role=Boss')).status, 422)
    assert.equal((await api.anyone.get('/get-all-user?cursor=zzz')).status, 400)
  })

  test('the workers with the most coins are right at once, richest first', async () => {
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

describe('the public lists where addresses are masked', () => {
  const api = useApi({ publicEmails: 'masked' })

  test('strangers see no address and find nobody by it; an Admin does', async () => {
    const worker = await aWorker(api.database, { coins: 100 })
    const admin = await anAdmin(api.database)
    const word = worker.email.split('@')[0]?.split('.')[2] ?? ''
    for (const path of ['/get-all-user', '/top-workers']) {
      for (const asked of [api.anyone, api.as(worker), api.withHeader('Bearer junk')]) {
        const { status, text } = await asked.get(path)
        assert.equal(status, 200)
        assert.ok(text.includes('w•••@example.com') && !text.includes(worker.email))
      }
      assert.ok((await api.as(admin).get(path)).text.includes(worker.email))
    }
    assert.equal((await api.anyone.get(`/get-all-user?q=${word}`)).body.length, 0)
    assert.equal((await api.as(admin).get(`/get-all-user?q=${word}`)).body.length, 1)
  })

  test("strangers see no buyer's address on a task; an Admin does", async () => {
    const buyer = await aBuyer(api.database)
    const admin = await anAdmin(api.database)
    await aTask(api.database, buyer, { slots: 1, reward: 5 })
    for (const path of ['/all-task', '/task-list-worker']) {
      for (const asked of [api.anyone, api.as(buyer), api.withHeader('Bearer junk')]) {
        const { text } = await asked.get(path)
        assert.ok(text.includes('b•••@example.com') && !text.includes(buyer.email))
      }
      assert.ok((await api.as(admin).get(path)).text.includes(buyer.email))
    }
  })

  test('what an Admin sees is never handed to a stranger, however many ask at once', async () => {
    const worker = await aWorker(api.database)
    const admin = await anAdmin(api.database)
    const asked = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? api.as(admin) : api.anyone).get('/get-all-user'),
    )
    const texts = (await Promise.all(asked)).map(({ text }) => text)
    texts.forEach((text, index) => {
      assert.equal(text.includes(worker.email), index % 2 === 0)
    })
  })
})
