import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aWorker, testConfig } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'
import { startSmtp } from '#tests/support/smtp.ts'
import { openMailer, Undeliverable } from './mailer.ts'
import { render } from './render.ts'
import { emailContentOf } from './templates.ts'
import { unsubscribeUrl, verifyUnsubscribeToken } from './unsubscribe.ts'

const config = { ...testConfig, authSecret: 'a secret of the tests, long enough for anybody' }

const content = {
  locale: 'en' as const,
  subject: 'One\r\nBcc: everybody@example.com',
  paragraphs: ['Hello <b>"Ruma"</b> & friends'],
  button: { label: 'Open', url: 'https://work.example/x?a=1&b="2"' },
  note: 'A note',
}

test('an email has a one-line subject, escaped HTML and the same content as plain text', () => {
  const { subject, text, html } = render(content, 'TestResult & Co')
  assert.equal(subject, 'One Bcc: everybody@example.com')
  assert.match(text, /^Hello <b>"Ruma"<\/b> & friends\n\nOpen: https:\/\/work\.example/)
  assert.match(html, /Hello &lt;b&gt;&quot;Ruma&quot;&lt;\/b&gt; &amp; friends/)
  assert.match(html, /href="https:\/\/work\.example\/x\?a=1&amp;b=&quot;2&quot;"/)
  assert.match(html, /<meta name="viewport"/)
})

test('every account email has content, and an unknown template throws', () => {
  const data = { name: 'Ruma', hours: 72, minutes: 1, email: 'new@example.com' }
  for (const template of ['verify-email', 'reset-password', 'password-changed', 'email-changed']) {
    const { text } = render(
      emailContentOf({ template, to: 'a@example.com', data, link: 'https://x.example/#t' }, 'T'),
      'T',
    )
    assert.match(text, /^Hello Ruma,/)
    assert.doesNotMatch(text, /undefined|Unsubscribe/)
  }
  assert.throws(
    () => emailContentOf({ template: 'nothing', to: 'a@example.com', data }, 'T'),
    /Unknown mail template: nothing/,
  )
})

const textIn = (locale: 'en' | 'bn', template: string, data: Record<string, string>) =>
  render(
    emailContentOf({ template, to: 'a@example.com', data: { name: 'Ruma', hours: 1, ...data }, locale }, 'T'),
    'T',
  )

test('the email about a password says how it changed and what ended with it', () => {
  const of = (locale: 'en' | 'bn', method: string) => textIn(locale, 'password-changed', { method })
  assert.match(
    of('en', 'password').text,
    /has been changed, and you have been signed out on all other devices/,
  )
  assert.match(of('en', 'link').text, /with a link sent by email\. All devices.*API keys were revoked/)
  const taken = of('en', 'provider')
  assert.match(taken.subject, /^Your password for T was removed$/)
  assert.match(
    taken.text,
    /so the earlier password was removed\..*API keys and webhook endpoints were removed/,
  )
  assert.match(of('bn', 'link').text, /ইমেইলে পাঠানো লিংক দিয়ে.*API কী বাতিল/)
  assert.match(of('bn', 'provider').text, /আগের পাসওয়ার্ড সরানো হয়েছে.*ওয়েবহুক এন্ডপয়েন্ট/)
})

test('the email with the link of a changed address says that it replaces the email', () => {
  const of = (locale: 'en' | 'bn', purpose: string) => textIn(locale, 'verify-email', { purpose })
  const english = of('en', 'change-email').text
  assert.match(english, /to make this the email of your account/)
  assert.match(english, /did not request this change/)
  assert.doesNotMatch(english, /sign up/)
  assert.match(of('en', 'verify-email').text, /did not sign up/)
  assert.match(of('bn', 'change-email').text, /অ্যাকাউন্টের ইমেইল হবে।.*পরিবর্তন আপনি না চেয়ে থাকলে/s)
})

test('a name that mail programs would show as a link is omitted', () => {
  const textFor = (name: string) =>
    render(
      emailContentOf({ template: 'verify-email', to: 'a@example.com', data: { name, hours: 1 } }, 'T'),
      'T',
    ).text
  for (const name of ['Claim at evil.example now', 'https://evil', 'evil/x', 'mail@evil'])
    assert.match(textFor(name), /^Hello,\n/)
  for (const name of ['Ruma', 'Md. Rahim', 'M.A. Karim', 'রুমা'])
    assert.ok(textFor(name).startsWith(`Hello ${name},`))
})

