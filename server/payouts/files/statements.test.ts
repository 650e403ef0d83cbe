import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { PayoutCase, StatementCounts, StatementMapping } from '#contract/payout-statements.ts'
import { writeCsv } from '#server/http/csv-file.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker, type TestUser } from '#tests/support/factories.ts'
import { aRequest } from '#tests/support/payouts.ts'
import { parseAmount } from './statement-lines.ts'

const MAPPING: StatementMapping = {
  currency: 'USD',
  negative: false,
  reference: 'Narration',
  amount: 'Amount',
  transactionId: 'TrxID',
  accountNumber: 'Receiver',
  fee: '',
  status: 'Status',
  paid: ['Completed'],
  failed: ['Failed'],
  pending: ['Pending'],
}
const HEADING = ['TrxID', 'Narration', 'Receiver', 'Amount', 'Status']
const NONE: StatementCounts = {
  confirmed: 0,
  failed: 0,
  settled: 0,
  repeated: 0,
  pending: 0,
  ignored: 0,
  cases: 0,
}
type TestPayout = {
  _id: string
  reference: string
  state: string
  transactionId: string
  withdrawalId: string
}

let number = 0
/** A line that pays a payout of $10. */
const lineOf = ({ reference }: TestPayout, change: Record<number, string> = {}) =>
  Object.assign(
    [`TX${++number}`, `Payout ${reference}`, '1712345678', '10.00', 'Completed'],
    change,
  ) as string[]

