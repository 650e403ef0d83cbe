import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StatementLine } from '#contract/ledger.ts'
import { LOCALES } from '#contract/locales.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  giveCoins,
  noAppeals,
} from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { presentStatementLine } from './present.ts'

describe('statement', () => {
  const api = useApi()

  /** Creates a buyer with several kinds of transfers, and the worker they paid. */
  async function aHistory() {
    const buyer = await aBuyer(api.database, { coins: 100 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 10, slots: 2, title: '=SUM(A1), "quoted"' })
    const paid = await aSubmission(api.database, task, worker)
    await approveSubmission(api.database, paid, buyer.id)
    const late = await aSubmission(api.database, task, await aWorker(api.database))
    await deleteTask(api.database, task, buyer)
    await rejectSubmission(api.database, noAppeals, late, buyer.id, { reason: 'No' })
    return { buyer, worker }
  }

  test('lists every transfer with its description and the balance after it, newest first', async () => {
    const { buyer, worker } = await aHistory()
    const { body } = await api.as(buyer).get(`/statement/${buyer.email}`)
    assert.deepEqual(
      body.map(({ kind, coins, balance }: StatementLine) => [kind, coins, balance]),
      [
        ['slot_refunded', 10, 140],
        ['task_funded', -20, 130],
        ['coins_bought', 100, 150],
        ['sign_up_bonus', 50, 50],
      ],
    )
    assert.equal(body[0].text, 'Refund for a slot of "=SUM(A1), "quoted""')
    assert.equal(body[0].balance, await balanceOf(api.database, buyer))
    const [earned] = (await api.as(worker).get(`/statement/${worker.email}`)).body
    assert.deepEqual([earned.kind, earned.coins, earned.balance], ['submission_paid', 10, 20])
  })

  test('describes every kind of transfer in words', async () => {
    const { rows } = await api.database.pool.query<{ kind: string }>(
      'select unnest(enum_range(null::transfer_kind))::text as kind',
    )
    const line = {
      id: 1,
      title: 'A task',
      coins: 1,
      balance: 1,
      debt: 0,
      created_at: '2026-01-31T09:00:00.000Z',
    }
    for (const locale of LOCALES) {
      const bare = rows.filter(({ kind }) => presentStatementLine({ ...line, kind }, locale).text === kind)
      // It goes from a hold to the marketplace's account.
      assert.deepEqual(bare, [{ kind: 'withdrawal_paid' }], locale)
    }
  })

  test('lists coins that came back after a won dispute as a restored payment, not as a purchase', async () => {
    const buyer = await aBuyer(api.database)
    const payment = await aPayment(api.database, buyer)
    for (const cents of [1000, 0]) await reverse(api.database, payment, cents)
    const { body } = await api.as(buyer).get(`/statement/${buyer.email}`)
    assert.deepEqual(
      body.map(({ kind, text, coins }: StatementLine) => [kind, text, coins]),
      [
        ['card_reversed', 'Card payment restored', 150],
        ['card_reversed', 'Card payment reversed', -150],
        ['coins_bought', 'Coins bought by card', 150],
        ['sign_up_bonus', 'Starting coins', 50],
      ],
    )
  })

  test('has the language of the screen, and its file that of the user', async () => {
    const worker = await aWorker(api.database)
    const path = `/statement/${worker.email}`
    const textOf = async (language: string) =>
      (await api.as(worker).get(path, { 'accept-language': language })).body[0].text
    assert.deepEqual([await textOf('en'), await textOf('bn-BD')], ['Starting coins', 'শুরুর কয়েন'])
    await api.database.pool.query(`update users set locale = 'bn' where id = $1`, [worker.id])
    const { text } = await api.as(worker).get(`${path}/csv`)
    assert.match(
      text,
      /^\uFEFFtime,kind,text,coins,balance,debt\r\n[^\r]+,sign_up_bonus,"শুরুর কয়েন",10,10,0\r\n$/,
    )
  })

  test('has the debt after each transfer, on every page', async () => {
    const buyer = await aBuyer(api.database, { coins: 30 })
    const { pool } = api.database
    await pool.query('select reverse_purchase(gen_random_uuid(), $1, 100)', [buyer.accountId])
    await giveCoins(api.database, buyer.accountId, 15)
    await giveCoins(api.database, buyer.accountId, 25)
    const lines: StatementLine[] = []
    let cursor = ''
    do {
      const { body, next } = await api.as(buyer).get(`/statement/${buyer.email}?limit=2${cursor}`)
      lines.push(...body)
      cursor = next
    } while (cursor !== '')
    assert.deepEqual(
      lines.map(({ kind, coins, balance, debt }) => [kind, coins, balance, debt]),
      [
        ['debt_paid', -5, 20, 0],
        ['coins_bought', 25, 25, 5],
        ['debt_paid', -15, 0, 5],
        ['coins_bought', 15, 15, 20],
        ['card_reversed', -80, 0, 20],
        ['coins_bought', 30, 80, 0],
        ['sign_up_bonus', 50, 50, 0],
      ],
    )
  })

  test('pages continue where the last one ended, also while coins move', async () => {
    const worker = await aWorker(api.database)
    for (let index = 0; index < 8; index++) await giveCoins(api.database, worker.accountId, index + 1)
    const lines: StatementLine[] = []
    let cursor = ''
    do {
      const { body, next } = await api.as(worker).get(`/statement/${worker.email}?limit=2${cursor}`)
      lines.push(...body)
      await giveCoins(api.database, worker.accountId, 1000)
      cursor = next
    } while (cursor !== '')
    assert.deepEqual(
      lines.map(({ balance }) => balance),
      [46, 38, 31, 25, 20, 16, 13, 11, 10],
    )
    for (const cursor of ['x', 'WzFd', Buffer.from('["a",1]').toString('base64url')])
      assert.equal((await api.as(worker).get(`/statement/${worker.email}?cursor=${cursor}`)).status, 400)
  })

  test('after concurrent transfers the newest line has the current balance', async () => {
    const worker = await aWorker(api.database)
    await atOnce(20, () => giveCoins(api.database, worker.accountId, 5))
    const { body } = await api.as(worker).get(`/statement/${worker.email}`)
    assert.equal(body.length, 21)
    assert.equal(body[0].balance, 110)
    assert.equal(body.at(-1).balance, 10)
  })

  test('the CSV file has every line, escapes formulas, and is available to the user and Admins only', async () => {
    const { buyer, worker } = await aHistory()
    const { status, text, headers } = await api.as(buyer).get(`/statement/${buyer.email}/csv`)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    const lines = text.split('\r\n')
    assert.equal(lines[0], '\uFEFFtime,kind,text,coins,balance,debt')
    assert.equal(lines.length, 1 + 4 + 1)
    assert.match(
      lines[1] ?? '',
      /^\d{4}-.*Z,slot_refunded,"Refund for a slot of ""=SUM\(A1\), ""quoted""""",10,140,0$/,
    )
    // A number below zero is no formula.
    assert.match(text, /Z,task_funded,"Reserved for .*",-\d+,\d+,0\r\n/)
    assert.equal((await api.as(worker).get(`/statement/${buyer.email}/csv`)).status, 403)
    assert.equal((await api.anyone.get(`/statement/${buyer.email}/csv`)).status, 401)
    const admin = await anAdmin(api.database)
    assert.equal((await api.as(admin).get(`/statement/${buyer.email}/csv`)).text, text)
    assert.equal((await api.as(admin).get(`/statement/nobody@example.com`)).status, 404)
  })

  test('a CSV file of thousands of lines is complete', async () => {
    const worker = await aWorker(api.database)
    await api.database.pool.query(
      `select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), $1, 1) from generate_series(1, 2500)`,
      [worker.accountId],
    )
    const { text } = await api.as(worker).get(`/statement/${worker.email}/csv`)
    const lines = text.trimEnd().split('\r\n')
    assert.equal(lines.length, 1 + 2501)
    assert.match(lines[1] ?? '', /,1,2510,0$/)
    assert.match(lines.at(-1) ?? '', /"Starting coins",10,10,0$/)
  })
})
