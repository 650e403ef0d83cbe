import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { approveSubmissions } from '#server/submissions/bulk-approve.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import { startPushService } from '#tests/support/push-service.ts'
import { startJobs } from './start.ts'

describe('a bulk approval', () => {
  const api = useApi()
  let service: Awaited<ReturnType<typeof startPushService>>
  let jobs: Awaited<ReturnType<typeof startJobs>>

  before(async () => {
    service = await startPushService()
    jobs = await startJobs(api.instance.context, api.instance.app.log)
  })
  after(async () => {
    await jobs.stop()
    service.close()
  })

  const rows = async (sql: string, values: unknown[] = []) =>
    (await api.database.pool.query(sql, values)).rows
  const reachable = async (locale: string, preferences?: object) => {
    const worker = await aWorker(api.database)
    await rows('update identities set email_verified_at = now() where id = $1', [worker.id])
    await rows('update users set locale = $2 where id = $1', [worker.id, locale])
    if (preferences) await api.as(worker).put('/mail-preferences', preferences)
    const device = service.subscribe()
    await api.as(worker).put('/push-subscriptions', device.subscription, { 'accept-language': locale })
    return { worker, device }
  }
  const mailsTo = async ({ email }: TestUser): Promise<{ text: string; messageId: string }[]> => {
    const { mail } = api.instance.config
    assert.equal(mail.kind, 'folder')
    const files = (await readdir(mail.folder)).filter((name) => name.endsWith('.json'))
    const mails = await Promise.all(
      files.map(async (name) => JSON.parse(await readFile(`${mail.folder}/${name}`, 'utf8'))),
    )
    return mails.filter(({ to }) => to === email)
  }
  const everythingSent = () =>
    eventually(
      async () =>
        (await rows('select from outbox_groups union all select from outbox')).length === 0 &&
        (
          await rows(
            `select from jobs.job where name in ('mail-notifications', 'push') and state <> 'completed'`,
          )
        ).length === 0,
    )

  test('makes one email and one push message for each worker, with the number and the coins', async () => {
    const [many, bangla, single, quiet] = [
      await reachable('en'),
      await reachable('bn'),
      await reachable('en'),
      await reachable('en', { workReceived: true, workDecided: false, payouts: true }),
    ]
    const buyer = await aBuyer(api.database, { coins: 500 })
    const workers = [many, many, many, bangla, bangla, single, quiet]
    const ids: string[] = []
    for (const { worker } of workers) {
      const task = await aTask(api.database, buyer, { slots: 1, reward: 7, title: 'Count shops' })
      ids.push(await aSubmission(api.database, task, worker))
    }
    const results = await approveSubmissions(api.database, ids, buyer.id)
    assert.ok(results.every(({ modified }) => modified))
    await everythingSent()

    const [textToMany, ...more] = (await mailsTo(many.worker)).map(({ text }) => text)
    assert.deepEqual(more, [])
    assert.match(textToMany ?? '', /\n3 of your submissions were approved\. You earned 21 coins\.\n/)
    const [textInBangla] = (await mailsTo(bangla.worker)).map(({ text }) => text)
    assert.match(textInBangla ?? '', /আপনার ২টি কাজ অনুমোদিত হয়েছে। আপনি ১৪টি কয়েন আয় করেছেন।/)
    const [textToSingle] = (await mailsTo(single.worker)).map(({ text }) => text)
    assert.match(textToSingle ?? '', /Your work on "Count shops" was approved\. You earned 7 coins\./)
    assert.deepEqual(await mailsTo(quiet.worker), [])

    assert.deepEqual(
      [many, bangla, single, quiet].map(({ device }) => device.received.map(({ body }) => body)),
      [
        ['3 of your submissions were approved. You earned 21 coins.'],
        ['আপনার ২টি কাজ অনুমোদিত হয়েছে। আপনি ১৪টি কয়েন আয় করেছেন।'],
        ['Your work on "Count shops" was approved. You earned 7 coins.'],
        [],
      ],
    )
    // The list still has each of them.
    const listed = await rows(
      `select from notifications where user_id = $1 and kind = 'submission_approved'`,
      [many.worker.id],
    )
    assert.equal(listed.length, 3)
  })

  test('sends the reminder of a deadline by the preference of whom it waits for', async () => {
    const title = 'Count shops'
    for (const [state, preference] of [
      ['rejection_open', 'workDecided'],
      ['appealed', 'workReceived'],
    ] as const) {
      const none = { workReceived: false, workDecided: false, payouts: true }
      const [on, off] = [
        await reachable('en', { ...none, [preference]: true }),
        await reachable('en', { ...none, workReceived: true, workDecided: true, [preference]: false }),
      ]
      for (const { worker } of [on, off])
        await rows(`select notify_user($1, 'deadline_near', $2, $3)`, [
          worker.id,
          { title, state },
          crypto.randomUUID(),
        ])
      await everythingSent()
      const sent = async ({ worker, device }: typeof on) => [
        (await mailsTo(worker)).length,
        device.received.length,
      ]
      assert.deepEqual(
        [await sent(on), await sent(off)],
        [
          [1, 1],
          [0, 0],
        ],
        state,
      )
    }
  })
})