describe('statements', () => {
  const api = useApi()
  const importAs = (
    admin: TestUser,
    lines: string[][],
    change: Partial<StatementMapping> = {},
    heading = HEADING,
  ) =>
    api.as(admin).post('/payout-statements', {
      account: 'Bank',
      fileName: 'statement.csv',
      content: writeCsv([heading, ...lines]).toString('base64'),
      mapping: { ...MAPPING, ...change },
    })
  const counts = async (...given: Parameters<typeof importAs>): Promise<StatementCounts> => {
    const { status, body, text } = await importAs(...given)
    assert.equal(status, 201, text)
    return body.counts
  }
  const openCases = async (admin: TestUser): Promise<PayoutCase[]> =>
    ((await api.as(admin).get('/payout-cases')).body as PayoutCase[]).filter(
      ({ resolved }) => resolved === null,
    )
  const closeAll = async (admin: TestUser) => {
    for (const { _id } of await openCases(admin))
      await api.as(admin).patch(`/payout-cases/${_id}`, { decision: 'close', note: 'Test' })
  }
  const kinds = async (admin: TestUser) => {
    const found = (await openCases(admin)).map(({ kind }) => kind)
    await closeAll(admin)
    return found.toSorted()
  }

  async function aReleasedBatch(count: number) {
    const admin = await anAdmin(api.database)
    const withdrawalIds: string[] = []
    for (let index = 0; index < count; index++) withdrawalIds.push((await aRequest(api.database)).id)
    const created = await api.as(admin).post('/payout-batches', { withdrawalIds })
    const batch = created.body.insertedId as string
    await api.as(admin).post(`/payout-batches/${batch}/release`)
    const payouts = async (): Promise<TestPayout[]> =>
      (await api.as(admin).get(`/payout-batches/${batch}`)).body.payouts
    const [first, ...others] = await payouts()
    return {
      admin,
      batch,
      payouts,
      states: async () => (await payouts()).map(({ state }) => state),
      first: first as TestPayout,
      others,
    }
  }

  test('lines settle their payouts once: duplicate, partial and reordered statements change nothing', async () => {
    const { admin, batch, states, first, others } = await aReleasedBatch(3)
    const lines = [first, ...others].map((payout) => lineOf(payout))
    const unrelated = ['TX-FEE', 'Monthly fee', '', '', 'Completed']
    assert.deepEqual(await counts(admin, lines.slice(0, 1)), { ...NONE, confirmed: 1 })
    assert.deepEqual(await states(), ['confirmed', 'sent', 'sent'])
    assert.deepEqual(await counts(admin, [unrelated, ...lines.toReversed()]), {
      ...NONE,
      confirmed: 2,
      repeated: 1,
      ignored: 1,
    })
    assert.deepEqual(await counts(admin, [...lines, ...lines]), { ...NONE, repeated: 6 })
    assert.equal((await api.as(admin).get(`/payout-batches/${batch}`)).body.state, 'reconciled')
    assert.deepEqual(await kinds(admin), [])
  })

  test('an edited line of a settled payout becomes one case, never a second booking', async () => {
    const { admin, states, first } = await aReleasedBatch(1)
    const line = lineOf(first)
    await counts(admin, [line])
    const edited = line.with(3, '100.00')
    for (let repetition = 0; repetition < 2; repetition++) {
      assert.deepEqual(await counts(admin, [edited]), { ...NONE, cases: 1 })
    }
    assert.deepEqual(await counts(admin, [line.with(4, 'Failed')]), { ...NONE, cases: 1 })
    assert.deepEqual(await counts(admin, [line.with(4, 'Pending')]), { ...NONE, repeated: 1 })
    assert.deepEqual(await kinds(admin), ['edited_line', 'edited_line'])
    assert.deepEqual(await counts(admin, [lineOf(first)]), { ...NONE, cases: 1 })
    assert.deepEqual(await kinds(admin), ['second_line'])
    assert.deepEqual(await states(), ['confirmed'])
  })

  test('what does not match is a case, and nothing is booked', async () => {
    const { admin, states, first } = await aReleasedBatch(1)
    for (const [change, kind] of [
      [{ 3: '10.01' }, 'amount_differs'],
      [{ 3: 'ten' }, 'unreadable_amount'],
      [{ 2: '01799999999' }, 'number_differs'],
      [{ 4: 'Whatever' }, 'unclear_status'],
      [{ 1: 'TW000000000000' }, 'unknown_reference'],
    ] as const) {
      assert.deepEqual(await counts(admin, [lineOf(first, change)]), { ...NONE, cases: 1 }, kind)
      assert.deepEqual(await kinds(admin), [kind])
      assert.deepEqual(await states(), ['sent'], kind)
    }
    assert.deepEqual(await counts(admin, [lineOf(first, { 4: 'Pending' })]), { ...NONE, pending: 1 })
    assert.deepEqual(await counts(admin, [lineOf(first)], { currency: 'BDT' }), { ...NONE, cases: 1 })
    assert.deepEqual(await kinds(admin), ['amount_differs'])
    assert.deepEqual(
      await counts(admin, [lineOf(first, { 3: '-10.00' })]),
      { ...NONE, cases: 1 },
      'money came in',
    )
    assert.deepEqual(await kinds(admin), ['unclear_status'])
  })

  test('an import that opens cases notifies every Admin once, and a repetition nobody', async () => {
    const { admin, first, others } = await aReleasedBatch(2)
    const other = await anAdmin(api.database)
    const messages = async (user: TestUser) =>
      ((await api.as(user).get(`/notifications/${user.email}`)).body as { message: string }[])
        .map(({ message }) => message)
        .filter((message) => /of the statement/.test(message))
    const before = (await messages(admin)).length
    const lines = [first, ...others].map((payout) => lineOf(payout, { 3: '11.00' }))
    for (const _ of [1, 2]) await counts(admin, lines)
    assert.deepEqual(await messages(other), ['2 lines of the statement statement.csv need your decision.'])
    assert.equal((await messages(admin)).length, before + 1)
    await counts(admin, [lineOf(first)])
    assert.equal((await messages(other)).length, 1, 'A payment is no case')
    await closeAll(admin)
  })

  test('a pending line settles its payout when it is completed, and a mismatch when it is corrected', async () => {
    const { admin, states, first, others } = await aReleasedBatch(2)
    const [line, wrong] = [lineOf(first), lineOf(others[0] as TestPayout)]
    await counts(admin, [line.with(4, 'Pending'), wrong.with(3, '9.99')])
    assert.deepEqual(await counts(admin, [line, wrong]), { ...NONE, confirmed: 2 })
    assert.deepEqual(await states(), ['confirmed', 'confirmed'])
    assert.deepEqual(await openCases(admin), [], 'The case is resolved by the corrected line')
  })

  test('failed lines fail payouts; a payment after that is a case', async () => {
    const { admin, states, first } = await aReleasedBatch(1)
    assert.deepEqual(await counts(admin, [lineOf(first, { 4: 'failed' })]), { ...NONE, failed: 1 })
    assert.deepEqual(await states(), ['failed'])
    assert.deepEqual(await counts(admin, [lineOf(first)]), { ...NONE, cases: 1 })
    assert.deepEqual(await kinds(admin), ['second_line'])
  })

  test('an unknown payout moves by its line, or by an Admin who accepts a differing one', async () => {
    const { admin, states, first, others } = await aReleasedBatch(3)
    const [second, third] = others as [TestPayout, TestPayout]
    for (const { _id } of [first, second, third])
      await api.as(admin).post(`/payouts/${_id}/unknown`, { reason: 'Timed out' })
    assert.equal((await api.as(admin).post(`/payouts/${first._id}/confirm`, {})).status, 409)
    await counts(admin, [lineOf(first), lineOf(second, { 2: '017XXXXX678' }), lineOf(third, { 3: '9.00' })])
    const [masked, less] = (await openCases(admin)).toSorted((one, other) => (one.kind > other.kind ? -1 : 1))
    assert.deepEqual(
      [masked?.kind, masked?.decidable, less?.kind],
      ['number_differs', true, 'amount_differs'],
    )
    const decide = (found: PayoutCase | undefined, decision: string) =>
      api.as(admin).patch(`/payout-cases/${found?._id}`, { decision, note: 'Called the bank' })
    assert.equal((await decide(masked, 'confirm')).status, 200)
    assert.equal((await decide(masked, 'confirm')).body.error.code, 'already_decided')
    assert.equal((await decide(less, 'fail')).status, 200)
    assert.deepEqual(await states(), ['confirmed', 'confirmed', 'failed'])
  })

  test('a closed case is opened again by its line while nothing else can settle the payout', async () => {
    const { admin, states, first } = await aReleasedBatch(1)
    const line = lineOf(first, { 3: '9.00' })
    assert.deepEqual(await counts(admin, [line]), { ...NONE, cases: 1 })
    assert.deepEqual(await kinds(admin), ['amount_differs'])
    assert.deepEqual(await counts(admin, [line]), { ...NONE, cases: 1 })
    assert.deepEqual(await openCases(admin), [], 'A payout that was sent can be settled by hand')
    await api.as(admin).post(`/payouts/${first._id}/unknown`, { reason: 'Timed out' })
    for (const repetition of ['again', 'once']) {
      assert.deepEqual(await counts(admin, [line]), { ...NONE, cases: 1 })
      assert.equal((await openCases(admin)).length, 1, repetition)
    }
    const [found] = await openCases(admin)
    assert.deepEqual([found?.decidable, found?.resolved], [true, null])
    await api.as(admin).patch(`/payout-cases/${found?._id}`, { decision: 'fail', note: 'It came back' })
    assert.deepEqual(await states(), ['failed'])
    await counts(admin, [line])
    assert.deepEqual(await openCases(admin), [])
  })

  test('a line that an Admin decided about is no edited line when the next statement repeats it', async () => {
    const { admin, states, first, others } = await aReleasedBatch(2)
    const lines = [first, ...others].map((payout, index) =>
      lineOf(payout, index === 0 ? { 4: 'Being checked' } : { 3: '9.00' }),
    )
    assert.deepEqual(await counts(admin, lines), { ...NONE, cases: 2 })
    for (const { _id, kind } of await openCases(admin)) {
      const decision = kind === 'unclear_status' ? 'confirm' : 'fail'
      await api.as(admin).patch(`/payout-cases/${_id}`, { decision, note: 'The bank said so' })
    }
    assert.deepEqual((await states()).toSorted(), ['confirmed', 'failed'])
    assert.deepEqual(await counts(admin, [['TX-NEXT', 'Interest', '', '', 'Completed'], ...lines]), {
      ...NONE,
      repeated: 2,
      ignored: 1,
    })
    assert.deepEqual(await kinds(admin), [])
    const edited = lines.map((line) => line.with(3, '11.00'))
    assert.deepEqual(await counts(admin, edited), { ...NONE, cases: 2 })
    assert.deepEqual(await kinds(admin), ['edited_line', 'edited_line'])
  })

  for (const order of ['file', 'reversed', 'separate files', 'separate files, reversed'] as const) {
    test(`the lines of a bulk transfer with one transaction id settle their own payouts (${order})`, async () => {
      const { admin, payouts, states, first, others } = await aReleasedBatch(3)
      const all = [first, ...others]
      for (const { _id } of all.slice(1))
        await api.as(admin).post(`/payouts/${_id}/unknown`, { reason: 'Timed out' })
      const lines = all.map((payout) => lineOf(payout, { 0: `BULK ${order}` }))
      if (order.endsWith('reversed')) lines.reverse()
      const files = order.startsWith('separate') ? lines.map((line) => [line]) : [lines]
      for (const file of files)
        assert.deepEqual(await counts(admin, file), { ...NONE, confirmed: file.length })
      assert.deepEqual(await states(), ['confirmed', 'confirmed', 'confirmed'])
      for (const repeated of [lines, lines.toReversed(), lines.slice(1)])
        assert.deepEqual(await counts(admin, repeated), { ...NONE, repeated: repeated.length })
      assert.deepEqual(
        (await payouts()).map(({ transactionId }) => transactionId),
        all.map(() => `BULK ${order}`),
      )
      assert.deepEqual(await counts(admin, [lines[1]?.with(3, '11.00') as string[]]), { ...NONE, cases: 1 })
      const [edited] = await openCases(admin)
      assert.equal(edited?.kind, 'edited_line')
      assert.match(lines[1]?.[1] ?? '', new RegExp(`${edited?.payout?.reference}$`))
      await closeAll(admin)
    })
  }

  test('lines of one transaction id that differ from their payouts are cases of their own', async () => {
    const { admin, states, first, others } = await aReleasedBatch(2)
    const second = others[0] as TestPayout
    const lines = [first, second].map((payout) => lineOf(payout, { 0: 'BULK', 3: '9.00' }))
    assert.deepEqual(await counts(admin, lines), { ...NONE, cases: 2 })
    assert.deepEqual(await counts(admin, lines.toReversed()), { ...NONE, cases: 2 })
    const open = await openCases(admin)
    assert.deepEqual(
      new Set(open.map(({ kind, decidable, payout }) => `${kind} ${decidable} ${payout?.reference}`)),
      new Set([first, second].map(({ reference }) => `amount_differs true ${reference}`)),
    )
    assert.equal(open.length, 2)
    for (const { _id } of open)
      await api.as(admin).patch(`/payout-cases/${_id}`, { decision: 'confirm', note: 'The bank kept $1' })
    assert.deepEqual(await states(), ['confirmed', 'confirmed'])
  })

  test('a line beside one of the same transaction id that an Admin decided about is no edited line', async () => {
    const { admin, first } = await aReleasedBatch(1)
    const differing = lineOf(first, { 0: 'BULK OF TWO', 3: '9.00' })
    const unknown = differing.with(1, 'Salary of May')
    const lines = [differing, unknown]
    assert.deepEqual(await counts(admin, lines), { ...NONE, cases: 2 })
    const [ours] = (await openCases(admin)).filter(({ kind }) => kind === 'amount_differs')
    await api.as(admin).patch(`/payout-cases/${ours?._id}`, { decision: 'confirm', note: 'The bank kept $1' })
    await counts(admin, [['TX-LATER', 'Interest', '', '', 'Completed'], ...lines])
    assert.deepEqual(await kinds(admin), ['unknown_reference'])
  })

  test('a line agrees with a payment that was confirmed by hand, and adds its transaction id', async () => {
    const { admin, payouts, first, others } = await aReleasedBatch(2)
    const [second] = others as [TestPayout]
    await api.as(admin).post(`/payouts/${first._id}/confirm`, {})
    await api.as(admin).post(`/payouts/${second._id}/confirm`, { transactionId: 'OTHER' })
    const line = lineOf(first)
    assert.deepEqual(await counts(admin, [line, lineOf(second)]), { ...NONE, settled: 1, cases: 1 })
    assert.equal((await payouts())[0]?.transactionId, line[0])
    assert.deepEqual(await kinds(admin), ['other_transaction'])
  })

  test('amounts in taka, negative payments, fees and lost zeros are understood', async () => {
    const admin = await anAdmin(api.database)
    await api.as(admin).post('/exchange-rates', { rate: '121.123456', source: 'Test', hours: 1 })
    const { admin: payer, first, batch } = await aReleasedBatch(1)
    const line = ['TX-TAKA', first.reference, "'8801712345678", '-1,211.23', '5.00']
    const heading = ['TrxID', 'Narration', 'Receiver', 'Amount', 'Fee']
    const change = { currency: 'BDT', negative: true, status: '', fee: 'Fee' } as const
    assert.deepEqual(await counts(payer, [line], change, heading), { ...NONE, confirmed: 1 })
    const [payout] = (await api.as(payer).get(`/payout-batches/${batch}`)).body.payouts
    assert.deepEqual([payout.poisha, payout.feePoisha, payout.transactionId], [121_123, 500, 'TX-TAKA'])
  })

  test('a statement adds the fee to a payment that was confirmed by hand with its transaction id', async () => {
    const admin = await anAdmin(api.database)
    await api.as(admin).post('/exchange-rates', { rate: '121.5', source: 'Test', hours: 1 })
    const { admin: payer, first, batch } = await aReleasedBatch(1)
    await api.as(payer).post(`/payouts/${first._id}/confirm`, { transactionId: 'TX-FEE' })
    const line = ['TX-FEE', first.reference, '', '1215.00', '5.00']
    const heading = ['TrxID', 'Narration', 'Receiver', 'Amount', 'Fee']
    const change = { currency: 'BDT', status: '', fee: 'Fee' } as const
    assert.deepEqual(await counts(payer, [line], change, heading), { ...NONE, settled: 1 })
    const [payout] = (await api.as(payer).get(`/payout-batches/${batch}`)).body.payouts
    assert.equal(payout.feePoisha, 500)
  })

  test('two concurrent imports, and an import against a confirmation by hand: each payout is booked once', async () => {
    const { admin, states, first, others } = await aReleasedBatch(4)
    const lines = [first, ...others].map((payout) => lineOf(payout))
    const [one, other] = [lines, [...lines.toReversed(), ['TX-NEW', 'Fee', '', '', 'Completed']]]
    const results = await Promise.all([
      importAs(admin, one),
      importAs(admin, other),
      importAs(admin, one),
      ...[first, ...others].map(({ _id }) => api.as(admin).post(`/payouts/${_id}/confirm`, {})),
    ])
    for (const { status, text } of results) assert.ok(status < 300, text)
    assert.deepEqual(await states(), ['confirmed', 'confirmed', 'confirmed', 'confirmed'])
    assert.deepEqual(await kinds(admin), [])
  })

  test('a connection that dies in the middle leaves nothing half imported', async () => {
    const { admin, states, first, others } = await aReleasedBatch(3)
    const lines = [first, ...others].map((payout) => lineOf(payout))
    const lock = await api.owner.connect()
    const last = [first, ...others].at(-1) as TestPayout
    await lock.query('begin')
    // The import stops in front of the last payout, after it has confirmed the others.
    await lock.query('select from payouts where id = $1 for update', [last._id])
    const dying = importAs(admin, lines)
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%import_payout_statement%'
                        and datname = current_database()`
    let pid: number | undefined
    let ended = false
    void dying.then(() => {
      ended = true
    })
    while (pid === undefined && !ended) pid = (await api.owner.query<{ pid: number }>(waiting)).rows[0]?.pid
    await api.owner.query('select pg_terminate_backend($1)', [pid])
    assert.ok((await dying).status >= 500)
    await lock.query('rollback')
    lock.release()
    assert.deepEqual(await states(), ['sent', 'sent', 'sent'])
    assert.deepEqual(await counts(admin, lines), { ...NONE, confirmed: 3 })
  })

  test('an Admin never settles a payout of their own', async () => {
    const { admin, states, first } = await aReleasedBatch(1)
    const { rows } = await api.owner.query('select worker_id from withdrawals where id = $1', [
      first.withdrawalId,
    ])
    const own = rows[0].worker_id as string
    await api.owner.query(`update users set role = 'Admin' where id = $1`, [own])
    const someone = await anAdmin(api.database)
    const self = {
      ...someone,
      id: own,
      email: (await api.owner.query('select email from users where id = $1', [own])).rows[0].email,
    }
    assert.deepEqual(await counts(self, [lineOf(first)]), { ...NONE, cases: 1 })
    const [found] = await openCases(admin)
    assert.equal(found?.kind, 'own_payout')
    const refused = await api
      .as(self)
      .patch(`/payout-cases/${found?._id}`, { decision: 'confirm', note: 'Mine' })
    assert.equal(refused.body.error.code, 'yourself')
    assert.deepEqual(await states(), ['sent'])
    await closeAll(admin)
  })

  test('an Admin never closes a case about a payout of their own', async () => {
    const admin = await anAdmin(api.database)
    const { id, worker } = await aRequest(api.database)
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    await api.as(admin).post(`/payout-batches/${batch}/release`)
    const [payout] = (await api.as(admin).get(`/payout-batches/${batch}`)).body.payouts
    await counts(admin, [lineOf(payout), lineOf(payout)])
    await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Admin' })
    const [found] = await openCases(admin)
    const close = (by: TestUser) =>
      api.as(by).patch(`/payout-cases/${found?._id}`, { decision: 'close', note: 'Known' })
    assert.equal(found?.kind, 'second_line')
    assert.equal((await close(worker)).body.error.code, 'yourself')
    assert.equal((await close(admin)).status, 200)
  })

  test('others are refused, and files that cannot be read say why', async () => {
    const { admin } = await aReleasedBatch(1)
    const worker = await aWorker(api.database)
    assert.equal((await importAs(worker, [])).status, 403)
    assert.equal((await api.as(worker).get('/payout-cases')).status, 403)
    const { body } = await importAs(admin, [], { amount: 'Betrag' })
    assert.equal(body.error.message, 'This file has no column "Betrag".')
    assert.deepEqual(await counts(admin, []), NONE)
    const [latest] = (await api.as(admin).get('/payout-statements')).body
    assert.deepEqual([latest.account, latest.mapping], ['Bank', MAPPING])
  })

  test('characters that cannot be stored are refused, and a cell that is truncated within a surrogate pair is not', async () => {
    const { admin, first: payout } = await aReleasedBatch(1)
    const refused = await importAs(admin, [lineOf(payout, { 4: 'Comp\0leted' })])
    assert.equal(refused.body.error.code, 'invalid_fields')
    const long = `${'x'.repeat(499)}\u{1F600}`
    assert.deepEqual(await counts(admin, [lineOf(payout, { 0: long })]), { ...NONE, confirmed: 1 })
  })

  test('email addresses of accounts are compared as they are', async () => {
    const same = async (account: string, given: string) => {
      const { rows } = await api.database.pool.query(
        `select is_same_account_number(jsonb_populate_record(null::payouts,
           jsonb_build_object('payment_system', 'Other', 'account_number', $1::text)), $2) as same`,
        [account, given],
      )
      return rows[0].same
    }
    assert.equal(await same('rina@example.com', 'Rina@example.com'), true)
    assert.equal(await same('rina@example.com', 'mina@example.com'), false)
    assert.equal(await same('rina7@example.com', 'mina7@example.com'), false)
    assert.equal(await same('rina@example.com', 'Mina'), false)
  })
})

test('amounts are read exactly or not at all', () => {
  for (const [text, expected] of [
    ['1,215.50', 121_550],
    ['৳ 1,21,550.5', 12_155_050],
    ['BDT 10', 1000],
    ['-10.00', -1000],
    ['(10.00)', -1000],
    ['১০.৫০', 1050],
    ['10.005', null],
    ['1.215,50', null],
    ['1,2', null],
    ['12,34', null],
    ['1e3', null],
    ['', null],
  ] as const) {
    assert.equal(parseAmount(text), expected, text)
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e15 }), (hundredths) => {
      const text = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
      assert.equal(parseAmount(text), hundredths)
      assert.equal(
        parseAmount(BigInt(Math.floor(hundredths / 100)).toLocaleString('en-IN')),
        Math.floor(hundredths / 100) * 100,
      )
    }),
    { seed: 1 },
  )
})
