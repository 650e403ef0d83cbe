import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { PACKAGES } from '#contract/product.ts'
import { hashPassword } from '#server/identity/password.ts'
import { addDemoPurchase } from '#server/payments/sandbox/demo-purchase.ts'
import { type Client, type TestResponse, useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aUser, aWorker, type TestUser } from '#tests/support/factories.ts'
import { PASSWORD } from '#tests/support/identity.ts'

/** The endpoints that need a recent proof of identity (docs/specification/identity.md#step-up). */
const FRESH = [
  'auditLogFile',
  'cardTransactionsFile',
  'changeOperatorSetting',
  'decideRefund',
  'decideUnmatchedPayment',
  'deleteUser',
  'endUserSession',
  'endUserSessions',
  'monthlyStatementFile',
  'myData',
  'paymentsFile',
  'payoutBatchesFile',
  'requestRefund',
  'resolveCardCase',
  'saveEvidence',
  'securityLogFile',
  'setReviewer',
  'statementFile',
  'updateRole',
  'userTableFile',
  'withdrawStatus',
  'withdrawalRequestsFile',
]

/** Those whose use with a proof the tests of their domains cover. */
const FRESH_OF_DOMAINS = [
  'addDestination',
  'addDisputeFile',
  'changeDestination',
  'changeSitePage',
  'clearRisk',
  'confirmPayout',
  'confirmPayoutBatch',
  'createApiKey',
  'createWebhookEndpoint',
  'changeWebhookEndpoint',
  'rotateWebhookSecret',
  'deleteWebhookEndpoint',
  'decideSettingProposal',
  'deletePayoutFileProfile',
  'endFreeze',
  'liftBlock',
  'enterExchangeRate',
  'exportPayoutBatch',
  'failPayout',
  'freezeUser',
  'freezeWithdrawal',
  'importPayoutStatement',
  'markPayoutUnknown',
  'payoutFileContent',
  'releasePayoutBatch',
  'removeDestination',
  'removeDisputeFile',
  'resolvePayoutCase',
  'retryPayout',
  'revokeApiKey',
  'savePayoutFileProfile',
]

/** Those that change the second factor (second-factor.test.ts). */
const FRESH_FACTORS = [
  'beginAuthenticator',
  'confirmAuthenticator',
  'addPasskey',
  'beginPasskey',
  'removeFactor',
  'replaceRecoveryCodes',
]

/**
 * Writes of Admins that a stolen token alone may do, because they give away neither coins, powers nor data.
 * A prepared or checked batch pays nobody until it is released, which needs a proof. `sandboxReverse` exists only with the card sandbox.
 */
const WITHOUT_PROOF = [
  'answerContact',
  'assessRisk',
  'cancelPayoutBatch',
  'checkPayoutBatch',
  'claimPayout',
  'createPayoutBatch',
  'previewSitePage',
  'releasePayoutClaim',
  'removePayout',
  'retryJob',
  'sandboxReverse',
  'setPayoutProvider',
]

/** Those that ask for the current password, which is not enough for a user with a second factor (second-factor.test.ts). */
const FRESH_WITH_FACTOR = ['changeEmail', 'changePassword']

const isWrite = (method: string) => method !== 'GET'

test('the endpoints that need a recent proof are these', () => {
  const namesOf = (fresh: true | 'with-second-factor' | 'for-admins') =>
    ENDPOINTS.filter(({ endpoint }) => endpoint.access.fresh === fresh).map(({ name }) => name)
  assert.deepEqual(namesOf(true).sort(), [...FRESH, ...FRESH_OF_DOMAINS, ...FRESH_FACTORS].sort())
  assert.deepEqual(namesOf('with-second-factor').sort(), FRESH_WITH_FACTOR)
  assert.deepEqual(namesOf('for-admins'), ['receiptFile'])
})

test('every write that is for Admins alone needs a recent proof, or is named as one that does not', () => {
  const undecided = ENDPOINTS.filter(({ name, endpoint: { method, access } }) => {
    const isForAdmins = typeof access.who !== 'string' && access.who.every((role) => role === 'Admin')
    return isForAdmins && isWrite(method) && !access.fresh && !WITHOUT_PROOF.includes(name)
  })
  assert.deepEqual(
    undecided.map(({ name }) => name),
    [],
  )
})

const EVIDENCE = {
  customerName: '',
  customerEmail: '',
  customerIp: '',
  serviceDate: '',
  productDescription: '',
  accessLog: '',
  explanation: 'The work was delivered.',
}