test('an unsubscribe token is valid for one user and category, and only with a valid signature', () => {
  const userId = randomUUID()
  const token = new URL(unsubscribeUrl(config, userId, 'payouts')).searchParams.get('token') ?? ''
  assert.deepEqual(verifyUnsubscribeToken(config, token), { userId, category: 'payouts' })
  for (const forged of [
    token.replace('payouts', 'workDecided'),
    token.replace(userId, randomUUID()),
    token.slice(0, -1),
    `${token}.x`,
    '',
    '..',
  ]) {
    assert.equal(verifyUnsubscribeToken(config, forged), undefined)
  }
  const other = { ...config, authSecret: 'another secret of the tests, long enough' }
  assert.equal(verifyUnsubscribeToken(other, token), undefined)
})

test('a repeated attempt leaves one message in the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-mail-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const mailer = openMailer({ name: 'T', mail: { kind: 'folder', folder, from: 'a@example.com' } })
  const mail = { ...render(content, 'T'), to: 'b@example.com', messageId: '<1@x>' }
  await mailer.send(mail)
  await mailer.send(mail)
  await mailer.send({ ...mail, messageId: '<2@x>' })
  assert.equal((await readdir(folder)).length, 2)
})

test('only a recipient can be rejected for good: mail whose sender is rejected is retried', async () => {
  const smtp = await startSmtp()
  const [sender, recipient] = ['no-reply@work.example', 'b@example.com']
  const mailer = openMailer({ name: 'T', mail: { kind: 'smtp', url: smtp.url, from: sender } })
  const failureOf = async (to: string) =>
    mailer.send({ ...render(content, 'T'), to, messageId: '<1@x>' }).then(
      () => 'sent',
      (error) => (error instanceof Undeliverable ? 'undeliverable' : 'failed'),
    )
  try {
    smtp.refuse(sender, 550)
    assert.equal(await failureOf(recipient), 'failed')
    smtp.refuse(sender, 0)
    smtp.refuse(recipient, 451)
    assert.equal(await failureOf(recipient), 'failed')
    smtp.refuse(recipient, 550)
    assert.equal(await failureOf(recipient), 'undeliverable')
    assert.equal(await failureOf('b>@example.com'), 'undeliverable')
    for (const [code, text, failure] of [
      [550, '5.1.1 User unknown in local recipient table', 'undeliverable'],
      [556, '5.1.10 Recipient address has null MX', 'undeliverable'],
      [550, '5.2.1 Mailbox disabled', 'undeliverable'],
      [550, '5.1.0 <no-reply@work.example>: Sender address rejected: User unknown', 'failed'],
      [553, '5.1.7 <no-reply@work.example>: Sender address rejected', 'failed'],
      [553, '5.1.8 <no-reply@work.example>: Sender address rejected: Domain not found', 'failed'],
      [553, '5.7.1 <no-reply@work.example>: Sender address rejected: not owned by user', 'failed'],
      [554, '5.7.1 <b@example.com>: Relay access denied', 'failed'],
    ] as const) {
      smtp.refuse(recipient, code, text)
      assert.equal(await failureOf(recipient), failure, text)
    }
    smtp.refuse(recipient, 0)
    assert.equal(await failureOf(recipient), 'sent')
  } finally {
    mailer.close()
    await smtp.close()
  }
})

test('a missing mail setting is named in the error', () => {
  const read = (env: Record<string, string>) => readConfig({ PORT: '0', ...env }).mail
  assert.equal(read({}).kind, 'folder')
  assert.equal(read({ SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'a@example.com' }).kind, 'smtp')
  assert.throws(() => read({ SMTP_URL: 'smtp://localhost:25' }), /MAIL_FROM is missing/)
  assert.throws(() => read({ SMTP_URL: 'http://localhost' }), /SMTP_URL/)
  assert.throws(() => read({ MAIL: 'smtp' }), /SMTP_URL is missing/)
  const production = {
    NODE_ENV: 'production',
    AUTH_SECRET: RANDOM_SECRET,
    PUBLIC_URL: 'https://work.example',
    CARD_PROVIDER: 'sandbox',
    ALLOW_SANDBOX: '1',
  }
  assert.throws(() => read(production), /SMTP_URL is missing/)
})

