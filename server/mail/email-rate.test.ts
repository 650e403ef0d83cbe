import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { StoppedBeforeSending, startEmailRate } from './email-rate.ts'
import type { OutgoingEmail } from './mailer.ts'

const email = { to: 'ruma@example.com', messageId: '<1@x>', subject: '', text: '', html: '' }

describe('the rate of emails', () => {
  const db = useDatabase()
  const rows = async (sql: string, values: unknown[] = []) => (await db.database.pool.query(sql, values)).rows
  const delayNext = (by: string) =>
    rows(
      `insert into email_rate (next_at) values (clock_timestamp() + $1::interval)
       on conflict (id) do update set next_at = excluded.next_at`,
      [by],
    )
  const aMailer = () => {
    const sent: OutgoingEmail[] = []
    const mailer = { send: async (mail: OutgoingEmail) => void sent.push(mail), close: () => {} }
    return { sent, mailer }
  }

  test('instances share it: together they are at most a second ahead of an even pace', async () => {
    const [perSecond, each] = [20, 15]
    const instances = [startEmailRate(db.database, perSecond), startEmailRate(db.database, perSecond)]
    const { sent, mailer } = aMailer()
    const [{ started }] = await rows('select clock_timestamp() as started')
    await Promise.all(
      instances.flatMap((rate) => {
        const limited = rate.limited(mailer)
        return Array.from({ length: each }, () => limited.send(email))
      }),
    )
    assert.equal(sent.length, 2 * each)
    const [{ kept }] = await rows(
      'select clock_timestamp() >= $1::timestamptz + make_interval(secs => $2::float8 - 1) as kept',
      [started, (2 * each) / perSecond],
    )
    assert.ok(kept)
  })

  test('account emails are sent at once and delay the others; stopping ends the wait', async () => {
    await delayNext('50 seconds')
    const [{ next_at: before }] = await rows('select next_at from email_rate')
    const rate = startEmailRate(db.database, 0.5)
    const { sent, mailer } = aMailer()
    const waiting = [1, 2].map(() => assert.rejects(rate.limited(mailer).send(email), StoppedBeforeSending))
    const later = (by: string) =>
      rows('select from email_rate where next_at >= $1::timestamptz + $2::interval', [before, by])
    await rate.counted(mailer).send(email)
    assert.equal(sent.length, 1)
    // The first of the two that wait has reserved its turn too.
    await eventually(async () => (await later('4 seconds')).length === 1)
    rate.stop()
    await Promise.all(waiting)
    await assert.rejects(rate.limited(mailer).send(email), StoppedBeforeSending)
    assert.equal(sent.length, 1)
  })

  test('after the clock moved back, emails wait for a minute at most', async () => {
    await delayNext('7 days')
    const rate = startEmailRate(db.database, 10)
    await rate.counted(aMailer().mailer).send(email)
    const [{ bounded }] = await rows(
      `select next_at <= clock_timestamp() + interval '61 seconds' as bounded from email_rate`,
    )
    assert.ok(bounded)
  })
})
