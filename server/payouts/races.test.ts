import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PayoutBatchDetails } from '#contract/payouts.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { anAdmin, aWorker, balanceOf, type TestUser, testConfig } from '#tests/support/factories.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { anAccountNumber, aRequest, STATEMENT_MAPPING, type TestRequest } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'

type Scene = {
  batch: string
  /** The payout that both Admins work on, its reference and its request; the batch has another one. */
  payout: string
  reference: string
  request: TestRequest
}
/**
 * Two Admins act on one batch and one of its payouts at the same moment, in every pair of actions and from every state. The
 * outcome is that of one action after the other, in one of the two orders: the replies, the states, and the coins. The
 * audit of the books after each test covers all of its pairs.
 */
describe('two Admins at one payout batch', () => {
  const api = useApi()
  let admins: [TestUser, TestUser]
  let profileId: string
  before(async () => {
    admins = [await anAdmin(api.database), await anAdmin(api.database)]
    profileId = (await api.as(admins[0]).get('/payout-file-profiles')).body[0]._id
  })
  const post = (path: (scene: Scene) => string, body: object | ((scene: Scene) => object) = {}) => {
    return (scene: Scene, admin: TestUser) =>
      api.as(admin).post(path(scene), typeof body === 'function' ? body(scene) : body)
  }
  const decide = (body: object) => (scene: Scene, admin: TestUser) =>
    api.as(admin).patch(`/withdraw-status/${scene.request.id}`, body)

  const ACTIONS = {
    check: post(({ batch }) => `/payout-batches/${batch}/check`),
    release: post(({ batch }) => `/payout-batches/${batch}/release`),
    cancel: post(({ batch }) => `/payout-batches/${batch}/cancel`),
    remove: ({ payout }: Scene, admin: TestUser) => api.as(admin).delete(`/payouts/${payout}`),
    export: post(
      ({ batch }) => `/payout-batches/${batch}/files`,
      () => ({ profileId }),
    ),
    'confirm all': post(({ batch }) => `/payout-batches/${batch}/confirm`),
    paid: post(({ payout }) => `/payouts/${payout}/confirm`),
    failed: post(({ payout }) => `/payouts/${payout}/fail`, { reason: 'Closed', returnCoins: false }),
    'return coins': post(({ payout }) => `/payouts/${payout}/fail`, { reason: 'Closed', returnCoins: true }),
    unknown: post(({ payout }) => `/payouts/${payout}/unknown`, { reason: 'Timed out' }),
    statement: post(
      () => '/payout-statements',
      ({ reference }) => ({
        account: 'Bank',
        fileName: 'statement.csv',
        content: Buffer.from(`TrxID,Reference,Amount\r\nTX${reference},${reference},10.00`).toString(
          'base64',
        ),
        mapping: STATEMENT_MAPPING,
      }),
    ),
    stop: post(({ request }) => `/withdrawals/${request.id}/freezes`, { reason: 'A ring' }),
    correct: post(({ payout }) => `/payouts/${payout}/retry`, { accountNumber: '01912345678' }),
    claim: post(({ request }) => `/payout-claims/${request.id}`),
    batch: post(
      () => '/payout-batches',
      ({ request }) => ({ withdrawalIds: [request.id] }),
    ),
    pay: decide({ status: 'approved' }),
    decline: decide({ status: 'declined', reason: 'No' }),
  }
  type Action = keyof typeof ACTIONS

  /** The steps that lead to a state, and the actions that change something there. */
  const STATES: Record<string, { steps: Action[]; actions: Action[] }> = {
    draft: {
      steps: [],
      actions: ['check', 'release', 'cancel', 'remove', 'stop', 'pay', 'decline'],
    },
    released: {
      steps: ['release'],
      actions: ['export', 'confirm all', 'paid', 'return coins', 'stop'],
    },
    exported: {
      steps: ['release', 'export'],
      actions: ['export', 'confirm all', 'paid', 'failed', 'unknown', 'statement', 'stop', 'decline'],
    },
    failed: {
      steps: ['release', 'failed'],
      actions: ['correct', 'claim', 'batch', 'pay', 'decline', 'stop'],
    },
  }

  async function begin(steps: readonly Action[]): Promise<Scene> {
    const [request, other] = [
      await aRequest(api.database, { accountNumber: anAccountNumber() }),
      await aRequest(api.database, { accountNumber: anAccountNumber() }),
    ]
    const body = { withdrawalIds: [request.id, other.id] }
    const batch = (await api.as(admins[0]).post('/payout-batches', body)).body.insertedId as string
    const details: PayoutBatchDetails = (await api.as(admins[0]).get(`/payout-batches/${batch}`)).body
    const payout = details.payouts.find(({ withdrawalId }) => withdrawalId === request.id)
    assert.ok(payout)
    const scene = { batch, payout: payout._id, reference: payout.reference, request }
    for (const step of steps) {
      const { status, text } = await ACTIONS[step](scene, admins[0])
      assert.ok(status < 300, text)
    }
    return scene
  }

  /** The part of a reply that does not differ between scenes: its error code, or what changed. */
  function replyOf({ status, body }: Awaited<ReturnType<(typeof ACTIONS)[Action]>>): string {
    if (status >= 400) return `${status} ${body.error.code}`
    const counts = Object.entries(body.counts ?? {}).filter(([, times]) => times !== 0)
    return `${status} ${body.modifiedCount ?? counts.join()}`
  }
  async function outcomeOf({ batch, payout, request }: Scene, replies: string[]) {
    const { rows } = await api.owner.query(
      `select (select jsonb_agg(array[state::text, attempt::text, (select single from payout_batches where id = batch_id)::text] order by attempt)
                 from payouts where withdrawal_id = $1) as payouts,
              (select array_agg(state::text) from payouts where batch_id = $2 and id <> $3) as other,
              (select state from payout_batches where id = $2) as batch,
              (select status from withdrawals where id = $1) as status,
              (select count(*)::int from ledger_transfers where kind = 'withdrawal_paid' and ref = $1) as paid`,
      [request.id, batch, payout],
    )
    const balance = await balanceOf(api.database, request.worker)
    return { replies, balance, ...rows[0] }
  }

  for (const [state, { steps, actions }] of Object.entries(STATES)) {
    for (const [index, first] of actions.entries()) {
      test(`${state}: ${first}, and every other action at once`, async () => {
        for (const second of actions.slice(index)) {
          const act = (scene: Scene, name: Action, by: 0 | 1) => ACTIONS[name](scene, admins[by])
          const serial = async (isReversed: boolean) => {
            const scene = await begin(steps)
            const replies: string[] = []
            for (const by of isReversed ? ([1, 0] as const) : ([0, 1] as const))
              replies[by] = replyOf(await act(scene, by === 0 ? first : second, by))
            return outcomeOf(scene, replies)
          }
          const scene = await begin(steps)
          const replies = await Promise.all([act(scene, first, 0), act(scene, second, 1)])
          const outcome = await outcomeOf(scene, replies.map(replyOf))
          const name = `${first} and ${second}`
          assert.ok(outcome.paid <= 1 && (outcome.paid === 0 || outcome.balance === 10), name)
          const oneAfterTheOther = await serial(false)
          if (JSON.stringify(outcome) !== JSON.stringify(oneAfterTheOther))
            assert.deepEqual(outcome, await serial(true), `${name}, or ${JSON.stringify(oneAfterTheOther)}`)
        }
      })
    }
  }

  for (const [action, act] of [
    ['confirm', 'withdrawal_approved'],
    ['import', 'withdrawal_approved'],
    ['export', 'payout_failed'],
  ] as const) {
    test(`several payouts of one ${action} lock the audit log after the last`, async () => {
      const { batch } = await begin(['release'])
      const details: PayoutBatchDetails = (await api.as(admins[0]).get(`/payout-batches/${batch}`)).body
      const payouts = details.payouts.toSorted((a, b) => (a.withdrawalId < b.withdrawalId ? -1 : 1))
      const withdrawals = payouts.map(({ withdrawalId }) => withdrawalId)
      const admin = await anAdmin(api.database)
      const settle = async () => {
        if (action === 'confirm') return api.as(admin).post(`/payout-batches/${batch}/confirm`, {})
        if (action === 'export') return api.as(admin).post(`/payout-batches/${batch}/files`, { profileId })
        const lines = payouts.map(({ reference }) => `TX${reference},${reference},10.00`)
        return api.as(admin).post('/payout-statements', {
          account: 'Bank',
          fileName: 'statement.csv',
          content: Buffer.from(['TrxID,Reference,Amount', ...lines].join('\r\n')).toString('base64'),
          mapping: STATEMENT_MAPPING,
        })
      }
      if (action === 'export')
        for (const id of withdrawals)
          await api.as(admins[1]).post(`/withdrawals/${id}/freezes`, { reason: 'A ring' })

      await inOpenTransaction(api.owner, async (other) => {
        await other.query('select from payouts where id = $1 for update', [payouts.at(-1)?._id])
        const settled = settle()
        await eventually(async () => (await lockWaits(api.owner)) === 1)
        const { rows } = await other.query('select pg_try_advisory_xact_lock(7461070) as locked')
        await other.query('rollback')
        await settled
        assert.deepEqual(rows, [{ locked: true }])
      })
      const { rows: logged } = await api.owner.query<{ subject: string }>(
        `select content::jsonb ->> 'subject' as subject from admin_audit_log
          where content::jsonb ->> 'admin' = $1 and content::jsonb ->> 'act' = $2 order by id`,
        [admin.id, act],
      )
      assert.deepEqual(
        logged.map(({ subject }) => subject),
        withdrawals,
      )
    })
  }
})

