import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { SECURITY_EVENT_KINDS, SecurityEvent } from '#contract/security-log.ts'
import type { Database } from '#server/database/database.ts'
import { setupLink } from '#server/identity/setup.ts'
import { useApi } from '#tests/support/api.ts'
import { addAuthenticator } from '#tests/support/authenticator.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import { aBuyer, anAdmin, aTask, aWorker } from '#tests/support/factories.ts'
import { PASSWORD, useIdentity } from '#tests/support/identity.ts'
import { signInAt } from '#tests/support/oidc-visit.ts'
import { aRequest } from '#tests/support/payouts.ts'
import { aPayment } from '#tests/support/receipts.ts'
import { emailHash } from './log-event.ts'
import { purgeSecurityLog } from './purge.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

type Row = { kind: string; params: object; identity_id: string | null; email_hash: Buffer | null }

/** Returns what the log has gained by `work`. */
async function logged(database: Database, work: () => Promise<unknown>): Promise<Row[]> {
  const { rows: before } = await database.pool.query('select coalesce(max(id), 0) as id from security_log')
  await work()
  const { rows } = await database.pool.query<Row>('select * from security_log where id > $1 order by id', [
    before[0].id,
  ])
  return rows
}
const eventsIn = (rows: Row[]) => rows.map(({ kind, params }) => [kind, params])

