import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { defendRejection, openAppeal } from '#server/appeals/appeal.ts'
import { decideReviews } from '#server/appeals/decide.ts'
import { STATEMENTS } from '#server/database/database.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { requestRevision, reviseSubmission } from '#server/submissions/revise.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aWorker,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { itemWork } from '#tests/support/items.ts'

const OF_ADMINS = 'What an Admin did is the record of the marketplace (docs/specification/access.md).'
const OF_WORKERS = 'What others did on the tasks of a buyer belongs to them.'
const OF_BUYERS = 'What a buyer noted about a worker belongs to the buyer.'
const COMPUTED = 'Computed from work that the file has.'
const SECRET = 'A secret that is valid for a short time.'

/** Columns with users that the export leaves out, and why. */
const NOT_EXPORTED: Record<string, string> = {
  'api_events.user_id': 'Deleted after 30 days; the rows that changed are in the file.',
  'batch_workers.worker_id': COMPUTED,
  'buyer_records.buyer_id': COMPUTED,
  'buyer_workers.buyer_id': COMPUTED,
  'buyer_workers.worker_id': COMPUTED,
  'worker_records.worker_id': COMPUTED,
  'card_cases.resolved_by': OF_ADMINS,
  'dispute_evidence.saved_by': OF_ADMINS,
  'dispute_evidence.submitted_by': OF_ADMINS,
  'dispute_files.added_by': OF_ADMINS,
  'exchange_rates.entered_by': OF_ADMINS,
  'freezes.ended_by': OF_ADMINS,
  'freezes.frozen_by': OF_ADMINS,
  'operator_setting_changes.changed_by': OF_ADMINS,
  'operator_setting_changes.confirmed_by': OF_ADMINS,
  'operator_settings.changed_by': OF_ADMINS,
  'payment_events.actor_id': OF_ADMINS,
  'payment_refunds.decided_by': OF_ADMINS,
  'payment_refunds.requested_by': OF_ADMINS,
  'payout_batches.checked_by': OF_ADMINS,
  'payout_batches.created_by': OF_ADMINS,
  'payout_batches.released_by': OF_ADMINS,
  'payout_cases.resolved_by': OF_ADMINS,
  'payout_file_profiles.changed_by': OF_ADMINS,
  'payout_files.exported_by': OF_ADMINS,
  'payout_statements.imported_by': OF_ADMINS,
  'payouts.claimed_by': OF_ADMINS,
  'payouts.settled_by': OF_ADMINS,
  'risk_reviews.reviewed_by': OF_ADMINS,
  'setting_proposals.decided_by': OF_ADMINS,
  'setting_proposals.proposed_by': OF_ADMINS,
  'site_page_versions.changed_by': OF_ADMINS,
  'unmatched_payments.decided_by': OF_ADMINS,
  'unmatched_payments.requested_by': OF_ADMINS,
  'withdrawals.decided_by': OF_ADMINS,
  'worker_blocks.ended_by': OF_ADMINS,
  'favourite_workers.worker_id': OF_BUYERS,
  'revoked_qualifications.worker_id': OF_BUYERS,
  'reservations.buyer_id': OF_WORKERS,
  'identity_tokens.identity_id': SECRET,
  'pending_sign_ins.identity_id': SECRET,
  'webauthn_challenges.identity_id': SECRET,
  'notification_groups.user_id': 'Which notification counts up; the file has the notifications.',
  'purchase_keys.user_id': 'Keys of repeated requests; the file has the purchases.',
  'totp_secrets.identity_id': 'In second_factors, without the secret.',
  'webauthn_credentials.identity_id': 'In second_factors, without the key.',
  'uploads.owner': 'Parts of a file until it is a picture or deleted.',
}