/** Neither payment sees the other before it is committed; both wait for the audit log's lock at their end. */
describe('two parts of an amount that needs two Admins', () => {
  const api = useApi()
  for (const way of ['single', 'batch'] as const) {
    test(`one Admin does not pay both at the same moment: ${way}`, async () => {
      await changeSettings(api.database, 'payout_rules', { twoPersonAboveCents: 1500 })
      const admin = await anAdmin(api.database)
      const worker = await aWorker(api.database, { coins: 500 })
      const form = { coins: 200, system: 'Bkash', accountNumber: anAccountNumber() } as const
      const payments: (() => Promise<{ status: number; body: { error?: { code: string } } }>)[] = []
      for (const _ of ['first', 'second']) {
        const id = await requestWithdrawal(api.database, testConfig, worker, form, {})
        if (way === 'single') {
          payments.push(() => api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' }))
          continue
        }
        const { body } = await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })
        payments.push(() => api.as(admin).post(`/payout-batches/${body.insertedId}/release`))
      }
      const log = await api.owner.connect()
      try {
        await log.query('select pg_advisory_lock(7461070)')
        const paid = Promise.all(payments.map((pay) => pay()))
        await eventually(async () => (await lockWaits(api.owner)) >= 2)
        await log.query('select pg_advisory_unlock(7461070)')
        const results = await paid
        assert.deepEqual(
          results.map(({ status }) => status).toSorted((a, b) => a - b),
          [200, 409],
        )
        assert.equal(results.find(({ status }) => status === 409)?.body.error?.code, 'second_person_required')
      } finally {
        log.release(true)
      }
    })
  }
})

