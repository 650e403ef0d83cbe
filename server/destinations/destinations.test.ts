import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { destinationNumberOf, hasRoutingCheckDigit, routingNumberOf } from '#contract/destinations.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, atOnce, aWorker, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'

const PATH = '/payout-destinations'
const BKASH = { payment_system: 'Bkash', accountNumber: '01712345678', holderName: 'Ruma Akter' }
const BANK = {
  payment_system: 'Bank',
  accountNumber: '0012 3456-7890',
  holderName: 'Ruma Akter',
  bankName: 'Sonali Bank',
  branch: 'Dhanmondi',
  routingNumber: '145261188',
}
const numbered = (index: number) => ({ ...BKASH, accountNumber: `0171234567${index}` })

test('bank accounts and routing numbers keep leading zeros, and Bengali digits are read', () => {
  assert.equal(destinationNumberOf('Bank', '০০১২ 3456-78'), '0012345678')
  assert.equal(destinationNumberOf('Bank', '1234567'), undefined)
  assert.equal(destinationNumberOf('Bkash', '+880 1712-345678'), '01712345678')
  assert.equal(routingNumberOf('০৯০ 261-234'), '090261234')
  assert.equal(routingNumberOf('90261234'), undefined)
  assert.equal(hasRoutingCheckDigit('145261188'), true)
  assert.equal(hasRoutingCheckDigit('145261189'), false)
})