describe('the lists of the export', () => {
  const api = useApi()
  const dataOf = async (user: TestUser) => (await api.as(user).get(`/my-data/${user.email}`)).body
  const rows = async (sql: string, values: unknown[] = []) => (await api.owner.query(sql, values)).rows

  test('have every table that refers to a user, or there is a reason', async () => {
    const columns: { name: string; column: string }[] = await rows(
      `select conrelid::regclass::text as name, attname as column
         from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
        where contype = 'f' and conparentid = 0 and confrelid in ('users'::regclass, 'identities'::regclass)`,
    )
    const exports = [...STATEMENTS.values()].filter(({ name }) => name.startsWith('export_'))
    const isExported = ({ name, column }: { name: string; column: string }) =>
      exports.some(({ sql }) => [name, column].every((word) => new RegExp(`\\b${word}\\b`).test(sql)))
    const named = (column: { name: string; column: string }) => `${column.name}.${column.column}`
    const missing = columns.filter((column) => !(named(column) in NOT_EXPORTED) && !isExported(column))
    assert.deepEqual(missing.map(named), [])
    const unknown = Object.keys(NOT_EXPORTED).filter((name) => !columns.map(named).includes(name))
    assert.deepEqual(unknown, [])
  })

  test('have API keys with their uses and webhooks, page by page and without secrets', async () => {
    const buyer = await aBuyer(api.database)
    const keys = [randomUUID(), randomUUID()]
    for (const [index, key] of keys.entries()) {
      await rows(
        `insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, networks, expires_at)
         values ($1, $2, 'Payroll', 'tw_abcdef', sha256($3), '{tasks}', '{192.0.2.0/24}', now() + interval '1 day')`,
        [key, buyer.id, Buffer.from(key)],
      )
      await rows(
        `insert into api_key_uses (key_id, minute, operation, status, requests, network)
         select $1, date_trunc('minute', now()) - minute * interval '1 minute', operation, 200, 2, '192.0.2.7'
           from generate_series(1, $2::int) as minute, unnest('{GET /a,GET /b}'::text[]) as operation`,
        [key, index === 0 ? 600 : 501],
      )
    }
    const endpoint = randomUUID()
    await rows(
      `insert into webhook_endpoints (id, user_id, name, url, events, secret)
       values ($1, $2, 'Ours', 'https://receiver.example/events', '{submission.received}', 'secret-of-the-webhook')`,
      [endpoint, buyer.id],
    )
    await rows(
      `with delivery as (
         insert into webhook_deliveries (endpoint_id, event_id, type, object_id, payload, event_at, state)
         values ($1, gen_random_uuid(), 'submission.received', gen_random_uuid(), '{}', now(), 'delivered') returning id)
       insert into webhook_attempts (delivery_id, status, body, duration_ms) select id, 204, 'fine', 5 from delivery`,
      [endpoint],
    )
    const { text, body } = await api.as(buyer).get(`/my-data/${buyer.email}`)
    assert.deepEqual(
      body.api_keys.map(({ name, networks }: { name: string; networks: string[] }) => [name, networks]),
      keys.map(() => ['Payroll', ['192.0.2.0/24']]),
    )
    const uses: { key_id: string; minute: string; requests: { operation: string; network: string }[] }[] =
      body.api_key_uses
    assert.equal(new Set(uses.map(({ key_id, minute }) => `${key_id} ${minute}`)).size, 600 + 501)
    assert.equal(uses.length, 600 + 501)
    assert.deepEqual(
      uses[0]?.requests.map(({ operation, network }) => [operation, network]),
      [
        ['GET /a', '192.0.2.7'],
        ['GET /b', '192.0.2.7'],
      ],
    )
    assert.equal(body.webhook_endpoints[0].url, 'https://receiver.example/events')
    const [{ type, responses }] = body.webhook_deliveries
    assert.deepEqual([type, responses[0].body], ['submission.received', 'fine'])
    for (const secret of ['secret_hash', Buffer.from('secret-of-the-webhook').toString('hex')])
      assert.ok(!text.includes(secret), secret)
  })

  test('have what buyers and reviewers decided, and the rows of batches', async () => {
    const { buyer, worker, submissionId, taskId } = await aPendingSubmission(api.database)
    const reviewer = await anAdmin(api.database)
    await requestRevision(api.database, submissionId, buyer.id, 'Line three is missing')
    await reviseSubmission(api.database, testConfig, submissionId, worker.id, 'With line three')
    await rejectSubmission(api.database, testConfig, submissionId, buyer.id, { reason: 'Still missing' })
    await openAppeal(api.database, submissionId, worker.id, { text: 'It is complete.' })
    await defendRejection(api.database, submissionId, buyer.id, 'The date is missing.')
    await rows('update reviews set reviewer_id = $2 where submission_id = $1', [submissionId, reviewer.id])
    const decision = { submissions: [submissionId], decision: 'upheld' as const, reason: 'I compared both.' }
    await decideReviews(api.database, testConfig, reviewer.id, decision)

    const { rejections, revision_requests, defences } = await dataOf(buyer)
    assert.deepEqual(
      [rejections.length, rejections[0].task_id, rejections[0].reason],
      [1, taskId, 'Still missing'],
    )
    assert.deepEqual(
      [revision_requests[0].request, defences[0].defence],
      ['Line three is missing', 'The date is missing.'],
    )
    const [review] = (await dataOf(reviewer)).reviews
    assert.deepEqual([review.decision, review.reason], ['upheld', 'I compared both.'])
    assert.deepEqual((await dataOf(worker)).rejections, [])

    const { buyer: owner, id } = await itemWork(api).aBatch(3)
    const { batch_items: items } = await dataOf(owner)
    assert.deepEqual(
      items.map(({ batch_id, number }: { batch_id: string; number: number }) => [batch_id, number]),
      [3, 2, 1].map((number) => [id, number]),
    )
    assert.ok(Object.keys(items[0].input).length > 0)
  })

  test('have payments with their refunds, receipts, and the tasks that a worker opened', async () => {
    const buyer = await aBuyer(api.database)
    const { clientSecret } = (await api.as(buyer).post('/create-payment-intent', { price: 10 })).body
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }
    const { transactionId } = (await api.anyone.post('/sandbox/confirm', { clientSecret, ...card })).body
    await api.as(buyer).post('/payment-success', { transactionId })
    const { purchases, payments, receipts } = await dataOf(buyer)
    assert.deepEqual([purchases.length, purchases[0].state], [1, 'credited'])
    assert.deepEqual([payments[0].refunds, payments[0].disputes, payments[0].reversals], [[], [], []])
    assert.deepEqual([receipts.length, receipts[0].payment_id], [1, payments[0].id])

    const admin = await anAdmin(api.database)
    await rows(
      `select request_refund(gen_random_uuid(), transaction_id, $2, 500, 'A stolen card?') from payments where id = $1`,
      [payments[0].id, admin.id],
    )
    await rows(
      `insert into unmatched_payments (intent_id, cause, mode, user_id, cents, currency, paid_at, reason)
       values ('pi_unmatched', 'no_purchase', 'sandbox', $1, 700, 'usd', now(), 'A stolen card?')`,
      [buyer.id],
    )
    const { payments: refunded, unmatched_payments: unmatched } = await dataOf(buyer)
    assert.deepEqual([refunded[0].refunds[0].cents, unmatched[0].cents], [500, 700])
    assert.ok(
      !JSON.stringify([refunded, unmatched]).includes('A stolen card?'),
      'Admins wrote it for the audit log',
    )

    const { taskId } = await aPendingSubmission(api.database)
    const worker = await aWorker(api.database)
    await rows('select record_task_views($1)', [JSON.stringify([{ task: taskId, worker: worker.id }])])
    await rows(`insert into task_links (task_id, token) values ($1, 'token-of-a-link-of-32-characters')`, [
      taskId,
    ])
    await rows('insert into task_link_uses (task_id, worker_id) values ($1, $2)', [taskId, worker.id])
    const { viewed_tasks: viewed, opened_links: opened } = await dataOf(worker)
    assert.deepEqual(viewed, [{ task_id: taskId }])
    assert.deepEqual([opened.length, opened[0].task_id], [1, taskId])
  })
})
