import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aPendingSubmission, aTask, aWorker, giveCoins } from '#tests/support/factories.ts'

describe('personal data export', () => {
  const api = useApi()

  test('contains the profile, tasks, submissions, coins and messages of one user, and no secrets', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database)
    const other = await aPendingSubmission(api.database)
    const message = { name: 'Ruma', email: worker.email, subject: 'Hello', message: 'A question' }
    await api.anyone.post('/contact', message)
    await api.database.pool.query('update identities set email_verified_at = now() where id = $1', [
      worker.id,
    ])

    const response = await api.as(worker).get(`/my-data/${worker.email}`)
    assert.equal(response.status, 200, response.text)
    assert.match(String(response.headers['content-disposition']), /^attachment; filename="my-data\.json"$/)
    const { person, work, movements_of_coins: movements, sessions, messages, tasks } = response.body
    assert.deepEqual([person.email, person.role, person.coins], [worker.email, 'Worker', 10])
    assert.deepEqual([work.length, work[0].id, work[0].task], [1, submissionId, 'Label ten photos'])
    assert.deepEqual(
      movements.map(({ kind, coins }: { kind: string; coins: number }) => [kind, coins]),
      [['sign_up_bonus', 10]],
    )
    assert.equal(sessions.length, 1)
    assert.equal(messages[0].message, 'A question')
    assert.deepEqual(tasks, [])
    for (const foreign of [
      other.worker.email,
      other.buyer.email,
      other.submissionId,
      'secret_hash',
      'password_hash',
    ])
      assert.ok(!response.text.includes(foreign), foreign)

    const edit = { task_title: 'New title', task_detail: 'New', submission_info: 'New' }
    await api.as(buyer).put(`/update-task/${taskId}`, edit)
    await api.as(buyer).post(`/tasks/${taskId}/close`)
    const { body: buyers } = await api.as(buyer).get(`/my-data/${buyer.email}`)
    assert.deepEqual(
      buyers.tasks.map(({ id }: { id: string }) => id),
      [taskId],
    )
    const [{ changes, earlier_versions }] = buyers.tasks
    assert.deepEqual([changes.length, changes[0].kind, changes[0].coins], [1, 'closed', 20])
    assert.deepEqual([earlier_versions.length, earlier_versions[0].title], [1, 'Label ten photos'])
    assert.deepEqual(buyers.work, [])
  })

  test('contains the second factors and what happened to the account, without secrets', async () => {
    const worker = await aWorker(api.database)
    const values = [worker.id]
    await api.database.pool.query(
      `with secrets as (
         insert into totp_secrets (id, identity_id, secret_encrypted, confirmed_at)
         values (gen_random_uuid(), $1, 'secret-of-the-app', '2026-01-02T03:04:05Z')),
       codes as (insert into recovery_codes (identity_id, hash) values ($1, 'hash-of-a-code')),
       events as (
         insert into security_log (kind, identity_id, network, device)
         values ('signed_in', $1, '203.0.113.7', 'Firefox on Linux'))
       insert into webauthn_credentials (id, identity_id, credential_id, public_key, sign_count, name, created_at, used_at)
       values (gen_random_uuid(), $1, 'id-of-the-passkey', 'key-of-the-passkey', 7, 'My phone',
               '2026-01-03T03:04:05Z', '2026-01-04T03:04:05Z')`,
      values,
    )
    const { body, text } = await api.as(worker).get(`/my-data/${worker.email}`)
    const factors: { name: string }[] = body.second_factors
    assert.deepEqual(
      factors.toSorted((one, other) => one.name.localeCompare(other.name)),
      [
        {
          kind: 'authenticator',
          name: 'Authenticator app',
          added_at: '2026-01-02T03:04:05+00:00',
          last_used_at: null,
        },
        {
          kind: 'passkey',
          name: 'My phone',
          added_at: '2026-01-03T03:04:05+00:00',
          last_used_at: '2026-01-04T03:04:05+00:00',
        },
      ],
    )
    assert.equal(body.person.recovery_codes_left, 1)
    const events: { kind: string; network: string; device: string }[] = body.account_activity
    const { network, device } = events.find(({ kind }) => kind === 'signed_in') ?? {}
    assert.deepEqual([network, device], ['203.0.113.7', 'Firefox on Linux'])
    for (const secret of ['secret-of-the-app', 'hash-of-a-code', 'id-of-the-passkey', 'key-of-the-passkey'])
      for (const form of [secret, Buffer.from(secret).toString('hex')]) assert.ok(!text.includes(form), form)
  })

  test('is available to the user and to Admins only', async () => {
    const [one, another] = [await aWorker(api.database), await aWorker(api.database)]
    assert.equal((await api.as(another).get(`/my-data/${one.email}`)).status, 403)
    assert.equal((await api.anyone.get(`/my-data/${one.email}`)).status, 401)
    assert.equal((await api.as(await anAdmin(api.database)).get(`/my-data/${one.email}`)).status, 200)
    assert.equal((await api.as(await anAdmin(api.database)).get('/my-data/nobody@example.com')).status, 404)
  })

  test('contains no messages sent from an unverified email', async () => {
    const message = {
      name: 'Owner',
      email: 'owner@example.com',
      subject: 'Hello',
      message: 'My own business',
    }
    await api.anyone.post('/contact', message)
    const stranger = await aWorker(api.database)
    for (const table of ['identities', 'users'])
      await api.database.pool.query(`update ${table} set email = $2, email_key = $2 where id = $1`, [
        stranger.id,
        message.email,
      ])
    const { status, body } = await api.as(stranger).get(`/my-data/${message.email}`)
    assert.deepEqual([status, body.messages], [200, []])
  })

  test('is complete when a list is longer than a page', async () => {
    const { buyer } = await aPendingSubmission(api.database)
    for (let count = 0; count < 600; count++) await giveCoins(api.database, buyer.accountId, 2)
    for (let count = 0; count < 3; count++) await aTask(api.database, buyer, { slots: 1, reward: 1 })
    const { body } = await api.as(buyer).get(`/my-data/${buyer.email}`)
    const numbers = body.movements_of_coins.map(({ number }: { number: number }) => number)
    assert.ok(numbers.length > 600)
    assert.equal(new Set(numbers).size, numbers.length)
    const sum = body.movements_of_coins.reduce(
      (total: number, { coins }: { coins: number }) => total + coins,
      0,
    )
    assert.equal(sum, body.person.coins)
  })
})