describe('payout destinations', () => {
  const api = useApi()
  const add = (user: TestUser, body: object = BKASH) => api.as(user).post(PATH, body)
  const list = async (user: TestUser) => (await api.as(user).get(PATH)).body
  const mailsTo = async (user: TestUser) => {
    const { rows } = await api.database.pool.query<{ payload: { template: string; data: object } }>(
      `select payload from outbox where topic = 'mail' and user_id = $1 order by id`,
      [user.id],
    )
    return rows.map(({ payload }) => payload.data)
  }

  test('a worker adds, changes and removes a destination, and each is mailed and logged without the number', async () => {
    const worker = await aWorker(api.database)
    const added = await add(worker, BANK)
    assert.equal(added.status, 200)
    assert.deepEqual(
      [added.body.accountNumber, added.body.account, added.body.state, added.body.warnings],
      [
        '001234567890',
        'Sonali Bank, Dhanmondi, Ruma Akter, 001234567890, routing 145261188',
        'unverified',
        [],
      ],
    )
    const changed = await api.as(worker).patch(`${PATH}/${added.body._id}`, BKASH)
    assert.notEqual(changed.body._id, added.body._id)
    assert.deepEqual(
      (await list(worker)).map(({ account }: { account: string }) => account),
      ['01712345678'],
    )
    assert.equal((await api.as(worker).delete(`${PATH}/${changed.body._id}`)).status, 204)
    assert.equal((await api.as(worker).delete(`${PATH}/${changed.body._id}`)).status, 204)
    assert.deepEqual(await list(worker), [])

    const mails = await mailsTo(worker)
    assert.deepEqual(
      mails.map((data) => [(data as { change: string }).change, (data as { account: string }).account]),
      [
        ['added', 'Bank ending in 890'],
        ['changed', 'bKash ending in 678'],
        ['removed', 'bKash ending in 678'],
      ],
    )
    const { rows } = await api.database.pool.query(
      `select params from security_log where identity_id = $1 and kind = 'payout_destination_changed' order by id`,
      [worker.id],
    )
    assert.deepEqual(
      rows.map(({ params }) => params),
      [
        { change: 'added', system: 'Bank' },
        { change: 'changed', system: 'Bkash' },
        { change: 'removed', system: 'Bkash' },
      ],
    )
  })

  test('the same destination again is one destination and one mail', async () => {
    const worker = await aWorker(api.database)
    const responses = await atOnce(5, () => add(worker))
    const ids = responses.map((one) => (one.status === 'fulfilled' ? one.value.body._id : 'failed'))
    assert.equal(new Set(ids).size, 1)
    assert.equal((await mailsTo(worker)).length, 1)
  })

  test('there are at most five, also when ten are added at once', async () => {
    const worker = await aWorker(api.database)
    const responses = await atOnce(10, (index) => add(worker, numbered(index)))
    const statuses = responses
      .map((one) => (one.status === 'fulfilled' ? one.value.status : 0))
      .sort((a, b) => a - b)
    assert.deepEqual(statuses, [...Array<number>(5).fill(200), ...Array<number>(5).fill(409)])
    assert.equal((await list(worker)).length, 5)
  })

  test('ten changes a day are the limit, so that nobody exhausts the limit of emails', async () => {
    const worker = await aWorker(api.database)
    for (let index = 0; index < 10; index++) {
      const { body } = await add(worker, numbered(index))
      await api.as(worker).delete(`${PATH}/${body._id}`)
    }
    const refused = await add(worker)
    assert.equal(refused.body.error.code, 'state_conflict')
    assert.equal((await mailsTo(worker)).length, 20)
  })

  test('nobody sees, changes or removes the destination of another user', async () => {
    const owner = await aWorker(api.database)
    const stranger = await aWorker(api.database)
    const { body } = await add(owner)
    assert.deepEqual(await list(stranger), [])
    const changed = await api.as(stranger).patch(`${PATH}/${body._id}`, numbered(1))
    assert.equal(changed.body.error.code, 'destination_not_found')
    assert.equal((await api.as(stranger).delete(`${PATH}/${body._id}`)).status, 204)
    assert.equal((await list(owner)).length, 1)
    const another = await add(stranger)
    assert.equal(another.status, 200, 'two people may have the same account')
  })

  test('adding, changing and removing need a recent proof of identity, and a worker', async () => {
    const worker = await aWorker(api.database)
    const { body } = await add(worker)
    await api.database.pool.query(`update sessions set proved_at = 'epoch' where identity_id = $1`, [
      worker.id,
    ])
    for (const refused of [
      await add(worker, numbered(1)),
      await api.as(worker).patch(`${PATH}/${body._id}`, numbered(1)),
      await api.as(worker).delete(`${PATH}/${body._id}`),
    ])
      assert.equal(refused.body.error.code, 'proof_required')
    for (const user of [await aBuyer(api.database), await anAdmin(api.database)])
      assert.equal((await add(user)).body.error.code, 'role_not_allowed')
  })

  test('each wrong field has its message', async () => {
    const worker = await aWorker(api.database)
    const { status, body } = await add(worker, {
      payment_system: 'Bank',
      accountNumber: '123',
      holderName: 'Ruma Akter',
      routingNumber: '90261234',
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields), ['accountNumber', 'bankName', 'routingNumber'])
    const hidden = await add(worker, { ...BKASH, holderName: 'Ruma\u202eAkter' })
    assert.deepEqual(Object.keys(hidden.body.error.fields), ['holderName'])
    const odd = await add(worker, { ...BANK, routingNumber: '145261189' })
    assert.deepEqual(odd.body.warnings, ['routing_check_digit'])
  })

  test('a new or changed destination waits, as long as the setting says', async () => {
    const worker = await aWorker(api.database)
    const before = await readSetting(api.database, 'payout_limits')
    await changeSettings(api.database, 'payout_limits', { ...before, destinationWaitHours: 12 })
    const { body } = await add(worker)
    const hours = (Date.parse(body.usableAt) - Date.parse(body.createdAt)) / 3_600_000
    assert.equal(Math.round(hours), 12)
    const [mail] = await mailsTo(worker)
    assert.equal((mail as { hours: number }).hours, 12)
    await changeSettings(api.database, 'payout_limits', before)
  })

  describe('withdrawals', () => {
    const request = (worker: TestUser, body: object) =>
      api.as(worker).post(`/withdraw/${worker.email}`, { withdrawalCoin: 200, ...body })
    const linked = async (id: string) => {
      const { rows } = await api.database.pool.query(
        'select destination_id, account_number from withdrawals where id = $1',
        [id],
      )
      return rows[0]
    }

    test('a request names a destination, or is linked to it by its account', async () => {
      const worker = await aWorker(api.database, { coins: 600 })
      const { _id, account } = (await add(worker, BANK)).body
      for (const body of [
        { payment_system: 'Bank', accountNumber: account, destinationId: _id },
        { payment_system: 'Bank', accountNumber: account },
        { payment_system: 'Bank', accountNumber: '001234567890' },
      ]) {
        const { insertedId } = (await request(worker, body)).body
        assert.deepEqual(await linked(insertedId), { destination_id: _id, account_number: account })
      }
      const raw = await aWorker(api.database, { coins: 200 })
      const { insertedId } = (
        await request(raw, { payment_system: 'Bkash', accountNumber: BKASH.accountNumber })
      ).body
      assert.deepEqual(await linked(insertedId), {
        destination_id: null,
        account_number: BKASH.accountNumber,
      })
    })

    test('the destination of another user, a removed one and another account are refused', async () => {
      const worker = await aWorker(api.database, { coins: 200 })
      const other = (await add(await aWorker(api.database))).body
      const own = (await add(worker)).body
      const body = { payment_system: 'Bkash', accountNumber: BKASH.accountNumber }
      const code = async (destinationId: string, accountNumber = BKASH.accountNumber) =>
        (await request(worker, { ...body, accountNumber, destinationId })).body.error.code
      assert.equal(await code(other._id), 'destination_not_found')
      assert.equal(await code(own._id, '01812345678'), 'state_conflict')
      await api.as(worker).delete(`${PATH}/${own._id}`)
      assert.equal(await code(own._id), 'destination_not_found')
    })

    test('the first payout verifies a destination, and the account if it is added again', async () => {
      const admin = await anAdmin(api.database)
      const worker = await aWorker(api.database, { coins: 200 })
      const { _id } = (await add(worker)).body
      const body = { payment_system: 'Bkash', accountNumber: BKASH.accountNumber, destinationId: _id }
      const { insertedId } = (await request(worker, body)).body
      assert.equal((await list(worker))[0].state, 'unverified')
      await api.as(admin).patch(`/withdraw-status/${insertedId}`, { status: 'approved' })
      assert.equal((await list(worker))[0].state, 'verified')
      await api.as(worker).delete(`${PATH}/${_id}`)
      assert.equal((await add(worker)).body.state, 'verified')
    })

    test('while destinations wait, money goes to a new account after the waiting time only', async () => {
      const admin = await anAdmin(api.database)
      const worker = await aWorker(api.database, { coins: 1000 })
      const body = { payment_system: 'Bkash', accountNumber: BKASH.accountNumber }
      await changeSettings(api.database, 'payout_limits', { destinationWaitHours: 12 })
      try {
        const first = await request(worker, body)
        assert.equal(first.status, 200, 'nothing is known of where the worker is paid')
        await api.as(admin).patch(`/withdraw-status/${first.body.insertedId}`, { status: 'approved' })
        assert.equal((await request(worker, body)).status, 200, 'the account was paid before')

        const other = { ...body, accountNumber: '01812345678' }
        const unsaved = await request(worker, other)
        assert.equal(unsaved.body.error.code, 'destination_waiting')
        assert.match(unsaved.body.error.message, /Save it as a payout destination first; .* 12 hours later/)
        const { _id } = (await add(worker, { ...BKASH, ...other })).body
        for (const refused of [
          await request(worker, other),
          await request(worker, { ...other, destinationId: _id }),
        ])
          assert.match(refused.body.error.message, /in 12 hours/)
        await api.database.pool.query(
          'update payout_destinations set usable_at = clock_time() where id = $1',
          [_id],
        )
        assert.equal((await request(worker, other)).status, 200)
      } finally {
        await changeSettings(api.database, 'payout_limits', { destinationWaitHours: 0 })
      }
    })
  })

  test('deleting the user removes them, and the export has them', async () => {
    const worker = await aWorker(api.database)
    await add(worker, BANK)
    const { text } = await api.as(worker).get(`/my-data/${worker.email}`)
    assert.equal(JSON.parse(text).payout_destinations[0].routing_number, BANK.routingNumber)
    await api.as(await anAdmin(api.database)).delete(`/delete-user/${worker.id}`)
    const { rows } = await api.database.pool.query(
      'select state from payout_destinations where user_id = $1',
      [worker.id],
    )
    assert.deepEqual(rows, [{ state: 'removed' }])
  })
})