describe("the developer's mail page", () => {
  const db = useDatabase()

  test('lists the messages, shows one, and does not exist in production', async () => {
    const instance = await anInstance(db.database)
    const { app, config: settings } = instance
    try {
      assert.match((await app.inject({ url: '/dev/mail' })).body, /No mail yet/)
      const mailer = openMailer(settings)
      await mailer.send({ ...render(content, 'T'), to: '<i>@example.com', messageId: '<1@x>' })
      const list = await app.inject({ url: '/dev/mail' })
      assert.match(list.body, /to &lt;i&gt;@example\.com/)
      assert.ok(!list.body.includes('<b>'))
      const [, path = ''] = /href="(\/dev\/mail\/[^"]+)"/.exec(list.body) ?? []
      const one = await app.inject({ url: path })
      assert.equal(one.statusCode, 200)
      assert.match(String(one.headers['content-security-policy']), /default-src 'none'/)
      assert.equal((await app.inject({ url: '/dev/mail/..%2f..%2fauth-secret' })).statusCode, 404)
    } finally {
      await instance.close()
    }
    const production = await anInstance(db.database, { isDevelopment: false })
    assert.equal((await production.app.inject({ url: '/dev/mail' })).statusCode, 404)
    await production.close()
  })

  test('the unsubscribe page lets browsers send the origin of its form, and the form works', async () => {
    const { app, config: settings, close } = await anInstance(db.database)
    try {
      const url = unsubscribeUrl(settings, randomUUID(), 'payouts').replace(settings.publicUrl, '')
      const page = await app.inject({ url })
      // With `no-referrer` browsers send `Origin: null` with the form, which is rejected.
      assert.equal(page.headers['referrer-policy'], 'same-origin')
      const form = { method: 'POST', url, payload: '' } as const
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = await app.inject({ ...form, headers: { ...type, origin: settings.publicUrl } })
      assert.match(sent.body, /You will no longer receive emails about your withdrawals/)
      assert.equal((await app.inject({ ...form, headers: { ...type, origin: 'null' } })).statusCode, 403)
    } finally {
      await close()
    }
  })

  test('the unsubscribe page says all that its category has', async () => {
    const { app, config: settings, close } = await anInstance(db.database)
    try {
      for (const [category, said] of [
        ['payouts', /withdrawals and about freezes of your account/],
        ['workReceived', /work on your tasks, appeals, reviews of rejections and their deadlines/],
        [
          'workDecided',
          /decisions on your work, revisions, reviews of rejections, bonuses and your deadlines/,
        ],
      ] as const) {
        const url = unsubscribeUrl(settings, randomUUID(), category).replace(settings.publicUrl, '')
        assert.match((await app.inject({ url })).body, said)
      }
    } finally {
      await close()
    }
  })

  test('the unsubscribe page has the language of the user, and without a user that of the browser', async () => {
    const { app, config: settings, close } = await anInstance(db.database)
    try {
      const worker = await aWorker(db.database)
      const read = async (url: string, language: string) => {
        const { body } = await app.inject({ url, headers: { 'accept-language': language } })
        return [/<html lang="(\w+)">/.exec(body)?.[1], /<h1>(.+)<\/h1>/.exec(body)?.[1]]
      }
      const url = unsubscribeUrl(settings, worker.id, 'payouts').replace(settings.publicUrl, '')
      assert.deepEqual(await read(url, 'bn'), ['en', 'Unsubscribe?'])
      await db.database.pool.query(`update users set locale = 'bn' where id = $1`, [worker.id])
      assert.deepEqual(await read(url, 'en'), ['bn', 'ইমেইল বন্ধ করবেন?'])
      assert.deepEqual(await read('/unsubscribe?token=x', 'bn-BD'), ['bn', 'এই লিংকটি সঠিক নয়'])
    } finally {
      await close()
    }
  })
})

describe('the unsubscribe link', () => {
  const db = useDatabase()

  test('is limited per network, and a repetition writes nothing', async () => {
    const instance = await anInstance(db.database, { writeLimitFactor: 2 / 6_000 })
    try {
      const { id } = await aWorker(db.database)
      const { pathname, search } = new URL(unsubscribeUrl(instance.config, id, 'payouts'))
      const post = async () =>
        (await instance.app.inject({ method: 'POST', url: pathname + search })).statusCode
      const version = async () =>
        (await db.database.pool.query('select xmin, payouts from mail_preferences where user_id = $1', [id]))
          .rows
      assert.equal(await post(), 200)
      const [first] = await version()
      assert.equal(first.payouts, false)
      assert.equal(await post(), 200)
      assert.deepEqual(await version(), [first])
      assert.equal(await post(), 429)
    } finally {
      await instance.close()
    }
  })
})
