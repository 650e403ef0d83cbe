import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Jobs as JobsReply } from '#contract/jobs.ts'
import { relay } from '#server/notifications/relay.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { approveSubmissions } from '#server/submissions/bulk-approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  noAppeals,
  type TestUser,
} from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { startSmtp } from '#tests/support/smtp.ts'
import { countFailedJobs, readJobStates, resetFutureJobs } from './pg-boss.ts'
import { type Jobs, startJobs } from './start.ts'

describe('background jobs', () => {
  const db = useDatabase()
  let smtp: Awaited<ReturnType<typeof startSmtp>>
  let instance: Instance
  let first: Jobs
  let second: Jobs
  let admin = ''

  before(async () => {
    smtp = await startSmtp()
    const mail = { kind: 'smtp' as const, url: smtp.url, from: 'no-reply@work.example' }
    instance = await anInstance(db.database, { mail })
    first = await startJobs(instance.context, instance.app.log)
    second = await startJobs(instance.context, instance.app.log)
    admin = await instance.signIn(await anAdmin(db.database))
  })
  after(async () => {
    await Promise.all([first.stop(), second.stop()])
    await instance.close()
    await smtp.close()
  })

  const rows = async (sql: string, values: unknown[] = []) => (await db.database.pool.query(sql, values)).rows
  const verifyEmail = (user: TestUser) =>
    rows('update identities set email_verified_at = now() where id = $1', [user.id])
  const mailsTo = ({ email }: TestUser) => smtp.received.filter(({ to }) => to.includes(email))
  const overview = async () => {
    const response = await instance.app.inject({ url: '/api/jobs', headers: { authorization: admin } })
    assert.equal(response.statusCode, 200, response.body)
    return response.json<JobsReply>()
  }

  test('two instances run a recurring job once per time slot', async () => {
    await eventually(async () =>
      (await overview()).queues.every(({ every, lastDoneAt }) => every === null || lastDoneAt),
    )
    const duplicates = await rows(
      `select name, singleton_on from jobs.job where singleton_on is not null group by 1, 2 having count(*) > 1`,
    )
    assert.deepEqual(duplicates, [])
    const failed = await rows(`select name, output from jobs.job where state in ('failed', 'retry')`)
    assert.deepEqual(failed, [])
  })

  test('the queues of renamed jobs are deleted at start', async () => {
    await first.boss.createQueue('clean-images')
    const third = await startJobs(instance.context, instance.app.log)
    await third.stop()
    const names = (await overview()).queues.map(({ name }) => name)
    assert.ok(names.includes('purge-images') && !names.includes('clean-images'))
  })

  test('emails that wait for their turn expire after an hour, also in queues of earlier versions', async () => {
    const queues = ['mail-digest', 'mail-notifications']
    for (const name of queues) await first.boss.updateQueue(name, { expireInSeconds: 120 })
    const third = await startJobs(instance.context, instance.app.log)
    await third.stop()
    for (const name of queues) assert.equal((await first.boss.getQueue(name))?.expireInSeconds, 3600, name)
  })

  test('after the clock moved back, future time slots are freed and future jobs become due', async () => {
    const { boss } = first
    const slot = `(select singleton_on from jobs.job where name = 'close-due-tasks' and singleton_on is not null
                    order by singleton_on desc limit 1)`
    const [ahead] = await rows(
      `insert into jobs.job (name, state, singleton_on, completed_on, policy)
       select 'close-due-tasks', 'completed', ${slot} + interval '7 days', now() + interval '7 days', 'exclusive' returning id`,
    )
    const late = await boss.send('mail', { notice: 0, kind: 'none' }, { startAfter: 7 * 86_400 })
    const soon = await boss.send('mail', { notice: 0, kind: 'none' }, { startAfter: 3600 })
    assert.equal(await resetFutureJobs(db.database), 2)
    assert.equal(await resetFutureJobs(db.database), 0)
    const freed = await rows('select singleton_on from jobs.job where id = $1', [ahead.id])
    assert.deepEqual(freed, [{ singleton_on: null }])
    await eventually(
      async () => (await rows('select state from jobs.job where id = $1', [late]))[0]?.state === 'completed',
    )
    assert.equal((await rows('select state from jobs.job where id = $1', [soon]))[0]?.state, 'created')
    await boss.deleteJob('mail', soon ?? '')
  })

  test('concurrent relays and writers: each notification is relayed once, in order for each user', async () => {
    const users = await Promise.all([aWorker(db.database), aBuyer(db.database), aWorker(db.database)])
    const ids = users.map(({ id }) => id)
    await Promise.all([
      atOnce(150, (index) =>
        rows(`select notify_user($1, 'contact_message', $2, null)`, [
          ids[index % 3],
          { name: `Sender ${index}`, subject: 'Hello' },
        ]),
      ),
      ...Array.from({ length: 4 }, async () => {
        for (let round = 0; round < 25; round++) await relay(db.database, async () => {})
      }),
    ])
    await eventually(async () => (await overview()).outbox === 0)
    const relayed = await rows(
      `select user_id, (notice->>'id')::bigint as id, seq
         from live_events, jsonb_array_elements(body->'notices') as notice
        where user_id = any ($1) order by seq, id`,
      [ids],
    )
    assert.equal(relayed.length, 150)
    assert.equal(new Set(relayed.map(({ id }) => id)).size, 150)
    const [{ gaps }] = await rows(
      'select (select seq from live_sequence) - count(*) as gaps from live_events',
    )
    assert.equal(Number(gaps), 0)
  })

  test('a failed relay leaves all rows in the outbox', async () => {
    await Promise.all([first.stop(), second.stop()])
    const { submissionId, buyer } = await aPendingSubmission(db.database)
    await approveSubmission(db.database, submissionId, buyer.id)
    const before = await rows('select id from outbox order by id')
    assert.ok(before.length >= 2)
    await assert.rejects(
      relay(db.database, async () => {
        throw new Error('planted')
      }),
    )
    assert.deepEqual(await rows('select id from outbox order by id'), before)
    first = await startJobs(instance.context, instance.app.log)
    second = await startJobs(instance.context, instance.app.log)
    await eventually(async () => (await overview()).outbox === 0)
  })

  test('sign-up sends one mail, whose link is not stored in the database', async () => {
    const email = 'ruma.new@example.com'
    const response = await instance.app.inject({
      method: 'POST',
      url: '/api/auth/sign-up',
      payload: { name: 'Ruma', email, password: 'Sesame!open' },
    })
    assert.equal(response.statusCode, 201, response.body)
    const mails = () => smtp.received.filter(({ to }) => to.includes(email))
    await eventually(async () => mails().length > 0)
    assert.equal(mails().length, 1)
    const { from, source } = mails()[0] ?? { from: '', source: '' }
    assert.equal(from, 'no-reply@work.example')
    assert.match(source, /^Subject: Confirm your email for Tallywork\r$/m)
    assert.match(source, /^Content-Type: text\/plain/m)
    assert.match(source, /^Content-Type: text\/html/m)
    assert.doesNotMatch(source, /^List-Unsubscribe/m)
    assert.match(source, /verify#token/)
    const stored = await rows(`select data::text from jobs.job where name = 'mail'`)
    assert.ok(stored.every(({ data }) => !data.includes('token=')))
  })

  test('decisions are mailed to users with a verified email, until they unsubscribe', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, {
      title: '</p><script>alert(1)</script>\n"Photos"',
    })
    const stranger = await aWorker(db.database)
    await verifyEmail(worker)
    const otherWork = await aSubmission(db.database, taskId, stranger)
    await approveSubmission(db.database, submissionId, buyer.id)
    await rejectSubmission(db.database, noAppeals, otherWork, buyer.id, { reason: 'Too short' })
    await eventually(async () => mailsTo(worker).length > 0)
    const source = mailsTo(worker)[0]?.source.replaceAll('=\r\n', '') ?? ''
    assert.match(source, /^Subject: Your work was approved\r$/m)
    const html = source.slice(source.indexOf('Content-Type: text/html'))
    assert.ok(html.includes('&lt;script&gt;') && !html.includes('<script>'))
    assert.match(source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const [, url = ''] = /^List-Unsubscribe: <([^>]+)>/m.exec(source.replaceAll(/\r\n[ \t]+/g, ' ')) ?? []

    const path = url.replace('http://localhost:4700', '')
    const page = await instance.app.inject({ url: path })
    assert.equal(page.statusCode, 200)
    const settings = async () => {
      const authorization = await instance.signIn(worker)
      return (await instance.app.inject({ url: '/api/mail-preferences', headers: { authorization } })).json()
    }
    assert.deepEqual(await settings(), { workReceived: true, workDecided: true, payouts: true })
    const unsubscribed = await instance.app.inject({
      method: 'POST',
      url: path,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(unsubscribed.statusCode, 200)
    assert.deepEqual(await settings(), { workReceived: true, workDecided: false, payouts: true })
    const forged = await instance.app.inject({ method: 'POST', url: path.replace('workDecided', 'payouts') })
    assert.equal(forged.statusCode, 404)

    const again = await aSubmission(db.database, await aTask(db.database, buyer, { slots: 1 }), worker)
    await approveSubmission(db.database, again, buyer.id)
    await eventually(async () => {
      const { queues, outbox } = await overview()
      const mail = queues.find(({ name }) => name === 'mail-notifications')
      return outbox === 0 && mail?.waiting === 0 && mail.active === 0
    })
    assert.equal(mailsTo(worker).length, 1)
    assert.equal(mailsTo(stranger).length, 0)
  })

  test('a user sets the email preferences; an incomplete request is rejected', async () => {
    const authorization = await instance.signIn(await aWorker(db.database))
    const put = (payload: object) =>
      instance.app.inject({
        method: 'PUT',
        url: '/api/mail-preferences',
        payload,
        headers: { authorization },
      })
    const preferences = { workReceived: false, workDecided: true, payouts: false }
    assert.deepEqual((await put(preferences)).json(), preferences)
    const read = await instance.app.inject({ url: '/api/mail-preferences', headers: { authorization } })
    assert.deepEqual(read.json(), preferences)
    assert.equal((await put({ payouts: 'yes' })).statusCode, 400)
  })

  test('several submissions make one mail to the buyer', async () => {
    const buyer = await aBuyer(db.database, { coins: 100 })
    await verifyEmail(buyer)
    const taskId = await aTask(db.database, buyer, { slots: 6 })
    for (let count = 0; count < 5; count++) await aSubmission(db.database, taskId, await aWorker(db.database))
    await eventually(async () => (await overview()).outbox === 0)
    const waiting = await rows(
      `select id from jobs.job where name = 'mail-digest' and data->>'digestOf' = $1`,
      [buyer.id],
    )
    assert.equal(waiting.length, 1)
    await rows('update jobs.job set start_after = now() where id = $1', [waiting[0].id])
    await eventually(async () => mailsTo(buyer).length > 0)
    assert.match(mailsTo(buyer)[0]?.source ?? '', /^Subject: 5 submissions are waiting for your review\r$/m)
  })

  test('a Buyer who became a Worker gets no mail about work that they cannot review', async () => {
    const buyer = await aBuyer(db.database, { coins: 100 })
    await verifyEmail(buyer)
    const taskId = await aTask(db.database, buyer, { slots: 1 })
    await aSubmission(db.database, taskId, await aWorker(db.database))
    await rows(`update users set role = 'Worker' where id = $1`, [buyer.id])
    const digest = async () =>
      rows(`select id, state from jobs.job where name = 'mail-digest' and data->>'digestOf' = $1`, [buyer.id])
    await eventually(async () => (await digest()).length === 1)
    await rows('update jobs.job set start_after = now() where id = $1', [(await digest())[0].id])
    await eventually(async () => (await digest())[0].state === 'completed')
    assert.deepEqual(mailsTo(buyer), [])
  })

  test('failed jobs are listed before emails that are undeliverable, of which there may be more than fit', async () => {
    await rows(
      `insert into jobs.job (name, state, output, completed_on)
         select 'mail-notifications', 'failed'::jobs.job_state, '{"undeliverable": true}'::jsonb, now() from generate_series(1, 120)
         union all select 'card-balance', 'failed', '{"message": "No connection"}', now() - interval '1 hour'`,
    )
    const { troubled, queues } = await overview()
    const { count } = await countFailedJobs(db.database, 1000)
    await rows(`delete from jobs.job where state = 'failed'`)
    assert.deepEqual([troubled[0]?.queue, troubled.length], ['card-balance', 100])
    assert.equal(count, 1, 'what an Admin has to do')
    const failed = queues.filter(({ failed }) => failed > 0).map(({ name }) => name)
    assert.deepEqual(failed, ['card-balance'])
  })

  test('mail that cannot be sent is retried; permanently rejected mail is listed for the Admin; others are sent once', async () => {
    const { worker, buyer, submissionId } = await aPendingSubmission(db.database)
    const [unreachable, third] = [await aWorker(db.database), await aWorker(db.database)]
    for (const user of [worker, unreachable, third]) await verifyEmail(user)
    smtp.refuse(worker.email, 451)
    smtp.refuse(unreachable.email, 550)
    const taskId = await aTask(db.database, buyer, { slots: 2 })
    const others = [
      await aSubmission(db.database, taskId, unreachable),
      await aSubmission(db.database, taskId, third),
    ]
    await approveSubmissions(db.database, [submissionId, ...others], buyer.id)

    await eventually(async () => (await overview()).troubled.length === 2)
    await db.owner.query(`update jobs.job set start_after = now() + interval '1 hour' where state = 'retry'`)
    const states = await readJobStates(db.database)
    assert.deepEqual(
      states.filter(({ state }) => state === 'failed' || state === 'undeliverable'),
      [{ name: 'mail-notifications', state: 'undeliverable', jobs: 1 }],
    )
    const { troubled } = await overview()
    assert.deepEqual(troubled.map(({ state, queue }) => `${queue} ${state}`).sort(), [
      'mail-notifications failed',
      'mail-notifications retry',
    ])
    for (const { reason, about } of troubled) {
      assert.match(reason, /Not this one/)
      assert.match(about, /^submission_approved \d+$/)
    }
    const later = troubled.find(({ state }) => state === 'retry')
    assert.ok(later?.nextAt && later.nextAt > later.time)

    smtp.refuse(worker.email, 0)
    smtp.refuse(unreachable.email, 0)
    for (const { _id } of troubled) {
      const retried = await instance.app.inject({
        method: 'POST',
        url: `/api/jobs/${_id}/retry`,
        headers: { authorization: admin },
      })
      assert.deepEqual(retried.json(), { acknowledged: true, modifiedCount: 1 })
    }
    await eventually(async () => mailsTo(worker).length === 1 && mailsTo(unreachable).length === 1)
    assert.equal(mailsTo(third).length, 1)
    assert.deepEqual((await overview()).troubled, [])
    const stranger = await instance.signIn(worker)
    const refused = await instance.app.inject({ url: '/api/jobs', headers: { authorization: stranger } })
    assert.equal(refused.statusCode, 403)
  })
})
