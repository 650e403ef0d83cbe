import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { UserOverview } from '#contract/user-overview.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { concedeRejection } from '#server/submissions/end-dispute.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { appeal, reject } from '#tests/support/appeals.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  type TestUser,
} from '#tests/support/factories.ts'
import { payoutsOf } from '#tests/support/payouts.ts'

describe('the overview of a user', () => {
  const api = useApi()
  const overviewOf = async (user: TestUser): Promise<UserOverview> =>
    (await api.as(await anAdmin(api.database)).get(`/users/${user.id}/overview`)).body
  const find = async (q: string) => {
    const { body } = await api.as(await anAdmin(api.database)).get(`/user-search?q=${encodeURIComponent(q)}`)
    return body.map(({ _id, kind }: { _id: string; kind: string }) => [_id, kind])
  }
  const withdraw = (user: TestUser, accountNumber: string, payment_system = 'Bkash') =>
    api.as(user).post(`/withdraw/${user.email}`, { withdrawalCoin: 200, payment_system, accountNumber })
  const keep = async (user: TestUser, payment_system: string, accountNumber: string) => {
    const destination = { payment_system, accountNumber, holderName: user.name }
    assert.equal((await api.as(user).post('/payout-destinations', destination)).status, 200)
  }

  test('has the totals, counterparties and withdrawals of a user', async () => {
    const buyer = await aBuyer(api.database, { coins: 300 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { slots: 2, reward: 100 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    await approveSubmission(
      api.database,
      await aSubmission(api.database, await aTask(api.database, buyer, { slots: 1, reward: 95 }), worker),
      buyer.id,
    )
    await withdraw(worker, '01733000111')
    const of = await overviewOf(worker)
    assert.deepEqual([of.totals.coins, of.totals.coinsOnHold, of.totals.requestedCents], [5, 200, 1000])
    assert.deepEqual([of.totals.approved, of.totals.rejected, of.totals.pending], [2, 0, 0])
    assert.deepEqual(
      of.counterparties.map(({ _id, coinsFrom, coinsTo, works }) => [_id, coinsFrom, coinsTo, works]),
      [[buyer.id, 195, 0, 2]],
    )
    assert.deepEqual(
      of.withdrawals.map(({ coins, cents, accountNumber, status }) => [coins, cents, accountNumber, status]),
      [[200, 1000, '01733000111', 'pending']],
    )
    assert.deepEqual(
      of.destinations.map(({ system, accountNumber }) => [system, accountNumber]),
      [['Bkash', '01733000111']],
    )
    const ofBuyer = await overviewOf(buyer)
    assert.deepEqual([ofBuyer.totals.tasks, ofBuyer.totals.coinsInEscrow], [2, 100])
    assert.deepEqual(
      ofBuyer.counterparties.map(({ _id, coinsTo }) => [_id, coinsTo]),
      [[worker.id, 195]],
    )
  })

  test('shows that a destination is removed, also one that was used', async () => {
    const worker = await aWorker(api.database, { coins: 300 })
    await keep(worker, 'Bkash', '01733000222')
    await withdraw(worker, '01733000222')
    const removed = async () => (await overviewOf(worker)).destinations.map(({ isRemoved }) => isRemoved)
    assert.deepEqual(await removed(), [false])
    await deleteUser(api.database, worker.id, (await anAdmin(api.database)).id)
    assert.deepEqual(await removed(), [true])
  })

  test('shows the devices of a deleted user as signed out', async () => {
    const worker = await aWorker(api.database)
    await api.owner.query(
      `insert into sessions (id, identity_id, secret_hash, device, network, expires_at)
       values ($1, $2, $3, 'Firefox on Linux', '198.51.100.9', now() + interval '1 day')`,
      [randomUUID(), worker.id, Buffer.from(randomUUID())],
    )
    const open = async () =>
      (await overviewOf(worker)).sessions.flatMap(({ device, isOpen }) =>
        device === 'Firefox on Linux' ? [isOpen] : [],
      )
    assert.deepEqual(await open(), [true])
    await deleteUser(api.database, worker.id, (await anAdmin(api.database)).id)
    assert.deepEqual(await open(), [false])
  })

  test('links users of one number, also when another system adds a digit to it, and finds them', async () => {
    const [first, second, other] = [
      await aWorker(api.database, { coins: 300 }),
      await aWorker(api.database, { coins: 300 }),
      await aWorker(api.database, { coins: 300 }),
    ]
    await withdraw(first, '01855000222')
    await withdraw(second, '018550002229', 'Rocket')
    await withdraw(other, '01855000333')
    const linked = (await overviewOf(first)).links.map(({ _id, kind }) => [_id, kind])
    assert.deepEqual(linked, [[second.id, 'destination']])
    const both = new Set([first.id, second.id])
    for (const typed of ['+880 1855-000222', '018550002229', '০১৮৫৫০০০২২২']) {
      const found = await find(typed)
      assert.deepEqual(new Set(found.map(([id]: string[]) => id)), both)
      assert.ok(found.every(([, kind]: string[]) => kind === 'account number'))
    }
    assert.deepEqual(await find('01855000999'), [])
  })

  test('finds an account holder whichever code points the letters have', async () => {
    const [first, second] = [
      await aWorker(api.database, { name: '\u09b8\u099e\u09cd\u099c\u09df' }),
      await aWorker(api.database, { name: '\u09b8\u099e\u09cd\u099c\u09af\u09bc' }),
    ]
    await keep(first, 'Bkash', '01855000661')
    await keep(second, 'Bkash', '01855000662')
    const both = new Set([`${first.id} holder`, `${second.id} holder`])
    for (const { name } of [first, second])
      assert.deepEqual(new Set((await find(name)).map((found: string[]) => found.join(' '))), both)
  })

  test('links users who keep a number that another one was paid to, or keeps too', async () => {
    const [paid, kept, rocket, other] = [
      await aWorker(api.database, { coins: 300 }),
      await aWorker(api.database),
      await aWorker(api.database),
      await aWorker(api.database),
    ]
    await withdraw(paid, '01855000444')
    await keep(kept, 'Bkash', '01855000444')
    await keep(rocket, 'Rocket', '018550004449')
    await keep(other, 'Rocket', '018550004559')
    const linked = async (user: TestUser) =>
      new Set((await overviewOf(user)).links.map(({ _id, kind, value }) => `${kind} ${value} ${_id}`))
    const ofPaid = `destination 01855000444 ${paid.id}`
    const ofKept = `destination 01855000444 ${kept.id}`
    const ofRocket = `destination 018550004449 ${rocket.id}`
    assert.deepEqual(await linked(paid), new Set([ofKept, ofRocket]))
    assert.deepEqual(await linked(kept), new Set([ofPaid, ofRocket]))
    assert.deepEqual(await linked(rocket), new Set([ofPaid, ofKept]))
    assert.deepEqual(await linked(other), new Set())
  })

  test('links and finds users who keep an account, however it is written', async () => {
    const [rocket, other, paid] = [
      await aWorker(api.database),
      await aWorker(api.database),
      await aWorker(api.database, { coins: 300 }),
    ]
    await keep(rocket, 'Rocket', '018550006669')
    await keep(other, 'Other', 'Rahim@Pay.example')
    await withdraw(paid, 'rahim@pay.example', 'Other')
    const { links } = await overviewOf(paid)
    assert.deepEqual(
      links.map(({ _id, kind, value }) => [_id, kind, value]),
      [[other.id, 'destination', 'Rahim@Pay.example']],
    )
    for (const typed of ['018550006669', '01855000666'])
      assert.deepEqual(await find(typed), [[rocket.id, 'account number']], typed)
    assert.deepEqual(
      new Set((await find('rahim@pay.example')).map(([id]: string[]) => id)),
      new Set([other.id, paid.id]),
    )
  })

  test('finds users by the exact account that the overview links, and by its number', async () => {
    for (const [system, account, typed = account] of [
      ['Bank', 'City Bank, Rahim, 12345678901, routing 090261234'],
      ['Bank', 'City Bank, Karim, 12345678902, routing 090261234', '1234-5678-902'],
      ['Other', 'Payoneer 12345678'],
      ['Other', 'Rahim 99999999999999999, A/C 1357924680123', '1357-9246-80123'],
      ['Other', 'PayPal: karim@pay.example'],
      ['Other', 'পেওনিয়ার ৪২'],
    ] as const) {
      const [paid, kept] = [await aWorker(api.database, { coins: 300 }), await aWorker(api.database)]
      await withdraw(paid, account, system)
      if (system === 'Other') await keep(kept, system, account)
      const expected = system === 'Other' ? [paid.id, kept.id] : [paid.id]
      const found = await find(typed)
      assert.deepEqual(found.map(([id]: string[]) => id).toSorted(), expected.toSorted(), typed)
      const { body: rows } = await api
        .as(await anAdmin(api.database))
        .get(`/users?q=${encodeURIComponent(typed)}`)
      assert.deepEqual(rows.map(({ _id }: { _id: string }) => _id).toSorted(), expected.toSorted(), typed)
    }
  })

  test('shows and finds an account that an Admin corrected after a failed payout', async () => {
    const [admin, worker] = [await anAdmin(api.database), await aWorker(api.database, { coins: 300 })]
    const typed = 'City Bank, Rahim, 12345678905, routing 090261234'
    const { insertedId: id } = (await withdraw(worker, typed, 'Bank')).body
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    await api.as(admin).post(`/payout-batches/${batch}/release`)
    const [payout] = await payoutsOf(api.database, id)
    await api.as(admin).post(`/payouts/${payout?.id}/fail`, { reason: 'Returned', returnCoins: false })
    const corrected = 'City Bank, Rahim, 12345678906, routing 090261234'
    const retried = await api.as(admin).post(`/payouts/${payout?.id}/retry`, { accountNumber: corrected })
    assert.equal(retried.status, 200, retried.text)
    const { destinations } = await overviewOf(worker)
    assert.deepEqual(
      destinations.map(({ accountNumber }) => accountNumber).toSorted(),
      [typed, corrected].toSorted(),
    )
    for (const number of ['12345678905', '12345678906']) {
      assert.deepEqual(await find(number), [[worker.id, 'account number']], number)
      const { body: rows } = await api.as(admin).get(`/users?q=${number}`)
      assert.deepEqual(
        rows.map(({ _id }: { _id: string }) => _id),
        [worker.id],
        number,
      )
    }
  })

  test('links users of a small network and no users of a large one, and finds both', async () => {
    const users = await Promise.all(Array.from({ length: 24 }, () => aWorker(api.database)))
    const start = (user: TestUser, network: string) =>
      api.owner.query(
        `insert into sessions (id, identity_id, secret_hash, device, network, expires_at)
         values ($1, $2, $3, 'Opera on Linux', $4, now() + interval '1 day')`,
        [randomUUID(), user.id, Buffer.from(randomUUID()), network],
      )
    const [first, second] = users as [TestUser, TestUser]
    await Promise.all([start(first, '198.51.100.7'), start(second, '198.51.100.7')])
    for (const user of users) await start(user, '198.51.100.250')
    const { links } = await overviewOf(first)
    assert.deepEqual(
      links.map(({ _id, kind, value }) => [_id, kind, value]),
      [[second.id, 'network', '198.51.100.7']],
    )
    assert.equal((await find('198.51.100.250')).length, 24)
    assert.equal((await find('Opera on Linux')).length, 24)
  })

  test('shows the decisions and appeals of both users of a submission', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database, { slots: 3 })
    const { database } = api
    const other = await aWorker(database)
    const approved = await aSubmission(database, taskId, other)
    await approveSubmission(database, approved, buyer.id)
    await reject(database, submissionId, buyer)
    const of = async (user: TestUser) => {
      const { decisions, appeals } = await overviewOf(user)
      return {
        decisions: decisions.map((one) => [one.submissionId, one._id, one.by, one.decision, one.reason]),
        appeals: appeals.map((one) => [one.submissionId, one._id, one.by, one.outcome]),
      }
    }
    const rejected = [submissionId, worker.id, true, 'rejected', 'Not what I asked for']
    assert.deepEqual(await of(buyer), {
      decisions: [rejected, [approved, other.id, true, 'approved', '']],
      appeals: [],
    })
    await appeal(database, submissionId, worker)
    const own = [submissionId, buyer.id, false, 'rejected', 'Not what I asked for']
    assert.deepEqual(await of(worker), {
      decisions: [own],
      appeals: [[submissionId, buyer.id, true, 'open']],
    })
    assert.deepEqual((await of(buyer)).appeals, [[submissionId, worker.id, false, 'open']])
    await concedeRejection(database, submissionId, buyer.id)
    const { decisions, appeals } = await of(worker)
    assert.deepEqual(
      [decisions[0]?.[3], appeals],
      ['rejection reversed', [[submissionId, buyer.id, true, 'won']]],
    )
  })

  test('shows no decision about undecided work of a deleted worker', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database, { slots: 3 })
    const left = await aWorker(api.database)
    await aSubmission(api.database, taskId, left)
    await reject(api.database, submissionId, buyer)
    for (const { id } of [left, worker]) await deleteUser(api.database, id, (await anAdmin(api.database)).id)
    const ofLeft = await overviewOf(left)
    assert.deepEqual([ofLeft.decisions, ofLeft.totals.rejected], [[], 0])
    const { decisions } = await overviewOf(buyer)
    // The buyer did reject the other work, whose rejection was not final.
    assert.deepEqual(
      decisions.map((one) => [one.submissionId, one.decision]),
      [[submissionId, 'rejected']],
    )
  })

  test('shows what Admins did to the user and to their requests', async () => {
    const worker = await aWorker(api.database, { coins: 300 })
    const { body } = await withdraw(worker, '01944000111')
    const admin = await anAdmin(api.database)
    await api
      .as(admin)
      .patch(`/withdraw-status/${body.insertedId}`, { status: 'declined', reason: 'Wrong number' })
    await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Buyer' })
    assert.deepEqual(
      (await overviewOf(worker)).actions.map(({ act, admin: by, reason }) => [act, by, reason]),
      [
        ['role_changed', admin.name, ''],
        ['withdrawal_declined', admin.name, 'Wrong number'],
      ],
    )
  })

  test('is for Admins alone, and an unknown user is 404', async () => {
    const worker = await aWorker(api.database)
    for (const path of [`/users/${worker.id}/overview`, '/user-search?q=01712345678']) {
      assert.equal((await api.as(worker).get(path)).status, 403)
      assert.equal((await api.anyone.get(path)).status, 401)
    }
    const admin = api.as(await anAdmin(api.database))
    assert.equal((await admin.get(`/users/${randomUUID()}/overview`)).status, 404)
    assert.equal((await admin.get('/user-search?q=ab')).status, 422)
  })
})