describe('the security log of sign-in and accounts', () => {
  const identity = useIdentity()
  const loggedBy = async (work: () => Promise<unknown>) => eventsIn(await logged(identity.database, work))
  const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
    identity.visitor().once('/api/auth/sign-in', { json: { email, password }, headers })

  test('signing up, in and out are logged with network and device', async () => {
    const visitor = identity.visitor()
    const account = identity.aNewUser()
    const headers = { 'user-agent': FIREFOX }
    const rows = await logged(identity.database, async () => {
      await visitor.once('/api/auth/sign-up', { json: account, headers })
      await visitor.once('/api/auth/sign-out', { method: 'POST', headers })
      await signIn(account.email, account.password, headers)
    })
    assert.deepEqual(eventsIn(rows), [
      ['signed_up', { method: 'password' }],
      ['signed_in', { method: 'sign_up' }],
      ['signed_out', {}],
      ['signed_in', { method: 'password' }],
    ])
    const [id] = (
      await identity.database.pool.query('select id from identities where email = $1', [account.email])
    ).rows
    for (const row of rows) {
      const { identity_id, network, device } = row as Row & { network: string; device: string }
      assert.deepEqual([identity_id, network, device], [id.id, '127.0.0.1', 'Firefox on Linux'])
    }
  })

  test('the first sign-in from another device is logged as a new device', async () => {
    const { email } = await identity.aMember()
    const fromFirefox = () => signIn(email, PASSWORD, { 'user-agent': FIREFOX })
    assert.deepEqual(await loggedBy(fromFirefox), [
      ['signed_in', { method: 'password' }],
      ['new_device', {}],
    ])
    assert.deepEqual(await loggedBy(fromFirefox), [['signed_in', { method: 'password' }]])
  })

  test('a failed sign-in is logged; of an unknown email only a keyed hash', async () => {
    const { email } = await identity.aMember()
    const [known] = await logged(identity.database, () => signIn(email, 'Wrong!pass'))
    assert.deepEqual([known?.params, known?.email_hash], [{ reason: 'wrong_password' }, null])
    assert.ok(known?.identity_id)

    const rows = await logged(identity.database, () => signIn('Nobody@Example.com', PASSWORD))
    assert.equal(rows.length, 1)
    assert.deepEqual([rows[0]?.params, rows[0]?.identity_id], [{ reason: 'unknown_email' }, null])
    assert.deepEqual(rows[0]?.email_hash, emailHash('nobody@example.com', identity.config))
    assert.doesNotMatch(JSON.stringify(rows), /nobody/i)

    const removed = await identity.aMember()
    await identity.deleteUserByEmail(removed.email)
    assert.deepEqual(await loggedBy(() => signIn(removed.email, PASSWORD)), [
      ['sign_in_failed', { reason: 'deleted_user' }],
    ])
  })

  test('attempts beyond the rate limit are not logged', async () => {
    const rows = await loggedBy(async () => {
      for (let attempt = 0; attempt < 15; attempt++) await signIn('flooded@example.com', PASSWORD)
    })
    assert.equal(rows.length, 10)
  })

  test('changes of password and email are logged, and wrong current passwords too', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const headers = { authorization }
    const post = (path: string, json: object) => visitor.once(`/api/auth/${path}`, { json, headers })
    const wanted = `new.${email}`
    assert.deepEqual(
      await loggedBy(async () => {
        await visitor.once('/api/auth/verify', {
          json: { token: await identity.tokenIn(email, 'verify-email') },
        })
        await post('change-email', { email: wanted, currentPassword: PASSWORD })
        await visitor.once('/api/auth/verify', {
          json: { token: await identity.tokenIn(wanted, 'verify-email') },
        })
        await post('change-password', { currentPassword: 'Wrong!pass', password: 'Another!one' })
        await post('change-password', { currentPassword: PASSWORD, password: 'Another!one' })
        await post('step-up', { currentPassword: 'Another!one' })
        await post('request-reset', { email: wanted })
        await post('reset', {
          token: await identity.tokenIn(wanted, 'reset-password'),
          password: PASSWORD,
        })
      }),
      [
        ['email_verified', {}],
        ['email_change_requested', {}],
        ['email_changed', {}],
        ['password_check_failed', {}],
        ['password_changed', { method: 'password' }],
        ['stepped_up', { method: 'password' }],
        ['password_reset_requested', {}],
        ['password_changed', { method: 'link' }],
      ],
    )
  })

  test('ending sessions is logged', async () => {
    const { email, visitor, authorization } = await identity.aMember()
    const headers = { authorization }
    await signIn(email, PASSWORD, { 'user-agent': FIREFOX })
    const list = await visitor.once('/api/auth/sessions', { headers })
    const other = list.json<{ _id: string; current: boolean }[]>().find(({ current }) => !current)
    assert.deepEqual(
      await loggedBy(async () => {
        await visitor.once(`/api/auth/sessions/${other?._id}`, { method: 'DELETE', headers })
        await visitor.once('/api/auth/sign-out-everywhere', { method: 'POST', headers })
      }),
      [
        ['session_ended', { device: 'Firefox on Linux' }],
        ['all_sessions_ended', {}],
      ],
    )
  })

  test('second factors, step-ups with them and failures are logged', async () => {
    const member = await identity.aMember()
    const headers = { authorization: member.authorization }
    let added: Awaited<ReturnType<typeof addAuthenticator>> | undefined
    assert.deepEqual(await loggedBy(async () => (added = await addAuthenticator(member))), [
      ['factor_added', { factor: 'totp' }],
      ['recovery_codes_created', {}],
    ])
    assert.ok(added)
    const { id, recoveryCodes } = added
    const visitor = identity.visitor()
    const json = { email: member.email, password: PASSWORD }
    const enter = (code = '') => visitor.once('/api/auth/sign-in/code', { json: { code } })
    const stepUp = (code = '') => member.visitor.once('/api/auth/step-up/code', { json: { code }, headers })
    assert.deepEqual(
      await loggedBy(async () => {
        await visitor.once('/api/auth/sign-in', { json })
        await enter('000000')
        await enter(recoveryCodes[0])
        await stepUp('000000')
        await stepUp(recoveryCodes[1])
        await member.visitor.once(`/api/auth/second-factor/${id}`, { method: 'DELETE', headers })
      }),
      [
        ['sign_in_failed', { reason: 'second_factor' }],
        ['signed_in', { method: 'password', secondFactor: 'recovery_code' }],
        ['step_up_failed', { method: 'totp' }],
        ['stepped_up', { method: 'recovery_code' }],
        ['factor_removed', { factor: 'totp' }],
      ],
    )
  })

  test('signing in with an issuer is logged, and an account that it takes over', async () => {
    const email = 'rafiq@google.demo.example'
    const json = { ...identity.aNewUser(), email }
    await identity.visitor().once('/api/auth/sign-up', { json })
    const provider = 'localhost:4300'
    assert.deepEqual(await loggedBy(() => signInAt(identity.visitor(), 'google', 'demo-2')), [
      ['provider_linked', { provider }],
      ['password_removed', { provider }],
      ['signed_in', { method: 'provider' }],
    ])
    assert.deepEqual(await loggedBy(() => signInAt(identity.visitor(), 'google', 'demo-1')), [
      ['signed_up', { method: 'provider' }],
      ['signed_in', { method: 'provider' }],
    ])
  })

  test('the first Admin is logged with their role', async () => {
    const { pool } = identity.database
    await pool.query(`update users set deleted_at = now() where role = 'Admin'`)
    const link = await setupLink(identity.database, identity.config)
    const code = new URL(link ?? '').hash.slice('#code='.length)
    const json = { ...identity.aNewUser(), code }
    assert.deepEqual(await loggedBy(() => identity.visitor().once('/api/setup', { json })), [
      ['signed_up', { method: 'setup_link' }],
      ['role_changed', { role: 'Admin' }],
      ['signed_in', { method: 'sign_up' }],
    ])
  })
})