describe('the release of a batch while scores matter', () => {
  const api = useApi()
  const scoresOlderThanAnHour = (id: string, score: number) =>
    api.owner.query(
      `update risk_assessments set score = $2, assessed_at = now() - interval '2 hours' where withdrawal_id = $1`,
      [id, score],
    )
  async function aBatch(admin: TestUser) {
    await changeSettings(api.database, 'payout_rules', { twoPersonAboveCents: 100_000, riskScore: 1 })
    const { id } = await aRequest(api.database, { accountNumber: anAccountNumber() })
    const { body } = await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })
    await scoresOlderThanAnHour(id, 0)
    return {
      id,
      release: (headers = {}) =>
        api.as(admin).post(`/payout-batches/${body.insertedId}/release`, {}, headers),
    }
  }

  for (const [way, headers] of Object.entries({ without: {}, with: { 'idempotency-key': 'release' } }))
    test(`lets another Admin pay a request while it assesses its own: ${way} an idempotency key`, async () => {
      const [admin, other] = [await anAdmin(api.database), await anAdmin(api.database)]
      const { id, release } = await aBatch(admin)
      const single = await aRequest(api.database, { accountNumber: anAccountNumber() })
      await changeSettings(api.database, 'payout_rules', { riskScore: 100 })
      const holder = await api.owner.connect()
      try {
        await holder.query('begin')
        await holder.query('select from risk_assessments where withdrawal_id = $1 for update', [id])
        const released = release(headers)
        await eventually(async () => (await lockWaits(api.owner)) >= 1)
        const paid = await api.as(other).patch(`/withdraw-status/${single.id}`, { status: 'approved' })
        assert.equal(paid.status, 200, paid.text)
        await holder.query('commit')
        assert.equal((await released).body.modifiedCount, 1)
      } finally {
        holder.release(true)
      }
    })

  test('assesses a request again whose assessment becomes too old while the release waits', async () => {
    const { id, release } = await aBatch(await anAdmin(api.database))
    const holder = await api.owner.connect()
    try {
      await holder.query('select pg_advisory_lock(7461074)')
      const released = release()
      await eventually(async () => (await lockWaits(api.owner)) >= 1)
      await scoresOlderThanAnHour(id, 0)
      await holder.query('select pg_advisory_unlock(7461074)')
      assert.equal((await released).body.error?.code, 'second_person_required')
    } finally {
      holder.release(true)
    }
  })
})
