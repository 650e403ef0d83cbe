import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { deliver } from '#server/mail/deliver.ts'
import type { OutgoingEmail } from '#server/mail/mailer.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker, balanceOf, type TestUser, testConfig } from '#tests/support/factories.ts'
import { aRequest, payoutsOf } from '#tests/support/payouts.ts'
import { aPayment } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'

describe('a new Admin', () => {
  const api = useApi()
  const promote = (admin: TestUser, { id }: TestUser, value = 'Admin') =>
    api.as(admin).put(`/update-role/${id}`, { value })
  /** An Admin, and one whom they have just made an Admin. */
  async function accomplices() {
    const [admin, accomplice] = [await anAdmin(api.database), await aWorker(api.database, { name: 'Rafi' })]
    assert.equal((await promote(admin, accomplice)).body.modifiedCount, 1)
    return { admin, accomplice }
  }
  const letADayPass = ({ id }: TestUser) =>
    api.owner.query(`update users set admin_since = admin_since - interval '24 hours' where id = $1`, [id])
  const isTooNew = ({
    status,
    body,
  }: {
    status: number
    body: { error: { code: string; message: string } }
  }) => {
    assert.equal(status, 409)
    assert.equal(body.error.code, 'second_person_required')
    assert.match(
      body.error.message,
      /^Rafi became an Admin less than 24 hours ago.* Rafi can be one of them in 24 hours\.$/,
    )
  }

  test('is announced to every other Admin, by an email that cannot be switched off, also to an unverified address', async () => {
    const other = await anAdmin(api.database)
    await api.as(other).put('/mail-preferences', { workReceived: false, workDecided: false, payouts: false })
    const { admin, accomplice } = await accomplices()
    const { rows } = await api.owner.query(
      `select id, user_id from notifications where kind = 'admin_added' and ref = $1`,
      [accomplice.id],
    )
    const notified = rows.map(({ user_id }) => user_id)
    assert.ok(notified.includes(other.id) && notified.includes(admin.id) && !notified.includes(accomplice.id))
    const [{ message }] = (await api.as(other).get(`/notifications/${other.email}`)).body
    assert.equal(
      message,
      `${admin.name} made Rafi an Admin. Where two Admins are needed, Rafi can be one of them after 24 hours.`,
    )

    const sent: OutgoingEmail[] = []
    const mailer = { send: async (mail: OutgoingEmail) => void sent.push(mail), close: () => {} }
    const notice = Number(rows.find(({ user_id }) => user_id === other.id).id)
    const job = { notice, kind: 'admin_added' }
    assert.equal(await deliver({ database: api.database, config: testConfig }, mailer, 'job', job), 'sent')
    assert.deepEqual([sent[0]?.to, sent[0]?.subject], [other.email, 'There is a new Admin'])
    assert.match(sent[0]?.text ?? '', /You cannot unsubscribe from it/)
  })

  test('neither checks nor releases a batch where two Admins are needed, for 24 hours', async () => {
    await changeSettings(api.database, 'payout_rules', { firstPayout: true })
    const { admin, accomplice } = await accomplices()
    const { id } = await aRequest(api.database)
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    const step = (by: TestUser, name: string) => api.as(by).post(`/payout-batches/${batch}/${name}`)
    isTooNew(await step(accomplice, 'check'))
    await step(admin, 'check')
    isTooNew(await step(accomplice, 'release'))
    await letADayPass(accomplice)
    assert.equal((await step(accomplice, 'release')).body.modifiedCount, 1)
  })

  test('neither claims nor pays a single request where two are needed', async () => {
    await changeSettings(api.database, 'payout_rules', { firstPayout: true })
    const { admin, accomplice } = await accomplices()
    const { id } = await aRequest(api.database)
    const pay = (by: TestUser) => api.as(by).patch(`/withdraw-status/${id}`, { status: 'approved' })
    isTooNew(await api.as(accomplice).post(`/payout-claims/${id}`, {}))
    await api.as(admin).post(`/payout-claims/${id}`, {})
    isTooNew(await pay(accomplice))
    isTooNew(await api.as(accomplice).post(`/payout-claims/${id}`, { reason: 'Mine' }))
    await letADayPass(accomplice)
    assert.equal((await pay(accomplice)).body.modifiedCount, 1)
  })

  test('whose claim is older than the rule does not count as the check', async () => {
    await changeSettings(api.database, 'payout_rules', { firstPayout: false })
    const { admin, accomplice } = await accomplices()
    const { id } = await aRequest(api.database)
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    await api.as(accomplice).post(`/payout-batches/${batch}/check`)
    await changeSettings(api.database, 'payout_rules', { firstPayout: true })
    isTooNew(await api.as(admin).post(`/payout-batches/${batch}/release`))
  })

  test('pays like any other where one Admin is enough', async () => {
    await changeSettings(api.database, 'payout_rules', { firstPayout: false })
    const { accomplice } = await accomplices()
    const { id } = await aRequest(api.database)
    const paid = await api.as(accomplice).patch(`/withdraw-status/${id}`, { status: 'approved' })
    assert.equal(paid.body.modifiedCount, 1)
  })

  test('neither confirms a weaker rule nor has their own confirmed', async () => {
    for (const proposer of ['admin', 'accomplice'] as const) {
      await changeSettings(api.database, 'payout_rules', { firstPayout: true })
      const both = await accomplices()
      const confirmer = both[proposer === 'admin' ? 'accomplice' : 'admin']
      const settings = (await api.as(both.admin).get('/operator-settings')).body
      const { version, value } = settings.find(({ name }: { name: string }) => name === 'payout_rules')
      const { proposal } = (
        await api.as(both[proposer]).put('/operator-settings/payout_rules', {
          version,
          value: { ...value, firstPayout: false },
          reason: 'Slow',
        })
      ).body
      const decide = (by: TestUser, decision: string) =>
        api.as(by).patch(`/setting-proposals/${proposal._id}`, { decision })
      isTooNew(await decide(confirmer, 'confirm'))
      await letADayPass(both.accomplice)
      assert.equal((await decide(confirmer, 'confirm')).status, 200)
    }
  })

  test('neither approves a refund nor has their own approved', async () => {
    await changeSettings(api.database, 'refund_rules', { twoPersonAboveCents: 0 })
    const { admin, accomplice } = await accomplices()
    for (const [asks, approves] of [
      [admin, accomplice],
      [accomplice, admin],
    ] as const) {
      const payment = await aPayment(api.database, await aBuyer(api.database))
      const refund = randomUUID()
      await api.owner.query(
        `select request_refund($1, transaction_id, $2, null, 'Bought twice') from payments where id = $3`,
        [refund, asks.id, payment],
      )
      await assert.rejects(
        api.owner.query('select approve_refund($1, $2)', [refund, approves.id]),
        /second_person_required.new_admin/,
      )
    }
  })

  test('neither approves a decision about an unmatched payment nor has their own approved', async () => {
    await changeSettings(api.database, 'refund_rules', { twoPersonAboveCents: 0 })
    const { admin, accomplice } = await accomplices()
    const buyer = await aBuyer(api.database)
    for (const [asks, approves] of [
      [admin, accomplice],
      [accomplice, admin],
    ] as const) {
      const { rows } = await api.owner.query(
        `insert into unmatched_payments (intent_id, cause, mode, user_id, cents, currency, paid_at)
         values ($1, 'no_purchase', 'sandbox', $2, 1000, 'usd', now()) returning id`,
        [`pi_${randomUUID()}`, buyer.id],
      )
      const decide = (by: TestUser, decision: string) =>
        api.as(by).patch(`/unmatched-payments/${rows[0].id}`, { decision, reason: 'Paid' })
      assert.equal((await decide(asks, 'credit')).status, 200)
      isTooNew(await decide(approves, 'approve'))
    }
    assert.equal(await balanceOf(api.database, buyer), 50, 'No coins were credited')
  })

  test('who is demoted after their request or check does not count either', async () => {
    await changeSettings(api.database, 'refund_rules', { twoPersonAboveCents: 0 })
    await changeSettings(api.database, 'payout_rules', { firstPayout: false })
    const { admin, accomplice } = await accomplices()
    const payment = await aPayment(api.database, await aBuyer(api.database))
    const refund = randomUUID()
    await api.owner.query(
      `select request_refund($1, transaction_id, $2, null, 'Bought twice') from payments where id = $3`,
      [refund, accomplice.id, payment],
    )
    const { id } = await aRequest(api.database)
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    await api.as(accomplice).post(`/payout-batches/${batch}/check`)
    await changeSettings(api.database, 'payout_rules', { firstPayout: true })
    await promote(admin, accomplice, 'Worker')

    await assert.rejects(
      api.owner.query('select approve_refund($1, $2)', [refund, admin.id]),
      /second_person_required.new_admin/,
    )
    isTooNew(await api.as(admin).post(`/payout-batches/${batch}/release`))
  })

  test('retries no payout that needs two Admins', async () => {
    await changeSettings(api.database, 'payout_rules', { firstPayout: false })
    const { admin, accomplice } = await accomplices()
    const { id } = await aRequest(api.database)
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    await api.as(admin).post(`/payout-batches/${batch}/release`)
    const [payout] = await payoutsOf(api.database, id)
    await api.as(admin).post(`/payouts/${payout?.id}/fail`, { reason: 'No such account', returnCoins: false })
    await changeSettings(api.database, 'payout_rules', { firstPayout: true })
    const retry = (by: TestUser) =>
      api.as(by).post(`/payouts/${payout?.id}/retry`, { accountNumber: '01812345678' })
    isTooNew(await retry(accomplice))
    assert.equal((await retry(admin)).status, 200)
  })

  test('ends no freeze of others for 24 hours, but freezes and ends their own', async () => {
    const { admin, accomplice } = await accomplices()
    const other = await anAdmin(api.database)
    const freeze = async (by: TestUser, user: TestUser) =>
      (await api.as(by).post(`/users/${user.id}/freezes`, { reason: 'A ring' })).body.freezeId as string
    const end = (by: TestUser, id: string) => api.as(by).post(`/freezes/${id}/end`, { reason: 'Explained' })
    const frozen = await freeze(other, admin)
    isTooNew(await end(accomplice, frozen))
    const { rows } = await api.owner.query(`select freeze_id from freeze_user($1, 'dispute', 'Disputed')`, [
      admin.id,
    ])
    isTooNew(await end(accomplice, rows[0].freeze_id))
    const own = await freeze(accomplice, await aWorker(api.database))
    assert.equal((await end(accomplice, own)).body.modifiedCount, 1)
    await letADayPass(accomplice)
    assert.equal((await end(accomplice, frozen)).body.modifiedCount, 1)
  })

  test('clears no request that its score stops, for 24 hours', async () => {
    const { accomplice } = await accomplices()
    const { id } = await aRequest(api.database)
    const clear = () => api.as(accomplice).post(`/withdrawals/${id}/risk-review`, { reason: 'Known' })
    isTooNew(await clear())
    await letADayPass(accomplice)
    assert.equal((await clear()).status, 200)
  })

  test('who loses the role and gets it back waits again', async () => {
    const { admin, accomplice } = await accomplices()
    await letADayPass(accomplice)
    await promote(admin, accomplice, 'Worker')
    await promote(admin, accomplice)
    await changeSettings(api.database, 'payout_rules', { firstPayout: true })
    const { id } = await aRequest(api.database)
    isTooNew(await api.as(accomplice).post(`/payout-claims/${id}`, {}))
  })
})
