import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WithdrawalRequest } from '#contract/withdrawals.ts'
import { deleteUser, previewDeletion } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, atOnce, balanceOf, outcomes, type TestUser } from '#tests/support/factories.ts'
import { aRequest, payoutsOf, type TestRequest } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'

describe('payout batches', () => {
  const api = useApi()
  const post = (admin: TestUser, path: string, body: object = {}) => api.as(admin).post(path, body)
  const read = async (admin: TestUser, batch: string) =>
    (await api.as(admin).get(`/payout-batches/${batch}`)).body
  const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code
  const stateOf = async ({ id }: TestRequest) => (await payoutsOf(api.database, id)).at(-1)?.state
  const statusOf = async ({ id }: TestRequest) =>
    (await api.database.pool.query('select status from withdrawals where id = $1', [id])).rows[0]?.status

  async function aBatch(count: number, admin?: TestUser) {
    const creator = admin ?? (await anAdmin(api.database))
    const requests: TestRequest[] = []
    for (let index = 0; index < count; index++) requests.push(await aRequest(api.database))
    const created = await post(creator, '/payout-batches', { withdrawalIds: requests.map(({ id }) => id) })
    assert.equal(created.status, 201, created.text)
    return { admin: creator, requests, batch: created.body.insertedId as string }
  }
  async function aReleasedBatch(count: number) {
    const made = await aBatch(count)
    assert.equal((await post(made.admin, `/payout-batches/${made.batch}/release`)).body.modifiedCount, 1)
    const { payouts } = await read(made.admin, made.batch)
    return { ...made, payouts: payouts.map(({ _id }: { _id: string }) => _id) as string[] }
  }

  test('the twenty requests of one page are paid in three steps: a batch is created, released and confirmed', async () => {
    const { admin, requests, batch } = await aBatch(20)
    const pending = async () => (await api.as(admin).get('/withdraw?limit=20')).body as WithdrawalRequest[]
    assert.deepEqual(
      (await pending()).map(({ _id, payout }) => [_id, payout?.batchId]),
      requests.map(({ id }) => [id, batch]),
    )
    const draft = await read(admin, batch)
    assert.deepEqual(
      [draft.state, draft.counts.queued, draft.coins, draft.cents, draft.payment_system, draft.twoPeople],
      ['draft', 20, 4000, 20_000, 'Bkash', false],
    )
    assert.equal((await post(admin, `/payout-batches/${batch}/release`)).body.modifiedCount, 1)
    for (const request of requests) {
      assert.deepEqual([await stateOf(request), await statusOf(request)], ['sent', 'pending'])
    }
    assert.equal((await post(admin, `/payout-batches/${batch}/confirm`)).body.modifiedCount, 20)
    assert.equal((await post(admin, `/payout-batches/${batch}/confirm`)).body.modifiedCount, 0)
    const done = await read(admin, batch)
    assert.deepEqual([done.state, done.counts.confirmed], ['reconciled', 20])
    for (const request of requests) {
      assert.deepEqual(
        [await statusOf(request), await balanceOf(api.database, request.worker)],
        ['approved', 10],
      )
      const { body: own } = await api.as(request.worker).get(`/receipts/${request.id}`)
      assert.deepEqual([own.kind, own.total], ['payout', 10])
    }
    assert.deepEqual(await pending(), [])
    const [newest] = (await api.as(admin).get('/payout-batches?limit=1')).body
    assert.equal(newest._id, batch)
  })

  test('a request is in one live batch, and claimed requests of others are refused, all or none', async () => {
    const { batch, requests, admin } = await aBatch(2)
    const other = await anAdmin(api.database)
    const [free, taken] = [await aRequest(api.database), requests[0]]
    const both = await post(other, '/payout-batches', { withdrawalIds: [free.id, taken?.id] })
    assert.equal(codeOf(both), 'claimed')
    assert.equal(await stateOf(free), undefined)
    const single = await api.as(other).patch(`/withdraw-status/${taken?.id}`, { status: 'approved' })
    assert.match(single.body.error.message, new RegExp(`in ${admin.name}'s payout batch`))
    assert.equal((await post(admin, `/payout-batches/${batch}/cancel`)).body.modifiedCount, 1)
    assert.equal((await post(other, '/payout-batches', { withdrawalIds: [free.id, taken?.id] })).status, 201)
  })

  test('of two concurrent batches of the same requests one is created', async () => {
    const admins = [await anAdmin(api.database), await anAdmin(api.database)]
    const requests = [await aRequest(api.database), await aRequest(api.database)].map(({ id }) => id)
    const created = await Promise.all(
      admins.map((admin, index) =>
        post(admin, '/payout-batches', { withdrawalIds: index === 0 ? requests : requests.toReversed() }),
      ),
    )
    assert.deepEqual(
      created.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409],
    )
  })

  test('of two concurrent releases one succeeds, and the other gets 409', async () => {
    for (let round = 0; round < 5; round++) {
      const { admin, batch } = await aBatch(3)
      const responses = await Promise.all(
        [admin, await anAdmin(api.database)].map((one) => post(one, `/payout-batches/${batch}/release`)),
      )
      assert.deepEqual(
        responses.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409],
      )
    }
  })

  test('a payout is removed before the release and never after it', async () => {
    const { admin, requests, batch } = await aBatch(2)
    const [first, second] = (await read(admin, batch)).payouts
    assert.equal((await api.as(admin).delete(`/payouts/${first._id}`)).body.modifiedCount, 1)
    assert.equal((await api.as(admin).delete(`/payouts/${first._id}`)).body.modifiedCount, 0)
    await post(admin, `/payout-batches/${batch}/release`)
    assert.equal(codeOf(await api.as(admin).delete(`/payouts/${second._id}`)), 'state_conflict')
    assert.equal(codeOf(await post(admin, `/payout-batches/${batch}/cancel`)), 'state_conflict')
    assert.deepEqual(await Promise.all(requests.map(stateOf)), ['removed', 'sent'])
    const { cents, counts } = await read(admin, batch)
    assert.deepEqual([cents, counts.removed, counts.sent], [1000, 1, 1])
  })

  test('an empty batch cannot be checked or released', async () => {
    const { admin, batch } = await aBatch(1)
    const [{ _id }] = (await read(admin, batch)).payouts
    await api.as(admin).delete(`/payouts/${_id}`)
    for (const step of ['check', 'release']) {
      const refused = await post(admin, `/payout-batches/${batch}/${step}`)
      assert.equal(refused.body.error.message, 'This payout batch has no payouts left. Cancel it.')
    }
  })

  test('coins stay on hold while a payout is in flight: no decline, claim, payment or batch', async () => {
    const { admin, requests } = await aReleasedBatch(1)
    const id = requests[0]?.id
    const refused = [
      await api.as(admin).patch(`/withdraw-status/${id}`, { status: 'declined', reason: 'No' }),
      await api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' }),
      await post(admin, `/payout-claims/${id}`),
      await post(admin, '/payout-batches', { withdrawalIds: [id] }),
    ]
    assert.deepEqual(refused.map(codeOf), Array(4).fill('payout_under_way'))
  })

  test('concurrent release and decline: the coins are sent or returned, never both', async () => {
    for (let round = 0; round < 8; round++) {
      const { admin, batch, requests } = await aBatch(2)
      const [request] = requests as [TestRequest]
      await Promise.all([
        post(admin, `/payout-batches/${batch}/release`),
        api.as(admin).patch(`/withdraw-status/${request.id}`, { status: 'declined', reason: 'No' }),
      ])
      await post(admin, `/payout-batches/${batch}/confirm`)
      const isDeclined = (await statusOf(request)) === 'declined'
      assert.equal(await balanceOf(api.database, request.worker), isDeclined ? 210 : 10)
      assert.equal(await stateOf(request), isDeclined ? 'removed' : 'confirmed')
    }
  })

  test('a failed payout returns its coins, or is retried with a corrected number', async () => {
    const { admin, requests, batch, payouts } = await aReleasedBatch(2)
    const [returned, corrected] = requests as [TestRequest, TestRequest]
    const [first, second] = payouts
    const failure = { reason: 'This wallet is closed', returnCoins: true }
    assert.equal((await post(admin, `/payouts/${first}/fail`, failure)).body.modifiedCount, 1)
    assert.equal((await post(admin, `/payouts/${first}/fail`, failure)).body.modifiedCount, 0)
    assert.deepEqual(
      [await statusOf(returned), await balanceOf(api.database, returned.worker)],
      ['declined', 210],
    )
    assert.equal(codeOf(await post(admin, `/payouts/${first}/confirm`)), 'state_conflict')

    await post(admin, `/payouts/${second}/fail`, { ...failure, returnCoins: false })
    const settled = await read(admin, batch)
    assert.equal(settled.state, 'reconciled')
    assert.deepEqual(
      settled.payouts.map(({ retryable }: { retryable: boolean }) => retryable),
      [false, true],
    )
    assert.equal((await post(admin, `/payouts/${second}/retry`, { accountNumber: '12' })).status, 422)
    const retries = await Promise.all(
      [1, 2].map(() => post(admin, `/payouts/${second}/retry`, { accountNumber: '+880 1912-345678' })),
    )
    assert.deepEqual(
      retries.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
    assert.equal(
      (await api.as(admin).patch(`/withdraw-status/${corrected.id}`, { status: 'approved' })).body
        .modifiedCount,
      1,
    )
    const rows = await payoutsOf(api.database, corrected.id)
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['failed', 'confirmed'],
    )
    const [{ message }] = (
      await api.as(corrected.worker).get(`/notifications/${corrected.worker.email}`)
    ).body.filter(({ message }: { message: string }) => /corrected/.test(message))
    assert.match(message, /01912345678/)
  })

  test('an unknown outcome is settled by a statement or the provider alone', async () => {
    const { admin, requests, batch, payouts } = await aReleasedBatch(1)
    const [payout] = payouts
    await post(admin, `/payouts/${payout}/unknown`, { reason: 'The portal timed out' })
    for (const [step, body] of [
      ['confirm', {}],
      ['fail', { reason: 'I think not', returnCoins: true }],
    ] as const) {
      assert.equal(codeOf(await post(admin, `/payouts/${payout}/${step}`, body)), 'payout_under_way')
    }
    assert.equal((await post(admin, `/payout-batches/${batch}/confirm`)).body.modifiedCount, 0)
    assert.equal((await read(admin, batch)).state, 'settling')
    const settle = () =>
      api.database.pool.query(`select confirm_payout($1, 'provider', null, 'TX7')`, [payout])
    await Promise.all([settle(), settle()])
    assert.equal(await statusOf(requests[0] as TestRequest), 'approved')
    assert.equal((await read(admin, batch)).state, 'reconciled')
    await assert.rejects(
      api.database.pool.query(`select confirm_payout($1, 'provider', null, 'TX8')`, [payout]),
      /already_decided.payout_transaction/,
    )
  })

  test('an outcome that another Admin has reported is refused with their name, also for the whole batch', async () => {
    const { admin, batch, payouts } = await aReleasedBatch(2)
    const other = await anAdmin(api.database)
    const [first, second] = payouts
    assert.equal((await post(admin, `/payouts/${first}/confirm`)).status, 200)
    for (const [path, body] of [
      [`/payouts/${first}/confirm`, { transactionId: 'TX2' }],
      [`/payout-batches/${batch}/confirm`, { payoutIds: [first] }],
    ] as const) {
      const refused = await post(other, path, body)
      assert.deepEqual(
        [refused.status, refused.body.error?.message],
        [409, `This request was already paid by ${admin.name}.`],
      )
    }
    assert.equal((await post(admin, `/payout-batches/${batch}/confirm`)).body.modifiedCount, 1)
    assert.equal(codeOf(await post(other, `/payout-batches/${batch}/confirm`)), 'already_decided')
    const read = await api.database.pool.query('select transaction_id from payouts where id = any ($1)', [
      [first, second],
    ])
    assert.deepEqual(
      read.rows.map(({ transaction_id }) => transaction_id),
      ['', ''],
    )
  })

  test('a failure that did something else with the coins, or is of another Admin, is refused', async () => {
    const { admin, payouts } = await aReleasedBatch(2)
    const other = await anAdmin(api.database)
    for (const [index, returnCoins] of [true, false].entries()) {
      const fail = (who: TestUser, isReturned: boolean) =>
        post(who, `/payouts/${payouts[index]}/fail`, { reason: 'Closed', returnCoins: isReturned })
      assert.equal((await fail(admin, returnCoins)).body.modifiedCount, 1)
      assert.equal((await fail(admin, returnCoins)).body.modifiedCount, 0)
      assert.equal(codeOf(await fail(admin, !returnCoins)), 'state_conflict')
      assert.equal(codeOf(await fail(other, returnCoins)), 'state_conflict')
    }
  })

  test('concurrent confirmations and failures of the same payout have one outcome', async () => {
    for (let round = 0; round < 6; round++) {
      const { admin, requests, payouts } = await aReleasedBatch(1)
      const [request] = requests as [TestRequest]
      const results = await atOnce(6, (index) =>
        api.database.pool.query(
          index % 2 === 0
            ? `select confirm_payout($1, 'provider', null, 'TX1')`
            : `select fail_payout($1, 'admin', $2, 'Closed', true)`,
          index % 2 === 0 ? [payouts[0]] : [payouts[0], admin.id],
        ),
      )
      assert.equal(outcomes(results).good, 3)
      assert.equal(
        await balanceOf(api.database, request.worker),
        (await stateOf(request)) === 'failed' ? 210 : 10,
      )
    }
  })

  test('whatever settles, stops or clears a payout updates the open pages of the other Admins, once', async () => {
    const { admin, batch, requests, payouts } = await aReleasedBatch(5)
    const other = await anAdmin(api.database)
    const [paid, failed, unknown, frozen] = payouts
    const [, , , { id: request, worker }] = requests as [TestRequest, TestRequest, TestRequest, TestRequest]
    const updates = async (step: () => Promise<unknown>) => {
      await api.owner.query('delete from outbox')
      const result = await step()
      const { rows } = await api.owner.query(
        `select count(*)::int as updates from outbox where user_id = $1 and payload ->> 'topic' = 'withdrawals'`,
        [other.id],
      )
      assert.equal(rows[0].updates, 1, step.toString())
      return result as Awaited<ReturnType<typeof post>>
    }
    const end = async ({ body }: { body: { freezeId: string } }) =>
      updates(() => post(admin, `/freezes/${body.freezeId}/end`, { reason: 'Explained' }))

    await end(await updates(() => post(admin, `/users/${worker.id}/freezes`, { reason: 'A ring' })))
    await end(await updates(() => post(admin, `/withdrawals/${request}/freezes`, { reason: 'A ring' })))
    await updates(() => post(admin, `/withdrawals/${request}/risk-review`, { reason: 'Known' }))
    await updates(() => post(admin, `/payouts/${paid}/confirm`))
    await updates(() => post(admin, `/payouts/${failed}/fail`, { reason: 'Closed', returnCoins: true }))
    await updates(() => post(admin, `/payouts/${unknown}/unknown`, { reason: 'The portal timed out' }))
    await updates(() =>
      api.database.pool.query(`select fail_payout($1, 'provider', null, 'No', false)`, [frozen]),
    )
    await updates(() => post(admin, `/payout-batches/${batch}/confirm`))
    const { id } = await aRequest(api.database)
    await updates(() => api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' }))
  })

  for (const outcome of ['confirm', 'fail'] as const) {
    test(`a payout in flight of a deleted worker finishes: ${outcome}`, async () => {
      const { admin, requests, payouts } = await aReleasedBatch(1)
      const [request] = requests as [TestRequest]
      assert.equal((await previewDeletion(api.database, request.worker.id)).withdrawals_cancelled, 0)
      assert.equal(await deleteUser(api.database, request.worker.id, admin.id), 1)
      assert.equal(await statusOf(request), 'pending')
      const body = outcome === 'fail' ? { reason: 'Closed', returnCoins: false } : {}
      assert.equal((await post(admin, `/payouts/${payouts[0]}/${outcome}`, body)).body.modifiedCount, 1)
      assert.equal(await statusOf(request), outcome === 'fail' ? 'cancelled' : 'approved')
      assert.equal(await balanceOf(api.database, request.worker), 0)
    })
  }
})