describe('the security log', () => {
  const api = useApi()
  let admin: Awaited<ReturnType<typeof anAdmin>>
  before(async () => {
    admin = await anAdmin(api.database)
  })
  const loggedBy = async (work: () => Promise<unknown>) => eventsIn(await logged(api.database, work))

  test('a changed role is in the log of the user, with the Admin', async () => {
    const worker = await aWorker(api.database)
    const [row, ...others] = await logged(api.database, async () => {
      await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Buyer' })
      await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Buyer' })
    })
    assert.deepEqual(others, [])
    assert.ok(row)
    const { kind, params, identity_id, actor_id } = row as Row & { actor_id: string }
    assert.deepEqual(
      [kind, params, identity_id, actor_id],
      ['role_changed', { role: 'Buyer' }, worker.id, admin.id],
    )
  })

  test('exports are logged, repeated ones once in a minute', async () => {
    const worker = await aWorker(api.database)
    assert.deepEqual(
      await loggedBy(async () => {
        for (const client of [api.as(worker), api.as(worker), api.as(admin)])
          await client.get(`/my-data/${worker.email}`)
        await api.as(worker).get(`/statement/${worker.email}/csv`)
        await api.as(admin).get('/security-log/export')
      }),
      [
        ['data_exported', { data: 'account' }],
        ['data_exported', { data: 'account' }],
        ['data_exported', { data: 'statement' }],
        ['data_exported', { data: 'security_log' }],
      ],
    )
  })

  test('the answers of a batch are logged as an export, as CSV and as JSON lines', async () => {
    const { id, buyer } = await anOpenBatch(api.database, { items: 1 })
    for (const network of ['198.51.100.7', '198.51.100.8']) {
      const format = network.endsWith('7') ? 'csv' : 'json-lines'
      const headers = { authorization: await api.instance.signIn(buyer) }
      const url = `/api/batches/${id}/answers/${format}`
      const rows = await loggedBy(async () => {
        const response = await api.instance.app.inject({ url, headers, remoteAddress: network })
        assert.equal(response.statusCode, 200)
      })
      assert.deepEqual(rows, [['data_exported', { data: 'batch_answers' }]])
    }
  })

  test("a user's receipt that an Admin downloads is logged with both; their own is not", async () => {
    const buyer = await aBuyer(api.database)
    const path = `/receipts/${await aPayment(api.database, buyer)}/pdf`
    const rows = (await logged(api.database, async () => {
      for (const user of [buyer, admin]) assert.equal((await api.as(user).get(path)).status, 200)
    })) as (Row & { actor_id: string })[]
    assert.deepEqual(
      rows.map(({ params, identity_id, actor_id }) => [params, identity_id, actor_id]),
      [[{ data: 'receipt' }, buyer.id, admin.id]],
    )
  })

  test('every file made for Admins is logged as an export, with the network', async () => {
    const reader = await anAdmin(api.database)
    const { id } = await aRequest(api.database)
    const { body: batch } = await api.as(reader).post('/payout-batches', { withdrawalIds: [id] })
    await api.as(reader).post(`/payout-batches/${batch.insertedId}/release`)
    const [profile] = (await api.as(reader).get('/payout-file-profiles')).body
    const { body: file } = await api
      .as(reader)
      .post(`/payout-batches/${batch.insertedId}/files`, { profileId: profile._id })
    const paths = ENDPOINTS.map(({ endpoint }) => endpoint)
      .filter(({ access, reply }) => String(access.who) === 'Admin' && reply._zod.def.type === 'unknown')
      .map(({ path }) => path)
    assert.ok(paths.includes('/payout-files/:id/csv'))
    for (const path of paths) {
      const rows = (await logged(api.database, async () => {
        const { status } = await api.as(reader).get(path.replace(':id', file.insertedId))
        assert.equal(status, 200, path)
      })) as (Row & { network: string })[]
      assert.deepEqual(
        rows.map(({ kind, identity_id, network }) => [kind, identity_id, network]),
        [['data_exported', reader.id, '127.0.0.1']],
        path,
      )
    }
  })

  test('refusals of access are logged with the endpoint; a flood of them is not', async () => {
    const worker = await aWorker(api.database)
    const buyer = await aBuyer(api.database)
    const refused = { method: 'GET', path: '/user-details/:email', code: 'not_yours' }
    // Each instance counts for itself, so that all requests go to one.
    const headers = { authorization: await api.instance.signIn(worker) }
    const url = `/api/user-details/${buyer.email}`
    const rows = await loggedBy(async () => {
      for (let attempt = 0; attempt < 30; attempt++) await api.instance.app.inject({ url, headers })
    })
    assert.deepEqual(rows, Array(20).fill(['access_refused', refused]))
    assert.deepEqual(await loggedBy(() => api.as(buyer).get('/security-log')), [
      ['access_refused', { method: 'GET', path: '/security-log', code: 'role_not_allowed' }],
    ])
    assert.deepEqual(await loggedBy(() => api.as(buyer).get('/no-such-thing')), [])
  })

  test('a refusal of a write with an Idempotency-Key is logged once', async () => {
    const owner = await aBuyer(api.database)
    const taskId = await aTask(api.database, owner)
    const buyer = api.as(await aBuyer(api.database))
    const task = { task_title: 'A title', task_detail: 'Details', submission_info: 'Info' }
    const edit = () => buyer.put(`/update-task/${taskId}`, task, { 'idempotency-key': 'edit' })
    const rows = await loggedBy(async () => {
      assert.deepEqual([(await edit()).status, (await edit()).status], [403, 403])
    })
    const refused = { method: 'PUT', path: '/update-task/:id', code: 'not_yours' }
    assert.deepEqual(rows, [['access_refused', refused]])
  })

  test('a user reads the events of their own account, newest first, page by page', async () => {
    const one = await aWorker(api.database)
    const other = await aWorker(api.database)
    for (const user of [one, other, one])
      for (const role of ['Buyer', 'Worker'])
        await api.as(admin).put(`/update-role/${user.id}`, { value: role })
    const first = await api.as(one).get('/account-activity?limit=3')
    const second = await api.as(one).get(`/account-activity?limit=3${first.next}`)
    assert.deepEqual(
      [...first.body, ...second.body].map(({ text }: { text: string }) => text),
      ['Worker', 'Buyer', 'Worker', 'Buyer'].map((role) => `An Admin changed the role to ${role}`),
    )
    assert.equal(second.next, '')
    const [inBangla] = (await api.as(one).get('/account-activity?limit=1', { 'accept-language': 'bn' })).body
    assert.match(inBangla.text, /\p{Script=Bengali}/u)
    assert.deepEqual(Object.keys(first.body[0]), [
      '_id',
      'time',
      'kind',
      'text',
      'result',
      'network',
      'device',
    ])
  })

  test('a user does not see the network and device of an Admin, who do', async () => {
    const worker = await aWorker(api.database)
    await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Buyer' }, { 'user-agent': FIREFOX })
    const originIn = (events: { kind: string; network: string; device: string }[]) => {
      const { network, device } = events.find(({ kind }) => kind === 'role_changed') ?? {}
      return [network, device]
    }
    assert.deepEqual(originIn((await api.as(worker).get('/account-activity')).body), ['', ''])
    const file = await api.as(worker).get(`/my-data/${worker.email}`)
    assert.deepEqual(originIn(file.body.account_activity), ['', ''])
    const log = await api.as(admin).get(`/security-log?email=${worker.email}`)
    assert.deepEqual(originIn(log.body), ['127.0.0.1', 'Firefox on Linux'])
  })

  test('Admins filter by user and kind, also by an email without an account', async () => {
    const worker = await aWorker(api.database)
    await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Buyer' })
    await api.as(worker).get('/security-log')
    await api.anyone.post('/auth/sign-in', { email: 'ghost@example.com', password: PASSWORD })
    const kindsOf = async (query: string) => {
      const response = await api.as(admin).get(`/security-log?${query}`)
      assert.equal(response.status, 200)
      return response.body.map(({ kind }: { kind: string }) => kind)
    }
    assert.deepEqual(await kindsOf(`email=${worker.email}`), ['access_refused', 'role_changed'])
    assert.deepEqual(await kindsOf(`email=${worker.email}&kind=role_changed`), ['role_changed'])
    assert.deepEqual(await kindsOf('email=ghost@example.com'), ['sign_in_failed'])
    assert.deepEqual(new Set(await kindsOf('kind=access_refused')), new Set(['access_refused']))
    assert.ok((await kindsOf(`email=${admin.email}`)).includes('role_changed'), 'what they did as an Admin')
  })

  test('the export has every event as a line of JSON', async () => {
    const { text, headers } = await api.as(admin).get('/security-log/export')
    assert.match(String(headers['content-type']), /^application\/x-ndjson/)
    const lines = text.trimEnd().split('\n')
    const { rows } = await api.database.pool.query('select count(*) as count from security_log')
    assert.equal(lines.length, rows[0].count)
    const numbers = lines.map((line) => Number(SecurityEvent.parse(JSON.parse(line))._id))
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    )
  })

  test('the log is append-only', async () => {
    for (const attempt of [
      `update security_log set kind = 'signed_in'`,
      'delete from security_log',
      'truncate security_log',
      // A connection can set the clock of the marketplace, but not the time of this log.
      `set tallywork.clock = '2099-01-01'; delete from security_log`,
    ]) {
      await assert.rejects(api.owner.query(attempt), /append-only/)
      await assert.rejects(api.database.pool.query(attempt), /permission denied/)
    }
  })

  test('events older than 400 days are purged, younger ones stay', async () => {
    const { pool } = api.database
    await pool.query(`insert into security_log (time, kind, network, device)
      values (now() - interval '401 days', 'signed_out', '', 'old'), (now() - interval '399 days', 'signed_out', '', 'young')`)
    assert.equal(await purgeSecurityLog(api.database), 1)
    const { rows } = await pool.query(`select device from security_log where time < now() - interval '1 day'`)
    assert.deepEqual(rows, [{ device: 'young' }])
  })
})

