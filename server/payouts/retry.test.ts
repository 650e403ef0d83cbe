import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OPERATOR_SETTINGS } from '#contract/operator-settings.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { anAdmin, atOnce, aWorker, giveCoins, type TestUser } from '#tests/support/factories.ts'
import { aRequest, payoutsOf } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { decideWithdrawal } from './decide-withdrawal.ts'

const KNOWN = '01712345678'
const NEW = '01912345678'

describe('a failed payout that is paid to a corrected account number', () => {
  const api = useApi()
  const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code
  const pay = (admin: TestUser, id: string) =>
    api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })
  const ask = async (worker: TestUser, withdrawalCoin: number, accountNumber = KNOWN) => {
    const body = { withdrawalCoin, payment_system: 'Bkash', accountNumber }
    return (await api.as(worker).post(`/withdraw/${worker.email}`, body)).body.insertedId as string
  }
  const changeLimits = (limits: object) => changeSettings(api.database, 'payout_limits', limits)
  const restore = () => changeLimits(OPERATOR_SETTINGS.payout_limits.default)

  /** A worker who was paid to the known number, with a failed payout to it of each of these amounts in coins. */
  async function aFailure(...coins: number[]) {
    const admin = await anAdmin(api.database)
    const { id, worker } = await aRequest(api.database)
    await pay(admin, id)
    const total = coins.reduce((sum, part) => sum + part, 0)
    await giveCoins(api.database, worker.accountId, total)
    const requests: { id: string; retry: (accountNumber: string) => ReturnType<typeof pay> }[] = []
    for (const part of coins) {
      const request = await ask(worker, part)
      const { insertedId: batch } = (
        await api.as(admin).post('/payout-batches', { withdrawalIds: [request] })
      ).body
      await api.as(admin).post(`/payout-batches/${batch}/release`)
      const [payout] = await payoutsOf(api.database, request)
      const failure = { reason: 'The wallet is closed', returnCoins: false }
      await api.as(admin).post(`/payouts/${payout?.id}/fail`, failure)
      const retry = (accountNumber: string) =>
        api.as(admin).post(`/payouts/${payout?.id}/retry`, { accountNumber })
      requests.push({ id: request, retry })
    }
    return { admin, worker, requests: requests as [(typeof requests)[number], ...typeof requests] }
  }

  describe('with a limit of the first payout', () => {
    before(() => changeLimits({ firstPayoutCents: 1500 }))
    after(restore)

    test('falls under it like any new number; the known number does not', async () => {
      const { requests } = await aFailure(400)
      const [{ retry }] = requests
      const refused = await retry(NEW)
      assert.equal(codeOf(refused), 'payout_limit')
      assert.match(refused.body.error.message, /at most \$15\.00\. Decline the request/)
      assert.equal((await retry(KNOWN)).status, 200)
    })

    test('two concurrent corrections share one first payout', async () => {
      const { requests } = await aFailure(200, 200)
      const corrected = await atOnce(2, (index) => (requests[index] as (typeof requests)[0]).retry(NEW))
      const statuses = corrected.map((one) => (one.status === 'fulfilled' ? one.value.status : 500))
      assert.deepEqual(
        statuses.toSorted((a, b) => a - b),
        [200, 409],
      )
    })
  })

  describe('with a waiting time of new accounts', () => {
    before(() => changeLimits({ destinationWaitHours: 12 }))
    after(restore)

    test('is paid after it, alone and in a batch', async () => {
      const { admin, requests } = await aFailure(200)
      const [{ id, retry }] = requests
      assert.equal((await retry(NEW)).status, 200)
      const refused = await pay(admin, id)
      assert.equal(codeOf(refused), 'destination_waiting')
      assert.match(refused.body.error.message, /It can be paid in 12 hours/)
      assert.equal(codeOf(await api.as(admin).post(`/payout-claims/${id}`, {})), 'destination_waiting')
      const list = (await api.as(admin).get('/withdraw?limit=100')).body
      const { payableAt } = list.find(({ _id }: { _id: string }) => _id === id)
      assert.ok(Date.parse(payableAt) > Date.now())
      const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] }))
        .body
      assert.equal((await api.as(admin).get(`/payout-batches/${batch}`)).body.payouts[0].stopped, true)
      assert.equal(
        codeOf(await api.as(admin).post(`/payout-batches/${batch}/release`)),
        'destination_waiting',
      )
      await api.as(admin).post(`/payout-batches/${batch}/cancel`)
      await atTime(api.url, later(new Date(), { hours: 12, minutes: 1 }), (database) =>
        decideWithdrawal(database, id, admin.id, { status: 'approved' }, {}),
      )
      assert.equal((await payoutsOf(api.database, id)).at(-1)?.state, 'confirmed')
    })

    test('uses the waiting time of a saved destination, and a known number does not wait', async () => {
      const { admin, worker, requests } = await aFailure(200, 200)
      const [first, second] = requests as [(typeof requests)[0], (typeof requests)[0]]
      await api.owner.query(
        `select save_destination(gen_random_uuid(), $1, null, 'Bkash', $2, 'Rafi', '', '', '', interval '0', 10)`,
        [worker.id, NEW],
      )
      await first.retry(NEW)
      assert.equal((await pay(admin, first.id)).status, 200)
      await second.retry(KNOWN)
      assert.equal((await pay(admin, second.id)).status, 200)
    })
  })
})