describe('payouts that need two Admins', () => {
  const api = useApi()
  const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code
  const rules = (change: object) =>
    changeSettings(api.database, 'payout_rules', {
      twoPersonAboveCents: null,
      firstPayout: false,
      newAccountNumber: false,
      ...change,
    })
  const pay = (admin: TestUser, id: string) =>
    api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })
  const admins = async () =>
    [await anAdmin(api.database), await anAdmin(api.database), await anAdmin(api.database)] as const

  test('one Admin claims a single payment and another one pays it', async () => {
    const [first, second, third] = await admins()
    await rules({ twoPersonAboveCents: 999 })
    const { id } = await aRequest(api.database)
    assert.equal(codeOf(await pay(first, id)), 'second_person_required')
    const claim = async (admin: TestUser) =>
      (await api.as(admin).post(`/payout-claims/${id}`, {})).body.awaitsSecond
    assert.deepEqual([await claim(first), await claim(first)], [true, true])
    assert.equal(codeOf(await pay(first, id)), 'second_person_required')
    assert.equal(await claim(second), false)
    assert.equal(codeOf(await pay(third, id)), 'claimed')
    assert.equal(codeOf(await pay(first, id)), 'claimed')
    const takeover = await api.as(first).post(`/payout-claims/${id}`, { reason: 'Mine' })
    assert.equal(codeOf(takeover), 'second_person_required')
    assert.equal((await pay(second, id)).body.modifiedCount, 1)
  })

  test('of two Admins who both claim and pay, one pays after the check of the other', async () => {
    await rules({ firstPayout: true })
    for (let round = 0; round < 5; round++) {
      const [first, second, third] = await admins()
      const { id } = await aRequest(api.database)
      await api.as(first).post(`/payout-claims/${id}`, {})
      const responses = await Promise.all([pay(second, id), pay(third, id), pay(first, id)])
      assert.equal(responses.filter(({ status }) => status === 200).length, 1)
    }
  })

  test('the Admin who checks a batch does not release it', async () => {
    const [first, second] = await admins()
    // No row is above the amount; their total is.
    await rules({ twoPersonAboveCents: 1500 })
    const requests = [await aRequest(api.database), await aRequest(api.database)]
    const { insertedId: batch } = (
      await api.as(first).post('/payout-batches', { withdrawalIds: requests.map(({ id }) => id) })
    ).body
    const step = (admin: TestUser, name: string) => api.as(admin).post(`/payout-batches/${batch}/${name}`)
    assert.equal((await api.as(first).get(`/payout-batches/${batch}`)).body.twoPeople, true)
    assert.equal(codeOf(await step(first, 'release')), 'second_person_required')
    assert.equal((await step(first, 'check')).body.modifiedCount, 1)
    assert.equal(codeOf(await step(first, 'release')), 'second_person_required')
    assert.equal((await step(second, 'release')).body.modifiedCount, 1)
  })

  test('an amount in parts needs two Admins like the whole', async () => {
    const [first] = await admins()
    await rules({ twoPersonAboveCents: 1500 })
    const accountNumber = '01799999999'
    const parts = [
      await aRequest(api.database, { accountNumber }),
      await aRequest(api.database, { accountNumber }),
      await aRequest(api.database, { accountNumber }),
    ] as const
    const release = async (...requests: { id: string }[]) => {
      const withdrawalIds = requests.map(({ id }) => id)
      const batch = (await api.as(first).post('/payout-batches', { withdrawalIds })).body.insertedId
      const released = await api.as(first).post(`/payout-batches/${batch}/release`)
      await api.as(first).post(`/payout-batches/${batch}/cancel`)
      return codeOf(released)
    }
    assert.equal((await pay(first, parts[0].id)).body.modifiedCount, 1)
    assert.equal(codeOf(await pay(first, parts[1].id)), 'second_person_required')
    assert.equal(await release(parts[1]), 'second_person_required')
    await rules({ twoPersonAboveCents: 2500 })
    assert.equal(await release(parts[1], parts[2]), 'second_person_required')
    assert.equal((await pay(first, parts[1].id)).body.modifiedCount, 1)
  })

  test('parts of an amount to one account count together, however it is written', async () => {
    const [first] = await admins()
    await rules({ twoPersonAboveCents: 1500 })
    const [part, other, alone] = await Promise.all(
      ['DBBL 1357924680123, ref 99999999999999999', 'A/C 1357-9246-80123', 'A/C 1357-9246-80124'].map(
        (accountNumber) => aRequest(api.database, { system: 'Bank', accountNumber }),
      ),
    )
    assert.equal((await pay(first, part?.id ?? '')).body.modifiedCount, 1)
    assert.equal(codeOf(await pay(first, other?.id ?? '')), 'second_person_required')
    assert.equal((await pay(first, alone?.id ?? '')).body.modifiedCount, 1)
  })

  test('a first payout and a new account number need two Admins, a known number one', async () => {
    const [first, second] = await admins()
    const { id, worker } = await aRequest(api.database, { coins: 700 })
    const ask = (accountNumber: string) =>
      api
        .as(worker)
        .post(`/withdraw/${worker.email}`, { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber })
    await rules({ firstPayout: true, newAccountNumber: true })
    await api.as(first).post(`/payout-claims/${id}`, {})
    assert.equal((await pay(second, id)).body.modifiedCount, 1)
    await api.database.pool.query(
      `select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), $1, 400)`,
      [worker.accountId],
    )
    const known = (await ask('01712345678')).body.insertedId
    const fresh = (await ask('01812345678')).body.insertedId
    assert.equal((await pay(first, known)).body.modifiedCount, 1)
    assert.equal(codeOf(await pay(first, fresh)), 'second_person_required')
  })

  test('an Admin neither creates, checks nor releases a batch with a request of their own', async () => {
    await rules({})
    const [first] = await admins()
    const { id, worker } = await aRequest(api.database)
    const { insertedId: batch } = (await api.as(first).post('/payout-batches', { withdrawalIds: [id] })).body
    await api.as(first).put(`/update-role/${worker.id}`, { value: 'Admin' })
    for (const step of ['check', 'release', 'cancel']) {
      assert.equal(codeOf(await api.as(worker).post(`/payout-batches/${batch}/${step}`)), 'yourself')
    }
    const own = await api.as(worker).post('/payout-batches', { withdrawalIds: [id] })
    assert.equal(codeOf(own), 'yourself')
  })

  test('a rule that an Admin switches off stays in force until another Admin confirms it', async () => {
    const [first, second] = await admins()
    await rules({ twoPersonAboveCents: 999 })
    const settings = (await api.as(first).get('/operator-settings')).body
    const { version, value } = settings.find(({ name }: { name: string }) => name === 'payout_rules')
    const body = { version, value: { ...value, twoPersonAboveCents: null }, reason: 'In a hurry' }
    const { proposal } = (await api.as(first).put('/operator-settings/payout_rules', body)).body
    const { id } = await aRequest(api.database, { accountNumber: '01788888888' })
    assert.equal(codeOf(await pay(first, id)), 'second_person_required')
    await api.as(second).patch(`/setting-proposals/${proposal._id}`, { decision: 'confirm' })
    assert.equal((await pay(first, id)).body.modifiedCount, 1)
  })
})
