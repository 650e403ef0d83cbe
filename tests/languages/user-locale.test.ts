import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { deliver, type MailJob } from '#server/mail/deliver.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker, type TestUser, testConfig } from '#tests/support/factories.ts'

describe('the language of a user', () => {
  const api = useApi()
  const bangla = { 'accept-language': 'bn-BD,bn;q=0.9' }

  const choose = (user: TestUser, locale: string) =>
    api.as(user).put('/profile', { name: user.name, image: '', locale })
  const localeOf = async (user: TestUser) =>
    (await api.as(user).get(`/user-details/${user.email}`)).body.locale
  const notify = (user: TestUser) =>
    api.database.pool.query(`select notify_user($1, 'role_changed', '{"role": "Buyer"}', null)`, [user.id])
  const messagesOf = async (user: TestUser) =>
    (await api.as(user).get('/my-notifications')).body.map(({ message }: { message: string }) => message)

  test('is English by default, and changes in the profile only when it is given', async () => {
    const worker = await aWorker(api.database)
    assert.equal(await localeOf(worker), 'en')
    assert.equal((await choose(worker, 'bn')).body.locale, 'bn')
    await api.as(worker).put('/profile', { name: 'Ruma', image: '' })
    assert.equal(await localeOf(worker), 'bn')
    const { status, body } = await choose(worker, 'xx')
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['locale']])
    assert.equal(await localeOf(worker), 'bn')
  })

  test('is the language of all notifications, also of earlier ones, and of the data file', async () => {
    const worker = await aWorker(api.database)
    await notify(worker)
    assert.deepEqual(await messagesOf(worker), ['Your role is now Buyer.'])
    await choose(worker, 'bn')
    assert.deepEqual(await messagesOf(worker), ['আপনার ভূমিকা এখন ক্রেতা।'])
    const { body } = await api.as(worker).get(`/notifications/${worker.email}`)
    assert.equal(body[0].message, 'আপনার ভূমিকা এখন ক্রেতা।')
    const file = await api.as(worker).get(`/my-data/${worker.email}`)
    assert.deepEqual(
      [file.body.person.locale, file.body.notifications[0].message],
      ['bn', 'আপনার ভূমিকা এখন ক্রেতা।'],
    )
    assert.equal(file.body.notifications[0].locale, undefined)
  })

  test('of the reader is used where an Admin reads the notifications of another user', async () => {
    const [worker, admin] = [await aWorker(api.database), await anAdmin(api.database)]
    await choose(worker, 'bn')
    await notify(worker)
    const { body } = await api.as(admin).get(`/notifications/${worker.email}`)
    assert.equal(body[0].message, 'Your role is now Buyer.')
  })

  test('is chosen at sign-up: by the request, or else by Accept-Language', async () => {
    const chosen = await Promise.all(
      [
        { headers: bangla, locale: undefined },
        { headers: {}, locale: undefined },
        { headers: bangla, locale: 'en' },
        { headers: {}, locale: 'bn' },
      ].map(async ({ headers, locale }, index) => {
        const email = `sign.up.${index}@example.com`
        const created = await api.anyone.post(
          '/auth/sign-up',
          { name: 'Ruma', email, password: 'Shapla-Phul-9', locale },
          headers,
        )
        assert.equal(created.status, 201)
        const { rows } = await api.database.pool.query<{ id: string; locale: string }>(
          `select id, (select payload ->> 'locale' from outbox where topic = 'mail' and user_id = identities.id) as locale
             from identities where email = $1`,
          [email],
        )
        const [identity] = rows
        assert.ok(identity)
        const me = { id: identity.id, email, name: 'Ruma' }
        const { body } = await api.as(me).post('/user-data', { email, role: 'Worker', locale }, headers)
        return [identity.locale, body.user.locale]
      }),
    )
    assert.deepEqual(chosen, [
      ['bn', 'bn'],
      ['en', 'en'],
      ['en', 'en'],
      ['bn', 'bn'],
    ])
  })

  test('is the language of account emails and of those about notifications', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-mail-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const mailer = openMailer({ name: 'T', mail: { kind: 'folder', folder, from: 'a@example.com' } })
    const buyer = await aBuyer(api.database, { name: 'Ruma' })
    await choose(buyer, 'bn')
    await api.database.pool.query('update identities set email_verified_at = now() where id = $1', [buyer.id])
    await api.database.pool.query(
      `select notify_user($1, 'account_frozen', '{"reason": "Test"}', null);`.replace('$1', `'${buyer.id}'`),
    )
    await api.anyone.post('/auth/request-reset', { email: buyer.email })
    const { rows } = await api.database.pool.query<{ payload: MailJob }>(
      `delete from outbox where topic = 'mail' and user_id = $1 returning payload`,
      [buyer.id],
    )
    const { rows: notices } = await api.database.pool.query<{ id: number }>(
      'select id from notifications where user_id = $1',
      [buyer.id],
    )
    const jobs = [
      ...rows.map(({ payload }) => payload),
      ...notices.map(({ id }) => ({ notice: id, kind: 'account_frozen' })),
    ]
    const context = { database: api.database, config: { ...testConfig, ...api.instance.config } }
    for (const [index, job] of jobs.entries())
      assert.equal(await deliver(context, mailer, `job-${index}`, job), 'sent')
    const mails = await Promise.all(
      (await readdir(folder)).map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))),
    )
    const subjects = mails.map(({ subject }): string => subject).toSorted()
    assert.deepEqual(
      subjects,
      ['T-এর পাসওয়ার্ড রিসেট করুন', 'আপনার অ্যাকাউন্ট স্থগিত'].map((subject) =>
        subject.replace(/^T/, api.instance.config.name),
      ),
    )
    for (const { text, html } of mails) {
      assert.match(text, /^প্রিয় Ruma,/)
      assert.match(html, /<html lang="bn">/)
      assert.match(text, /: https?:\/\/[^/]+\/bn\/(reset|dashboard)/)
    }
  })
})
