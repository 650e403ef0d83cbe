import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { approveSubmissions } from '#server/submissions/bulk-approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aSubmission, aTask, aWorker, noAppeals, type TestUser } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { startSmtp } from '#tests/support/smtp.ts'
import { startJobs } from './start.ts'

describe('emails about notifications', () => {
  const db = useDatabase()
  let smtp: Awaited<ReturnType<typeof startSmtp>>
  let instance: Instance
  const workers: TestUser[] = []

  before(async () => {
    smtp = await startSmtp()
    const mail = { kind: 'smtp' as const, url: smtp.url, from: 'no-reply@work.example' }
    instance = await anInstance(db.database, { mail })
  })
  after(async () => {
    await instance.close()
    await smtp.close()
  })

  const rows = async (sql: string, values: unknown[] = []) => (await db.database.pool.query(sql, values)).rows
  const start = (emailsPerSecond: number) => {
    const { context, app } = instance
    return startJobs({ ...context, config: { ...context.config, emailsPerSecond } }, app.log)
  }
  const mailsTo = ({ email }: Pick<TestUser, 'email'>) => smtp.received.filter(({ to }) => to.includes(email))
  const sent = () => workers.flatMap(mailsTo).length
  const jobs = (state: string) =>
    rows(
      `select data->'emails'->0->>'kind' as kind, priority, jsonb_array_length(data->'sent') as sent from jobs.job
        where name = 'mail-notifications' and state = $1`,
      [state],
    )

  test('wait for their turn, account emails do not; after a stop each of the others is sent once', async () => {
    const buyer = await aBuyer(db.database, { coins: 200 })
    const task = await aTask(db.database, buyer, { slots: 4 })
    const ids: string[] = []
    for (let count = 0; count < 4; count++) {
      const worker = await aWorker(db.database)
      await rows('update identities set email_verified_at = now() where id = $1', [worker.id])
      workers.push(worker)
      ids.push(await aSubmission(db.database, task, worker))
    }
    const [rejected = '', ...approved] = ids

    // The second email waits for a minute.
    const slow = await start(0.01)
    await approveSubmissions(db.database, approved, buyer.id)
    await eventually(async () => (await jobs('active')).some((job) => job.sent === 1))
    const email = 'ruma.new@example.com'
    const response = await instance.app.inject({
      method: 'POST',
      url: '/api/auth/sign-up',
      payload: { name: 'Ruma', email, password: 'Sesame!open' },
    })
    assert.equal(response.statusCode, 201, response.body)
    await eventually(() => mailsTo({ email }).length === 1)
    assert.ok(sent() < approved.length)

    await slow.stop()
    const [stopped] = await jobs('retry')
    assert.equal(stopped.sent, sent())
    assert.ok(sent() < approved.length)

    await rejectSubmission(db.database, noAppeals, rejected, buyer.id, { reason: 'Too short' })
    await rows('delete from email_rate')
    await rows(`update jobs.job set start_after = now() where state = 'retry'`)
    const fast = await start(1000)
    await eventually(async () => sent() >= workers.length && (await jobs('completed')).length === 2)
    await fast.stop()
    assert.deepEqual(
      workers.map((worker) => mailsTo(worker).length),
      workers.map(() => 1),
    )
    const priorities = (await jobs('completed')).map(({ kind, priority }) => `${kind} ${priority}`)
    assert.deepEqual(priorities.sort(), ['submission_approved 0', 'submission_rejected 1'])
  })

  test('that fail and are not bulk are retried before bulk ones', async () => {
    const buyer = await aBuyer(db.database, { coins: 100 })
    const task = await aTask(db.database, buyer, { slots: 2 })
    const [unreachable, other] = [await aWorker(db.database), await aWorker(db.database)]
    smtp.refuse(unreachable.email, 451)
    for (const worker of [unreachable, other]) {
      await rows('update identities set email_verified_at = now() where id = $1', [worker.id])
      const submission = await aSubmission(db.database, task, worker)
      await rejectSubmission(db.database, noAppeals, submission, buyer.id, { reason: 'Too short' })
    }
    const completed = (await jobs('completed')).length
    const { stop } = await start(1000)
    await eventually(async () => (await jobs('completed')).length > completed)
    await stop()
    // The retry may have been made, and have failed too, before the stop.
    const waiting = [...(await jobs('created')), ...(await jobs('retry'))]
    assert.deepEqual(
      waiting.map(({ kind, priority }) => `${kind} ${priority}`),
      ['submission_rejected 1'],
    )
    assert.equal(mailsTo(other).length, 1)
  })
})
