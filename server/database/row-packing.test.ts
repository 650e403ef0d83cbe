import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { queryPackedRows } from './row-packing.ts'

type Row = {
  id: string
  title: string
  coins: number
  open: boolean
  day: string
  at: string
  decided_at: string | null
  coins_maybe: number | null
  params: object | null
}

describe('packed rows', () => {
  const db = useDatabase()
  const read = queryPackedRows<Row, [text: string, rows: number]>(
    'test_packed',
    `select '00000000-0000-7000-8000-000000000001'::uuid as id, $1 || n as title, n::bigint as coins, n % 2 = 0 as open,
            date '2026-01-31' + n as day, timestamptz '2026-01-31 08:00:00.25+00' as at,
            case when n = 2 then timestamptz '2026-01-31 08:00:00+06' end as decided_at,
            case when n = 2 then 7 end as coins_maybe,
            case when n = 2 then jsonb_build_object('title', $1::text, 'coins', n) end as params
       from generate_series(1, $2) as n order by n desc`,
    {
      id: 'id',
      title: 'text',
      coins: 'number',
      open: 'flag',
      day: 'day',
      at: 'time',
      decided_at: 'time',
      coins_maybe: 'number',
      params: 'json',
    },
  )

  test('every column type round-trips, nulls included, in order', async () => {
    const id = '00000000-0000-7000-8000-000000000001'
    const at = '2026-01-31T08:00:00.250Z'
    assert.deepEqual(await read(db.database, 'বাংলা 😀 ', 2), [
      {
        id,
        title: 'বাংলা 😀 2',
        coins: 2,
        open: true,
        day: '2026-02-02',
        at,
        decided_at: '2026-01-31T02:00:00.000Z',
        coins_maybe: 7,
        params: { title: 'বাংলা 😀 ', coins: 2 },
      },
      {
        id,
        title: 'বাংলা 😀 1',
        coins: 1,
        open: false,
        day: '2026-02-01',
        at,
        decided_at: null,
        coins_maybe: null,
        params: null,
      },
    ])
    assert.deepEqual(await read(db.database, '', 0), [])
  })

  test('a text that contains the separator is read unpacked', async () => {
    const field = '\x1f'
    for (const text of [field, `x${field}1000000${field}t`, field.repeat(8), field.repeat(7), 'a\nb\r\x1e']) {
      const rows = await read(db.database, text, 3)
      assert.deepEqual(
        rows.map(({ title, coins }) => [title, coins]),
        [3, 2, 1].map((n) => [text + n, n]),
      )
    }
  })
})
