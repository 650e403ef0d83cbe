import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { SERVER_ROLE } from '#server/database/server-role.ts'
import { startJobs } from '#server/jobs/start.ts'
import { render } from '#server/mail/render.ts'
import { emailContentOf, notificationEmail, reviewDigestEmail } from '#server/mail/templates.ts'
import { BODIES } from '#tests/api/samples.ts'
import { type TestResponse, useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  type TestUser,
  taskBody,
} from '#tests/support/factories.ts'

const SCRIPTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</script><svg/onload=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
  '<%= 7*7 %>#{7*7}',
]
const SQL = [
  `' or '1'='1`,
  `'; drop table users; --`,
  `") union select null, secret from identities --`,
  `\\'; select nextval('injected'); --`,
  `$$; select nextval('injected'); $$`,
  `1; select nextval('injected')`,
  `%' and (select count(*) from identities) > 0 --`,
  `a'||(select nextval('injected'))||'`,
]

describe('injection', () => {
  const api = useApi()
  let buyer: TestUser
  let worker: TestUser
  let admin: TestUser

  before(async () => {
    const { context, app } = api.instance
    await (await startJobs(context, app.log)).stop()
    buyer = await aBuyer(api.database, { coins: 5_000 })
    worker = await aWorker(api.database, { coins: 5_000 })
    admin = await anAdmin(api.database)
  })

  function expectJson({ status, headers, text }: TestResponse): void {
    assert.ok(status < 500, text)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  }

  test('a script in a task, a submission, a name or a message is returned as text, in JSON', async () => {
    for (const script of SCRIPTS) {
      const body = {
        ...taskBody({ title: script, slots: 1, reward: 1 }),
        task_detail: script,
        submission_info: script,
      }
      const posted = await api.as(buyer).post('/add-task', body)
      assert.equal(posted.status, 200, posted.text)
      const task = await api.as(worker).get(`/task-datails/${posted.body.insertedId}`)
      expectJson(task)
      assert.deepEqual([task.body.task_title, task.body.task_detail], [script, script])

      const work = { taskId: posted.body.insertedId, submissoin_data: script, payable_amount: 1 }
      assert.equal((await api.as(worker).post('/submiteted-task', work)).status, 200)
      const review = await api.as(buyer).get(`/task-to-review?email=${buyer.email}`)
      expectJson(review)
      assert.ok(
        review.body.some((row: Record<string, unknown>) => Object.values(row).includes(script)),
        review.text,
      )

      const message = { name: script, email: worker.email, subject: script, message: script }
      assert.equal((await api.anyone.post('/contact', message)).status, 201)
      const inbox = await api.as(admin).get('/contact')
      expectJson(inbox)
      assert.equal(inbox.body[0].message, script)
    }
    const notices = await api.as(buyer).get(`/notifications/${buyer.email}`)
    expectJson(notices)
  })

  test('a script in a URL, a query or a header is not reflected as HTML', async () => {
    for (const script of SCRIPTS.map(encodeURIComponent)) {
      for (const path of [
        `/${script}`,
        `/task-datails/${script}`,
        `/all-task?q=${script}`,
        `/all-task?sort=${script}`,
      ]) {
        const response = await api.as(worker).get(path, { 'x-name': script })
        expectJson(response)
      }
      const page = await api.instance.app.inject({ url: `/${script}?x=${script}` })
      assert.doesNotMatch(page.body, /alert\(1\)/)
      const link = await api.instance.app.inject({ url: `/unsubscribe?token=${script}` })
      assert.doesNotMatch(link.body, /alert\(1\)/)
    }
  })

  test('SQL in every text of every body and query is text: nothing fails, runs or returns more', async () => {
    // People of its own: some of these calls sign them out everywhere.
    const people = {
      Buyer: await aBuyer(api.database, { coins: 500 }),
      Worker: await aWorker(api.database, { coins: 500 }),
      Admin: await anAdmin(api.database),
    }
    // A sequence counts on even if the transaction is rolled back.
    await api.owner.query(
      `create sequence injected; grant select, usage on sequence injected to ${SERVER_ROLE}`,
    )
    const before = await totals()
    for (const [index, { name, endpoint }] of ENDPOINTS.entries()) {
      if (['live', 'apiEvents', 'uploadImage', 'addDisputeFile', 'updateRole'].includes(name)) continue
      const { who } = endpoint.access
      const user = people[typeof who === 'string' ? 'Worker' : (who[0] ?? 'Admin')]
      const authorization = await api.instance.signIn(user)
      const client = api.withHeader(authorization)
      for (const [turn, sql] of SQL.entries()) {
        const param = endpoint.path.includes(':email') ? user.email : sql
        const path = endpoint.path.replaceAll(/:\w+/g, encodeURIComponent(param))
        const names = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, one = '']) => one)
        const params = Object.fromEntries(names.map((one) => [one, param]))
        const query = `?q=${encodeURIComponent(sql)}&search=${encodeURIComponent(sql)}&email=${encodeURIComponent(user.email)}&cursor=${encodeURIComponent(sql)}`
        const sample = BODIES[name]?.(user)
        const body =
          sample &&
          Object.fromEntries(
            Object.entries(sample).map(([field, value]) => [
              field,
              typeof value === 'string' && field !== 'email' && !field.endsWith('assword') ? sql : value,
            ]),
          )
        // What the parser refuses never reaches a statement: each endpoint gets one of those.
        const isParsed =
          endpoint.params?.safeParse(params).success !== false &&
          endpoint.body?.safeParse(body).success !== false
        if (!isParsed && turn !== index % SQL.length) continue
        for (const address of endpoint.method === 'GET'
          ? [path + query, `${path}?q=${encodeURIComponent(sql)}`]
          : [path]) {
          const response = await client.call(endpoint.method, address, body)
          assert.ok(response.status < 500, `${endpoint.method} ${address}: ${response.text}`)
          assert.doesNotMatch(response.text, /syntax error at|relation "|column "|pg_catalog/, response.text)
        }
      }
    }
    const found = await api.anyone.get(`/get-all-user?q=${encodeURIComponent(SQL[0] ?? '')}`)
    assert.deepEqual(found.body, [])
    assert.deepEqual(await totals(), before)
  })

  async function totals() {
    const { rows } = await api.database.pool.query(
      'select (select count(*) from users) as users, (select is_called from injected) as injected',
    )
    return rows[0]
  }

  test('line breaks do not reach the headers of mails or responses', async () => {
    const evil = 'A title\r\nBcc: everybody@example.com\r\n\r\nHello'
    const notice = { name: evil, message: evil, url: 'https://work.example.com/dashboard' }
    for (const email of [
      notificationEmail('en', { ...notice, kind: 'submission_approved', always: false }),
      reviewDigestEmail('bn', { name: evil, count: 2, titles: [evil], url: notice.url }),
      emailContentOf(
        { to: 'a@example.com', template: 'verify-email', data: { name: evil, hours: 1 }, link: notice.url },
        evil,
      ),
    ]) {
      const { subject, html } = render(email, evil)
      assert.doesNotMatch(subject, /[\r\n]/)
      assert.doesNotMatch(html, /<[^>]*Bcc/)
    }
    for (const email of ['a@example.com\r\nBcc: b@example.com', 'a@example.com\nx', 'a\u2028@example.com'])
      assert.ok((await api.anyone.post('/auth/request-reset', { email })).status >= 400, email)
    for (const path of ['/all-task?cursor=%0d%0aset-cookie:%20a=b', '/%0d%0aset-cookie:%20a=b']) {
      const { headers } = await api.anyone.get(path)
      assert.equal(headers['set-cookie'], undefined)
    }
  })

  test('a path cannot escape its directory', async () => {
    const up = [
      '../',
      '..%2f',
      '%2e%2e/',
      '%2e%2e%2f',
      '..%5c',
      '..\\',
      '....//',
      '%252e%252e%252f',
      '..%c0%af',
    ]
    const targets = ['etc/passwd', 'package.json', 'server/main.ts']
    for (const base of ['/', '/assets/', '/images/', '/api/', '/login/']) {
      for (const step of up) {
        for (const target of targets) {
          const url = base + step.repeat(8) + target
          const { statusCode, body } = await api.instance.app.inject({ url })
          assert.ok(statusCode < 500, `${url}: ${statusCode}`)
          assert.doesNotMatch(body, /root:x:|"dependencies"|readConfig/, url)
        }
      }
    }
    for (const url of [
      '/.env',
      '/.git/config',
      '/package.json',
      '/images/%00.webp',
      '/assets/%00',
      '/images/..',
    ])
      assert.doesNotMatch((await api.instance.app.inject({ url })).body, /\[core\]|"dependencies"/, url)
  })

  test('__proto__, constructor and prototype pollute no object', async () => {
    const clean = JSON.stringify(Object.getOwnPropertyNames(Object.prototype))
    for (const body of [
      '{"__proto__":{"role":"Admin","polluted":1}}',
      '{"value":"Admin","__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"a":{"b":{"__proto__":{"polluted":1}}}}',
      '[{"__proto__":{"polluted":1}}]',
      '{"\\u005f\\u005fproto\\u005f\\u005f":{"polluted":1}}',
    ]) {
      for (const path of ['/user-data', '/add-task', '/contact', '/auth/sign-in', '/create-payment-intent']) {
        const response = await api.as(buyer).post(path, body)
        assert.ok(response.status >= 400 && response.status < 500, `${path} ${body}: ${response.status}`)
      }
    }
    for (const query of [
      '__proto__[polluted]=1',
      'constructor.prototype.polluted=1',
      '__proto__=1',
      'q[__proto__]=1',
    ])
      assert.ok((await api.anyone.get(`/all-task?${query}`)).status < 500)
    assert.equal(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), clean)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })

  test('fields that clients may not set are ignored, whatever their name', async () => {
    const more = {
      _id: worker.id,
      id: worker.id,
      role: 'Admin',
      coin: 1_000_000,
      balance: 1_000_000,
      wallet: 1_000_000,
      isAdmin: true,
      buyer_id: worker.id,
      buyerId: worker.id,
      worker_id: worker.id,
      status: 'approved',
      isCompleted: true,
      closed_at: '2020-01-01',
      created_at: '2020-01-01',
      emailVerified: true,
      email_verified_at: '2020-01-01',
    }
    const signedUp = await api.anyone.post('/auth/sign-up', { ...BODIES.signUp?.(worker), ...more })
    assert.equal(signedUp.status, 201, signedUp.text)
    const { rows } = await api.database.pool.query(
      'select email_verified_at, id from identities where email_key = $1',
      [signedUp.body.user.email],
    )
    assert.deepEqual([rows[0].email_verified_at, rows[0].id === worker.id], [null, false])

    const { _id: _1, id: _2, ...rest } = more
    const posted = await api.as(buyer).post('/add-task', { ...taskBody({ slots: 1, reward: 2 }), ...rest })
    assert.equal(posted.status, 200, posted.text)
    const taskId = posted.body.insertedId
    const { body: task } = await api.as(buyer).get(`/task-datails/${taskId}`)
    assert.deepEqual([task.buyer, task.isCompleted, task.payable_amount], [buyer.email, false, 2])

    const work = { taskId, submissoin_data: 'Done', payable_amount: 2, ...rest }
    const sent = await api.as(worker).post('/submiteted-task', work)
    assert.equal(sent.status, 200, sent.text)
    const { rows: kept } = await api.database.pool.query(
      'select status, worker_id from submissions where id = $1',
      [sent.body.insertedId],
    )
    assert.deepEqual(kept[0], { status: 'pending', worker_id: worker.id })

    const { body: me } = await api.as(worker).get(`/user-details/${worker.email}`)
    assert.deepEqual([me.role, me.coin, me.wallet], ['Worker', 5_010, 0])
    const elsewhere = await aTask(api.database, buyer, { slots: 1, reward: 1 })
    await aSubmission(api.database, elsewhere, worker)
  })
})
