import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, anAdmin, type TestUser, testConfig } from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { deliver, type MailJob } from './deliver.ts'
import { openMailer } from './mailer.ts'
import { setPreferences } from './preferences.ts'
import { composeReceipt } from './receipt-email.ts'

describe('the email of a receipt', () => {
  const db = useDatabase()

  /** Takes the receipts of a user out of the outbox. */
  async function queuedFor(user: TestUser): Promise<MailJob[]> {
    const { rows } = await db.database.pool.query<{ payload: MailJob }>(
      `delete from outbox where topic = 'mail' and user_id = $1 returning payload`,
      [user.id],
    )
    return rows.map(({ payload }) => payload)
  }
  const verify = (user: TestUser) =>
    db.database.pool.query('update identities set email_verified_at = now() where id = $1', [user.id])

  test('is sent for a purchase and a credit note, with the PDF file, also when all notices are off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-mail-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const mailer = openMailer({ name: 'T', mail: { kind: 'folder', folder, from: 'a@example.com' } })
    const buyer = await aBuyer(db.database, { name: 'Ruma' })
    await verify(buyer)
    await setPreferences(db.database, buyer.id, { workReceived: false, workDecided: false, payouts: false })
    await reverse(db.database, await aPayment(db.database, buyer), 1000)

    const jobs = await queuedFor(buyer)
    assert.equal(jobs.length, 2)
    const context = { database: db.database, config: testConfig }
    for (const [index, job] of jobs.entries())
      assert.equal(await deliver(context, mailer, `job-${index}`, job), 'sent')
    const files = (await readdir(folder)).toSorted()
    const mails = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))),
    )
    assert.match(mails[0].subject, /^Receipt TEST-R-\d{6} for \$10\.00$/)
    assert.match(mails[1].subject, /^Credit note TEST-C-\d{6} for \$10\.00$/)
    const [{ to, text, attachments }] = mails
    assert.equal(to, buyer.email)
    assert.match(text, /^Hello Ruma,\n\n150 coins\n\nTotal: \$10\.00/)
    assert.match(attachments[0].filename, /^TEST-R-\d{6}\.pdf$/)
    assert.match(Buffer.from(attachments[0].content, 'base64').toString('latin1'), /^%PDF/)
  })

  test('and its file are in the language of the user', async () => {
    const buyer = await aBuyer(db.database, { name: 'রুমা' })
    await verify(buyer)
    await db.database.pool.query(`update users set locale = 'bn' where id = $1`, [buyer.id])
    const id = await aPayment(db.database, buyer)
    const { rows } = await db.database.pool.query<{ id: string }>(
      'select id from receipts where payment_id = $1',
      [id],
    )
    const email = await composeReceipt(db.database, testConfig, rows[0]?.id ?? '')
    assert.match(email?.content.subject ?? '', /^রসিদ TEST-R-\d{6}, ১০\.০০\$$/)
    const file = Buffer.from(email?.attachments[0]?.content ?? '', 'base64').toString('latin1')
    assert.match(file, /\/Lang \(bn\)/)

    await reverse(db.database, id, 1000)
    const { rows: notes } = await db.database.pool.query<{ id: string }>(
      `select id from receipts where user_id = $1 and kind = 'refund'`,
      [buyer.id],
    )
    const note = await composeReceipt(db.database, testConfig, notes[0]?.id ?? '')
    assert.equal(note?.content.paragraphs[1], 'ফেরত দেওয়া পেমেন্ট, ১৫০টি কয়েন কেটে নেওয়া হয়েছে')
  })

  test('is not sent to an address that is not verified, nor to a deleted user', async () => {
    const mailer = openMailer(testConfig)
    const context = { database: db.database, config: testConfig }
    const buyer = await aBuyer(db.database)
    await aPayment(db.database, buyer)
    const [job] = await queuedFor(buyer)
    assert.ok(job)
    assert.equal(await deliver(context, mailer, 'job', job), 'skipped')
    await verify(buyer)
    const admin = await anAdmin(db.database)
    await db.database.pool.query('select delete_user($1, $2)', [buyer.id, admin.id])
    assert.equal(await deliver(context, mailer, 'job', job), 'skipped')
  })
})