describe('where sign-in requires a verified email', () => {
  const identity = useIdentity({ verifyFor: new Set(['sign-in']) })

  test('a sign-in without one is logged', async () => {
    const account = identity.aNewUser()
    await identity.visitor().once('/api/auth/sign-up', { json: account })
    const { email, password } = account
    const rows = await logged(identity.database, () =>
      identity.visitor().once('/api/auth/sign-in', { json: { email, password } }),
    )
    assert.deepEqual(eventsIn(rows), [['sign_in_failed', { reason: 'email_not_verified' }]])
  })
})

test('the server writes the declared kinds of events, and no others', async () => {
  const root = join(import.meta.dirname, '..')
  const sources: string[] = []
  for await (const path of glob('**/*.{sql,ts}', { cwd: root }))
    if (!path.endsWith('.test.ts')) sources.push(await readFile(join(root, path), 'utf8'))
  const text = sources.join('\n')
  const inSql = [...text.matchAll(/log_security_event\(\s*'(\w+)'/g)].map(([, kind = '']) => kind)
  const kinds = Object.keys(SECURITY_EVENT_KINDS)
  assert.deepEqual(
    inSql.filter((kind) => !kinds.includes(kind)),
    [],
  )
  // TypeScript checks the kinds of its own events.
  assert.deepEqual(
    kinds.filter((kind) => !inSql.includes(kind) && !text.includes(`kind: '${kind}'`)),
    [],
  )
})

describe('the security log of refusals from many IPv6 networks', () => {
  const api = useApi({ trustProxy: ['127.0.0.1'] })

  test('is bounded for the networks of one /48 together', async () => {
    const refused = (network: number) =>
      api.instance.app.inject({
        method: 'POST',
        url: '/api/contact',
        headers: {
          origin: 'https://evil.example',
          'x-forwarded-for': `2001:db8:7:${network.toString(16)}::1`,
        },
      })
    const rows = await logged(api.database, async () => {
      for (let network = 0; network < 210; network++)
        await Promise.all(Array.from({ length: 5 }, () => refused(network)))
    })
    assert.equal(rows.length, 1000)
  })
})
