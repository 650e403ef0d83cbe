import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { RISK_REASONS, type RiskReasonKind } from '#contract/risk.ts'
import { RISK_TEXTS } from '#contract/risk-texts.en.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aUser,
  aWorker,
  type TestUser,
} from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'

type Reason = { kind: RiskReasonKind; points: number; params: Record<string, unknown> }

describe('the risk of a withdrawal request', () => {
  const api = useApi()
  const aNumber = () => `017${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

  async function pay(buyer: TestUser, worker: TestUser, reward: number, times = 1) {
    for (let time = 0; time < times; time++) {
      const task = await aTask(api.database, buyer, { slots: 1, reward })
      await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    }
  }
  async function request(worker: TestUser, accountNumber = aNumber()): Promise<string> {
    const body = { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber }
    const response = await api.as(worker).post(`/withdraw/${worker.email}`, body)
    assert.equal(response.status, 200, response.text)
    return response.body.insertedId
  }
  async function riskOf(id: string) {
    const admin = await anAdmin(api.database)
    const { body } = await api.as(admin).post(`/withdrawals/${id}/risk-assessment`)
    const byKind = new Map<RiskReasonKind, Reason>(body.reasons.map((one: Reason) => [one.kind, one]))
    const namesIn = (kind: RiskReasonKind) =>
      ((byKind.get(kind)?.params.users ?? []) as { name: string }[]).map(({ name }) => name)
    return { ...body, byKind, namesIn } as {
      score: number
      stopped: boolean
      cleared: { by: string; reason: string } | null
      facts: Record<string, number>
      byKind: Map<RiskReasonKind, Reason>
      /** The names of the users of a reason. */
      namesIn(kind: RiskReasonKind): string[]
    }
  }
  async function signIn(user: TestUser, network: string) {
    await api.database.pool.query(
      `insert into sessions (id, identity_id, secret_hash, device, network, expires_at)
       values ($1, $2, sha256($3), 'Chrome on Android', $4, now() + interval '1 day')`,
      [randomUUID(), user.id, Buffer.from(randomUUID()), network],
    )
  }
  /** Ten workers whom these buyers pay as much as the first one. */
  async function aCrowd(buyers: TestUser[], reward = 10): Promise<TestUser[]> {
    const workers = await Promise.all(Array.from({ length: 10 }, () => aWorker(api.database)))
    for (const worker of workers) for (const buyer of buyers) await pay(buyer, worker, reward)
    return workers
  }

  test('a buyer who pays one worker only stops the request, and many buyers of many workers do not', async () => {
    const [buyer, worker] = [await aBuyer(api.database, { coins: 1000 }), await aWorker(api.database)]
    const buyers = await Promise.all(Array.from({ length: 4 }, () => aBuyer(api.database, { coins: 900 })))
    const honest = await aWorker(api.database)
    await aCrowd(buyers)
    for (const one of buyers) await pay(one, honest, 10, 6)
    await pay(buyer, worker, 100, 10)

    const ring = await riskOf(await request(worker))
    assert.deepEqual(ring.byKind.get('closed_circle')?.params.percent, 99)
    assert.deepEqual(ring.namesIn('closed_circle'), [buyer.name])
    assert.ok(ring.byKind.has('high_rewards'))
    assert.ok(ring.score >= 60, `${ring.score}`)
    const fine = await riskOf(await request(honest))
    assert.ok(fine.score < 30, JSON.stringify([...fine.byKind.values()]))
    assert.equal(fine.facts.buyers, 4)
  })

  test('a buyer of five workers who have no other buyer stops a request, and not when they earn as much elsewhere', async () => {
    const buyers = await Promise.all(Array.from({ length: 4 }, () => aBuyer(api.database, { coins: 1000 })))
    await aCrowd(buyers)
    const five = async () => {
      const buyer = await aBuyer(api.database, { coins: 1000 })
      const workers = await Promise.all(Array.from({ length: 5 }, () => aWorker(api.database)))
      for (const worker of workers) await pay(buyer, worker, 95, 2)
      return { buyer, workers }
    }
    const closed = await five()
    const ring = await riskOf(await request(closed.workers[0] as TestUser))
    assert.deepEqual(ring.namesIn('dependent_workers'), [closed.buyer.name])
    assert.ok(ring.score >= 50, `${ring.score}`)
    const open = await five()
    for (const worker of open.workers) for (const one of buyers) await pay(one, worker, 40)
    const fine = await riskOf(await request(open.workers[0] as TestUser))
    assert.equal(fine.byKind.has('dependent_workers'), false)
    assert.ok(fine.score < 50, `${fine.score}`)
  })

  test('a buyer whose tasks only their own workers do stops a request, and not when others do tasks of that size', async () => {
    const buyers = await Promise.all(Array.from({ length: 3 }, () => aBuyer(api.database, { coins: 2000 })))
    const crowd = [...(await aCrowd(buyers)), ...(await aCrowd(buyers))]
    /** A buyer who pays half of their coins to two workers, who earn as much with others. */
    const twoFavorites = async () => {
      const buyer = await aBuyer(api.database, { coins: 1200 })
      const workers = await Promise.all(Array.from({ length: 2 }, () => aWorker(api.database)))
      for (const worker of workers) {
        await pay(buyer, worker, 40, 8)
        for (const one of buyers) await pay(one, worker, 60)
      }
      return { buyer, worker: workers[0] as TestUser }
    }
    const closed = await twoFavorites()
    const shared = await aTask(api.database, closed.buyer, { slots: 20, reward: 20 })
    for (const one of crowd)
      await approveSubmission(api.database, await aSubmission(api.database, shared, one), closed.buyer.id)
    const ring = await riskOf(await request(closed.worker))
    assert.deepEqual(ring.namesIn('exclusive_tasks'), [closed.buyer.name])
    assert.equal(ring.byKind.get('exclusive_tasks')?.params.percent, 57)
    assert.ok(ring.score >= 50, JSON.stringify([...ring.byKind.values()]))
    const open = await twoFavorites()
    for (const one of crowd) await pay(open.buyer, one, 20)
    const fine = await riskOf(await request(open.worker))
    assert.equal(fine.byKind.has('exclusive_tasks'), false)
    assert.ok(fine.score < 50, JSON.stringify([...fine.byKind.values()]))
  })

  test('starting coins of many buyers, and a destination of several users, are reasons', async () => {
    const account = aNumber()
    const workers = await Promise.all(Array.from({ length: 4 }, () => aWorker(api.database)))
    let last = ''
    for (const worker of workers) {
      for (let index = 0; index < 4; index++) await pay(await aBuyer(api.database), worker, 50)
      last = await request(worker, account)
    }
    const { byKind } = await riskOf(last)
    assert.equal(byKind.get('free_coins')?.params.percent, 100)
    assert.deepEqual(
      [byKind.get('shared_destination')?.params.others, byKind.get('shared_destination')?.points],
      [3, 45],
    )
  })

  test('refunds of a third of the card payments of a buyer are a reason, and of less are none', async () => {
    const hasReason = async (payments: number) => {
      const [admin, buyer, worker] = [
        await anAdmin(api.database),
        await aBuyer(api.database),
        await aWorker(api.database),
      ]
      for (let index = 0; index < payments; index++) {
        const { clientSecret } = (await api.as(buyer).post('/create-payment-intent', { price: 10 })).body
        const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }
        const paid = (await api.anyone.post('/sandbox/confirm', { clientSecret, ...card })).body
        const { transactionId } = paid
        await api.as(buyer).post('/payment-success', { transactionId })
        if (index > 0) continue
        await api.as(admin).post('/sandbox/reverse', { transactionId, kind: 'refund', amount: 10 })
        await eventually(async () => {
          const { rows } = await api.database.pool.query(
            'select reversed_cents from payments where user_id = $1',
            [buyer.id],
          )
          return rows[0].reversed_cents === 1000
        })
      }
      await pay(buyer, worker, 50, 4)
      return (await riskOf(await request(worker))).byKind.has('refunded')
    }
    assert.deepEqual([await hasReason(3), await hasReason(4)], [true, false])
  })

  test('the same number with another system, and one kept as a destination, are the same account', async () => {
    const account = aNumber()
    const [first, second, third] = await Promise.all(
      Array.from({ length: 3 }, () => aWorker(api.database, { coins: 300 })),
    )
    assert.ok(first && second && third)
    await request(first, account)
    const body = { withdrawalCoin: 200, payment_system: 'Rocket', accountNumber: `${account}7` }
    assert.equal((await api.as(second).post(`/withdraw/${second.email}`, body)).status, 200)
    const saved = await api.as(third).post('/payout-destinations', {
      payment_system: 'Nagad',
      accountNumber: account,
      holderName: 'Ruma',
    })
    assert.equal(saved.status, 200, saved.text)
    const [{ _id }] = (await api.as(first).get(`/withdraw/${first.email}`)).body
    assert.equal((await riskOf(_id)).byKind.get('shared_destination')?.params.others, 2)
  })

  test('a shared network alone counts for nothing, and one of most users never does', async () => {
    const buyers = await Promise.all(Array.from({ length: 4 }, () => aBuyer(api.database, { coins: 900 })))
    const worker = await aWorker(api.database)
    await aCrowd(buyers)
    for (const one of buyers) await pay(one, worker, 10, 6)
    await signIn(worker, '198.51.100.1')
    for (const one of buyers) await signIn(one, '198.51.100.1')
    const id = await request(worker)
    const before = await riskOf(id)
    const network = before.byKind.get('shared_network')
    assert.ok((network?.points ?? 0) > 0)
    const others = [...before.byKind.values()].reduce(
      (sum, { kind, points }) => sum + (kind === 'shared_network' ? 0 : points),
      0,
    )
    assert.ok(before.score <= others * 1.5 + 1, `${before.score} of ${others}`)
    const { rows } = await api.database.pool.query('select id, name, email from users limit 1000')
    for (const user of rows) await signIn(user, '198.51.100.1')
    assert.equal((await riskOf(id)).byKind.has('shared_network'), false)
  })

  test('coins are followed through a worker who became a buyer, and a buyer who became a worker', async () => {
    const admin = await anAdmin(api.database)
    const [buyer, middle] = [await aBuyer(api.database, { coins: 600 }), await aWorker(api.database)]
    await pay(buyer, middle, 100, 6)
    await api.as(admin).put(`/update-role/${middle.id}`, { value: 'Buyer' })
    const worker = await aWorker(api.database)
    await pay(middle, worker, 100, 6)
    const forwarded = await riskOf(await request(worker))
    const reason = forwarded.byKind.get('middleman')
    assert.ok((reason?.params.percent as number) > 90)
    assert.deepEqual(forwarded.namesIn('middleman'), [middle.name])

    const own = await aUser(api.database, 'Buyer', { coins: 400 })
    // A task that is posted and closed again does not change where its coins came from.
    const task = await aTask(api.database, own, { slots: 4, reward: 100 })
    await api.as(own).post(`/tasks/${task}/close`)
    await api.as(admin).put(`/update-role/${own.id}`, { value: 'Worker' })
    const bought = await riskOf(await request({ ...own, role: 'Worker' }))
    assert.ok((bought.byKind.get('own_purchase')?.points ?? 0) >= 60)
    assert.equal(bought.facts.roleChanges, 1)
  })

  test('starting coins are free coins where a refunded purchase came with them', async () => {
    const worker = await aWorker(api.database)
    for (let number = 0; number < 4; number++) {
      const buyer = await aBuyer(api.database)
      await reverse(api.database, await aPayment(api.database, buyer, { cents: 3500, coins: 1000 }), 3500)
      await pay(buyer, worker, 50)
    }
    const risk = await riskOf(await request(worker))
    assert.equal(risk.byKind.get('free_coins')?.params.percent, 100)
    assert.equal(risk.facts.bonusPercent, 100)
  })

  test('with the setting a request stops until an Admin clears it with a reason, and again when its score rises', async () => {
    const admin = await anAdmin(api.database)
    const [buyer, worker] = [await aBuyer(api.database, { coins: 1000 }), await aWorker(api.database)]
    await pay(buyer, worker, 100, 10)
    const id = await request(worker)
    await changeSettings(api.database, 'risk', { reviewScore: 50 })
    try {
      const approve = () => api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })
      assert.equal((await approve()).body.error.code, 'risk_review')
      await riskOf(id)
      const listed = async () =>
        (await api.as(admin).get('/withdraw?limit=100')).body.find((one: { _id: string }) => one._id === id)
          .risk
      assert.equal((await listed()).stopped, true)
      const path = `/withdrawals/${id}/risk-review`
      assert.equal((await api.as(worker).post(path, { reason: 'Mine' })).status, 403)
      assert.equal((await api.as(admin).post(path, { reason: '' })).status, 422)
      await api.database.pool.query(
        `insert into risk_reviews (withdrawal_id, score, reason, reviewed_by) values ($1, 30, 'An earlier score', $2)`,
        [id, admin.id],
      )
      assert.equal((await listed()).stopped, true)
      assert.equal((await api.as(admin).post(path, { reason: 'A regular customer' })).status, 200)
      const { stopped, cleared } = await listed()
      assert.deepEqual([stopped, cleared.reason, cleared.by], [false, 'A regular customer', admin.name])
      assert.equal((await approve()).body.modifiedCount, 1)
      assert.equal((await api.as(admin).post(path, { reason: 'Late' })).body.error.code, 'already_decided')
      const [entry] = (await api.as(admin).get('/admin-record?limit=2')).body.slice(1)
      assert.deepEqual([entry.act, entry.subject], ['risk_cleared', id])
    } finally {
      await changeSettings(api.database, 'risk', { reviewScore: null })
    }
  })

  test('without the setting nothing stops', async () => {
    const admin = await anAdmin(api.database)
    const [buyer, worker] = [await aBuyer(api.database, { coins: 1000 }), await aWorker(api.database)]
    await pay(buyer, worker, 100, 10)
    const id = await request(worker)
    assert.equal((await riskOf(id)).stopped, false)
    assert.equal(
      (await api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })).body.modifiedCount,
      1,
    )
  })

  test('a thousand later small rewards do not hide who paid the earlier coins', async () => {
    const [buyer, worker] = [await aBuyer(api.database, { coins: 3000 }), await aWorker(api.database)]
    await pay(buyer, worker, 1000, 2)
    const honest = await aBuyer(api.database, { coins: 2000 })
    const task = await aTask(api.database, honest, { slots: 1, reward: 1 })
    const submission = await aSubmission(api.database, task, worker)
    await approveSubmission(api.database, submission, honest.id)
    await api.database.pool.query(
      `select pay_bonus(gen_random_uuid(), $1, $2, 1, '') from generate_series(1, 1000)`,
      [submission, honest.id],
    )
    const { namesIn } = await riskOf(await request(worker))
    assert.ok(namesIn('closed_circle').includes(buyer.name))
  })

  test('every stored reason has the parameters of its kind and a sentence', async () => {
    const { rows } = await api.database.pool.query<{ reasons: Reason[] }>(
      'select reasons from risk_assessments',
    )
    const kinds = new Set<string>()
    for (const { kind, params } of rows.flatMap(({ reasons }) => reasons)) {
      kinds.add(kind)
      const { success, error } = RISK_REASONS[kind].safeParse(params)
      assert.ok(success, `${kind} ${JSON.stringify(params)}: ${error?.message}`)
      assert.notEqual((RISK_TEXTS[kind] as (of: object) => string)(params), '')
    }
    assert.ok(kinds.size >= 6, [...kinds].join())
  })
})
