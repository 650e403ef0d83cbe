import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { poishaOf } from '#contract/exchange-rates.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, atOnce, aWorker } from '#tests/support/factories.ts'

const ENTRY = { rate: '121.5', source: 'Bangladesh Bank', hours: 24 }
/** Rates with up to 6 decimals and amounts up to those of a trillion coins. */
const rates = fc
  .integer({ min: 1, max: 1_000_000_000 })
  .map((micros) => `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`)
const cents = fc.integer({ min: 0, max: 5_000_000_000_000 })

describe('exchange rates', () => {
  const api = useApi()

  test('an Admin enters a rate, a worker sees it, and the history keeps who entered it', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    assert.deepEqual((await api.as(worker).get('/exchange-rate')).body, { rate: null })
    const { status, body } = await api.as(admin).post('/exchange-rates', ENTRY)
    assert.equal(status, 201)
    const { rate } = (await api.as(worker).get('/exchange-rate')).body
    assert.deepEqual(
      { ...rate, enteredAt: '', expiresAt: '' },
      {
        _id: body.insertedId,
        currency: 'BDT',
        rate: '121.5',
        source: 'Bangladesh Bank',
        enteredAt: '',
        expiresAt: '',
      },
    )
    assert.equal(Date.parse(rate.expiresAt) - Date.parse(rate.enteredAt), 24 * 3_600_000)

    await api.as(admin).post('/exchange-rates', { ...ENTRY, rate: '122' })
    assert.equal((await api.as(worker).get('/exchange-rate')).body.rate.rate, '122')
    const first = await api.as(admin).get('/exchange-rates?limit=1')
    const second = await api.as(admin).get(`/exchange-rates?limit=1${first.next}`)
    assert.deepEqual(
      [...first.body, ...second.body].map((one) => [one.rate, one.enteredBy]),
      [
        ['122', admin.name],
        ['121.5', admin.name],
      ],
    )
    const [logged] = (await api.as(admin).get('/admin-record?limit=1')).body
    assert.equal(logged.act, 'exchange_rate_entered')
  })

  test('an expired rate is not current, and neither is an older one', async () => {
    const admin = await anAdmin(api.database)
    await api.as(admin).post('/exchange-rates', { ...ENTRY, hours: 744 })
    await api.owner.query(
      `insert into exchange_rates (id, rate, source, entered_by, entered_at, expires_at)
       values (gen_random_uuid(), 100, 'Test', $1, now(), now() + interval '1 microsecond')`,
      [admin.id],
    )
    assert.deepEqual((await api.as(admin).get('/exchange-rate')).body, { rate: null })
  })

  test('the longest time is the same number of hours in every time zone of the database', async () => {
    const admin = await anAdmin(api.database)
    const client = await api.owner.connect()
    const insert = (time: string, hours: number) =>
      client.query(
        `insert into exchange_rates (id, rate, source, entered_by, entered_at, expires_at)
         values (gen_random_uuid(), 100, 'Test', $1, $2, $2::timestamptz + make_interval(hours => $3))`,
        [admin.id, time, hours],
      )
    try {
      await client.query(`begin; set local timezone = 'Europe/Berlin'`)
      await insert('2027-03-15T12:00:00Z', 744)
      await assert.rejects(insert('2027-10-15T12:00:00Z', 745), /exchange_rates_expiry/)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('rates are never changed or deleted', async () => {
    for (const sql of [
      'update exchange_rates set rate = 1',
      'delete from exchange_rates',
      'truncate exchange_rates cascade',
    ]) {
      await assert.rejects(api.owner.query(sql), /append-only/)
    }
  })

  test('only an Admin enters rates, and only sensible ones', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    assert.equal((await api.as(worker).post('/exchange-rates', ENTRY)).status, 403)
    assert.equal((await api.as(worker).get('/exchange-rates')).status, 403)
    assert.equal((await api.anyone.get('/exchange-rate')).status, 401)
    for (const change of [
      { rate: '0' },
      { rate: '0.000000' },
      { rate: '-1' },
      { rate: '1e3' },
      { rate: '1000.000001' },
      { rate: '121.5000001' },
      { rate: '121,5' },
      { source: ' ' },
      { hours: 0 },
      { hours: 745 },
    ]) {
      const { status } = await api.as(admin).post('/exchange-rates', { ...ENTRY, ...change })
      assert.equal(status, 422, JSON.stringify(change))
    }
  })

  test('a rate is entered once per idempotency key', async () => {
    const admin = await anAdmin(api.database)
    const count = async () => (await api.as(admin).get('/exchange-rates')).body.length
    const before = await count()
    await atOnce(5, () => api.as(admin).post('/exchange-rates', ENTRY, { 'idempotency-key': 'rate-1' }))
    assert.equal((await count()) - before, 1)
  })

  test('amounts in taka are whole poisha, rounded half up, the same in SQL and in TypeScript', async () => {
    assert.equal(poishaOf(1, '0.5'), 1)
    assert.equal(poishaOf(1, '0.499999'), 0)
    assert.equal(poishaOf(1025, '121.5'), 124_538)
    assert.equal(poishaOf(5_000_000_000_000, '1000'), 5_000_000_000_000_000)
    const samples = fc.sample(fc.tuple(cents, rates), 500)
    const { rows } = await api.owner.query<{ poisha: string }>(
      `select poisha_of(cents, rate) as poisha
         from jsonb_to_recordset($1) as given(cents bigint, rate numeric, position int) order by position`,
      [JSON.stringify(samples.map(([amount, rate], position) => ({ cents: amount, rate, position })))],
    )
    assert.deepEqual(
      rows.map(({ poisha }) => Number(poisha)),
      samples.map(([amount, rate]) => poishaOf(amount, rate)),
    )
  })

  test('rounding is off by at most half a poisha, and a greater amount is never paid less', () => {
    fc.assert(
      fc.property(cents, cents, rates, (one, more, rate) => {
        const micros = BigInt(rate.replace('.', ''))
        const error = BigInt(poishaOf(one, rate)) * 1_000_000n - BigInt(one) * micros
        assert.ok(error > -500_000n && error <= 500_000n)
        assert.ok(poishaOf(one + more, rate) >= poishaOf(one, rate))
      }),
      { seed: 1 },
    )
  })
})