describe('a failed payout to a saved bank account', () => {
  const api = useApi()
  const NUMBER = '00123456789'
  const BANK = {
    payment_system: 'Bank',
    accountNumber: NUMBER,
    holderName: 'Ruma Akter',
    bankName: 'Sonali Bank',
    branch: 'Dhanmondi',
    routingNumber: '145261188',
  }
  const details = ['Sonali Bank', 'Dhanmondi', 'Ruma Akter', '145261188']
  const textOf = (number: string) => `Sonali Bank, Dhanmondi, Ruma Akter, ${number}, routing 145261188`

  async function aFailure() {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database, { coins: 210 })
    const { body: saved } = await api.as(worker).post('/payout-destinations', BANK)
    const { body: created } = await api.as(worker).post(`/withdraw/${worker.email}`, {
      withdrawalCoin: 200,
      payment_system: 'Bank',
      accountNumber: saved.account,
      destinationId: saved._id,
    })
    const id: string = created.insertedId
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    await api.as(admin).post(`/payout-batches/${batch}/release`)
    const [payout] = await payoutsOf(api.database, id)
    await api.as(admin).post(`/payouts/${payout?.id}/fail`, { reason: 'Returned', returnCoins: false })
    const retry = async (accountNumber: string) => {
      const retried = await api.as(admin).post(`/payouts/${payout?.id}/retry`, { accountNumber })
      assert.equal(retried.status, 200, retried.text)
    }
    const account = async () => {
      const { rows } = await api.database.pool.query(
        `select withdrawals.account_number as text, destination_id as destination, payouts.account_number as number,
                array[bank_name, branch, holder_name, routing_number] as details,
                (select count(*)::int from notifications where kind = 'account_number_corrected' and user_id = worker_id) as notices
           from withdrawals join payouts on payouts.withdrawal_id = withdrawals.id
          where withdrawals.id = $1 order by attempt desc limit 1`,
        [id],
      )
      return rows[0]
    }
    return { admin, worker, id, destination: saved._id as string, retry, account }
  }

  test('keeps its bank details with the same number, also after the worker removed the account', async () => {
    const { worker, destination, retry, account } = await aFailure()
    await api.as(worker).delete(`/payout-destinations/${destination}`)
    await retry('0012 345-6789')
    assert.deepEqual(await account(), {
      text: textOf(NUMBER),
      destination,
      number: NUMBER,
      details,
      notices: 0,
    })
  })

  test('keeps its bank details with a new number, also when the claim is released and made again', async () => {
    const { admin, id, retry, account } = await aFailure()
    await retry('00123456780')
    const corrected = {
      text: textOf('00123456780'),
      destination: null,
      number: '00123456780',
      details,
      notices: 1,
    }
    assert.deepEqual(await account(), corrected)
    await api.as(admin).delete(`/payout-claims/${id}`)
    await api.as(admin).post(`/payout-claims/${id}`, {})
    assert.deepEqual([(await payoutsOf(api.database, id)).length, await account()], [3, corrected])
  })

  test("takes the details of the worker's other account with the number", async () => {
    const { worker, retry, account } = await aFailure()
    const other = { ...BANK, bankName: 'Janata Bank', branch: 'Motijheel', accountNumber: '00987654321' }
    const { body: saved } = await api.as(worker).post('/payout-destinations', other)
    await retry(other.accountNumber)
    assert.deepEqual(await account(), {
      text: saved.account,
      destination: saved._id,
      number: other.accountNumber,
      details: ['Janata Bank', 'Motijheel', 'Ruma Akter', '145261188'],
      notices: 1,
    })
  })
})

describe('a risk score that makes a second Admin necessary', () => {
  const api = useApi()

  test('is computed at the payment, whatever it was before', async () => {
    const [first, second] = [await anAdmin(api.database), await anAdmin(api.database)]
    const { id } = await aRequest(api.database)
    const { rows } = await api.owner.query('select assess_risk($1) as score', [id])
    const score = Number(rows[0].score)
    assert.ok(score > 0 && score < 100, `${score} can be higher and lower`)
    const store = (stored: number) =>
      api.owner.query('update risk_assessments set score = $2 where withdrawal_id = $1', [id, stored])
    const pay = (admin: TestUser) => api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })
    await changeSettings(api.database, 'payout_rules', { riskScore: score })
    await store(0)
    assert.equal((await pay(first)).body.error.code, 'second_person_required')
    await api.as(first).post(`/payout-claims/${id}`, {})
    assert.equal((await pay(first)).body.error.code, 'second_person_required')
    await changeSettings(api.database, 'payout_rules', { riskScore: score + 1 })
    await store(100)
    assert.equal((await api.as(second).post(`/payout-claims/${id}`, {})).body.error.code, 'claimed')
    assert.equal((await pay(first)).body.modifiedCount, 1)
  })
})