describe('step-up', () => {
  const api = useApi()

  /** An Admin with a password, and a worker with a pending withdrawal. */
  async function aScene() {
    const { database } = api
    const admin = await anAdmin(database)
    const worker = await aWorker(database, { coins: 300 })
    await database.pool.query('update identities set password_hash = $2 where id = $1', [
      admin.id,
      await hashPassword(PASSWORD),
    ])
    const withdrawal = { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber: '01712345678' }
    const { body } = await api.as(worker).post(`/withdraw/${worker.email}`, withdrawal)
    const client = api.withHeader(await api.instance.signIn(admin))
    return { admin, client, worker, payment: await aPayment(), withdrawalId: body.insertedId as string }
  }
  type Scene = Awaited<ReturnType<typeof aScene>>

  async function aPayment(): Promise<{ id: string; transactionId: string }> {
    const buyer = await aBuyer(api.database)
    const [offer] = PACKAGES
    await api.database.transaction((tx) => addDemoPurchase(tx, buyer.id, offer))
    const { rows } = await api.database.pool.query<{ id: string; transactionId: string }>(
      'select id, transaction_id as "transactionId" from payments where user_id = $1',
      [buyer.id],
    )
    const [payment] = rows
    assert.ok(payment)
    return payment
  }

  /** A request that does what each endpoint is for. Deleting the user comes last. */
  const REQUESTS: Record<string, (scene: Scene) => Promise<TestResponse>> = {
    monthlyStatementFile: ({ client, worker }) =>
      client.get(`/monthly-statements/${worker.email}/2026-11/csv`),
    cardTransactionsFile: ({ client }) => client.get('/card-transactions/csv'),
    resolveCardCase: async ({ client }) => {
      const { rows } = await api.database.pool.query<{ id: string }>(
        `insert into card_cases (kind, intent_id, provider_cents, our_cents)
         values ('missing_charge', $1, 0, 1000) returning id`,
        [`pi_${randomUUID()}`],
      )
      return client.patch(`/card-cases/${rows[0]?.id}`, { note: 'Checked at the provider' })
    },
    decideUnmatchedPayment: async ({ client, worker }) => {
      const { rows } = await api.database.pool.query<{ id: string }>(
        `insert into unmatched_payments (intent_id, cause, mode, user_id, cents, currency, paid_at)
         values ($1, 'no_purchase', 'sandbox', $2, 1000, 'usd', now()) returning id`,
        [`pi_${randomUUID()}`, worker.id],
      )
      const body = { decision: 'credit', reason: 'Paid before the restore' }
      return client.patch(`/unmatched-payments/${rows[0]?.id}`, body)
    },
    changeOperatorSetting: ({ client }) =>
      client.put('/operator-settings/withdrawal_rate', {
        value: { centsPerCoin: 5 },
        version: 1,
        reason: 'A test',
      }),
    requestRefund: ({ client, payment }) =>
      client.post(`/payments/${payment.transactionId}/refunds`, { amount: 0.5, reason: 'Bought twice' }),
    saveEvidence: async ({ client, payment }) => {
      await api.database.pool.query(
        `insert into payment_disputes (id, payment_id, cents, withheld_cents, status, status_known, reason, opened_at)
         values ($1, $2, 0, 0, 'warning_needs_response', true, 'fraudulent', now()) on conflict do nothing`,
        [`dp_${payment.id}`, payment.id],
      )
      return client.put(`/card-disputes/dp_${payment.id}/evidence`, { evidence: EVIDENCE, submit: false })
    },
    decideRefund: async ({ client, admin, payment }) => {
      const { rows } = await api.database.pool.query<{ id: string }>(
        `insert into payment_refunds (id, payment_id, cents, reason, state, needs_second, requested_by)
         values (gen_random_uuid(), $1, 10, 'Bought twice', 'waiting', true, $2) returning id`,
        [payment.id, admin.id],
      )
      return client.patch(`/refunds/${rows[0]?.id}`, { decision: 'cancel' })
    },
    securityLogFile: ({ client }) => client.get('/security-log/export'),
    paymentsFile: ({ client }) => client.get('/payments/export'),
    payoutBatchesFile: ({ client }) => client.get('/payout-batches/export'),
    withdrawalRequestsFile: ({ client }) => client.get('/withdraw-requests/export'),
    auditLogFile: ({ client }) => client.get('/audit-log/export'),
    userTableFile: ({ client }) => client.get('/users/export'),
    myData: ({ client, worker }) => client.get(`/my-data/${worker.email}`),
    statementFile: ({ client, worker }) => client.get(`/statement/${worker.email}/csv`),
    withdrawStatus: ({ client, withdrawalId }) =>
      client.patch(`/withdraw-status/${withdrawalId}`, { status: 'approved' }),
    endUserSession: async ({ client, worker }) => {
      const { body } = await client.get(`/users/${worker.id}/sessions`)
      return client.delete(`/users/${worker.id}/sessions/${body.sessions[0]._id}`)
    },
    endUserSessions: ({ client, worker }) => client.delete(`/users/${worker.id}/sessions`),
    setReviewer: ({ client, worker }) => client.put(`/users/${worker.id}/reviewer`, { value: true }),
    updateRole: ({ client, worker }) => client.put(`/update-role/${worker.id}`, { value: 'Buyer' }),
    deleteUser: ({ client, worker }) => client.delete(`/delete-user/${worker.id}`),
  }

  const expireProof = ({ id }: TestUser) =>
    api.database.pool.query(
      `update sessions set proved_at = now() - interval '601 seconds' where identity_id = $1`,
      [id],
    )

  /** Everything that the requests could change. */
  async function state({ worker }: Scene): Promise<unknown> {
    const { rows } = await api.database.pool.query(
      `select (select row (role, deleted_at)::text from users where id = $1) as worker,
              (select array_agg(status::text) from withdrawals where worker_id = $1) as withdrawals,
              (select count(*) from sessions where identity_id = $1 and ended_at is null) as sessions,
              (select count(*) from admin_audit_log) as actions,
              (select count(*) from ledger_transfers) as transfers,
              (select count(*) from notifications) as notifications`,
      [worker.id],
    )
    return rows[0]
  }
  const code = ({ status, body }: TestResponse) => `${status} ${body?.error?.code ?? ''}`.trim()
  const stepUp = (client: Client, currentPassword: string) =>
    client.post('/auth/step-up', { currentPassword })

  test('a stolen token of an Admin alone can do nothing of the list after ten minutes', async () => {
    const scene = await aScene()
    await expireProof(scene.admin)
    const before = await state(scene)
    assert.deepEqual(Object.keys(REQUESTS).sort(), FRESH)
    for (const [name, send] of Object.entries(REQUESTS)) {
      assert.equal(code(await send(scene)), '403 proof_required', name)
    }
    assert.deepEqual(await state(scene), before)
    assert.equal((await scene.client.get('/withdraw')).status, 200) // everything else still works
  })

  test('every endpoint of the lists is refused without a recent proof', async () => {
    for (const { name, endpoint } of ENDPOINTS.filter((one) => one.endpoint.access.fresh === true)) {
      const { who } = endpoint.access
      const user = await aUser(api.database, typeof who === 'string' ? 'Admin' : (who[0] ?? 'Admin'))
      const client = api.as(user)
      await client.get('/site') // signs in
      await expireProof(user)
      const path = endpoint.path
        .replace(':email', encodeURIComponent(user.email))
        .replace(':month', '2026-11')
        .replace(':format', 'csv')
        .replace(':field', 'other')
        .replace(':number', '0')
        .replaceAll(/:\w+/g, () => randomUUID())
      assert.equal(code(await client.call(endpoint.method, path)), '403 proof_required', name)
    }
  })

  test('after the password is confirmed, and after a new sign-in, everything of the list works', async () => {
    const scene = await aScene()
    await expireProof(scene.admin)
    assert.equal((await stepUp(scene.client, PASSWORD)).status, 204)
    for (const [name, send] of Object.entries(REQUESTS)) {
      const { status, text } = await send(scene)
      assert.ok(status < 300, `${name}: ${text}`)
    }
    const next = await aScene()
    assert.equal(code(await next.client.put(`/update-role/${next.worker.id}`, { value: 'Buyer' })), '200')
  })

  test('a wrong password proves nothing, and ten of them lock the confirmation, not the sign-in', async () => {
    const { admin, client, worker } = await aScene()
    await expireProof(admin)
    for (let attempt = 0; attempt < 10; attempt++) {
      assert.equal(code(await stepUp(client, 'Wrong!pass')), '422 invalid_fields')
    }
    assert.equal(code(await stepUp(client, PASSWORD)), '429 too_many_requests')
    assert.equal(code(await client.get(`/my-data/${worker.email}`)), '403 proof_required')
    const { email } = admin
    assert.equal(code(await api.anyone.post('/auth/sign-in', { email, password: PASSWORD })), '200')
  })

  test('one session’s proof is not another’s', async () => {
    const { admin, client, worker } = await aScene()
    const stolen = api.withHeader(await api.instance.signIn(admin))
    await expireProof(admin)
    assert.equal((await stepUp(client, PASSWORD)).status, 204)
    assert.equal(code(await stolen.get(`/my-data/${worker.email}`)), '403 proof_required')
  })

  test('a refusal is not stored under the idempotency key, so that the same request can be repeated', async () => {
    const { admin, client, withdrawalId } = await aScene()
    await expireProof(admin)
    const decide = () =>
      client.patch(`/withdraw-status/${withdrawalId}`, { status: 'approved' }, { 'idempotency-key': 'once' })
    assert.equal(code(await decide()), '403 proof_required')
    await stepUp(client, PASSWORD)
    assert.equal((await decide()).body.modifiedCount, 1)
  })

  test('users prove themselves before they download their own data, and the refusal says how', async () => {
    const worker = await aWorker(api.database)
    const client = api.as(worker)
    assert.equal(code(await client.get(`/my-data/${worker.email}`)), '200')
    await expireProof(worker)
    const refused = await client.get(`/my-data/${worker.email}`)
    assert.equal(code(refused), '403 proof_required')
    assert.match(refused.body.error.message, /password or sign in again/)
    assert.equal(code(await stepUp(client, PASSWORD)), '409 state_conflict') // signed in by an issuer, without a password
  })
})
