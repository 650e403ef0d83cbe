import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { PAYOUT_BATCH_TRANSITIONS, PAYOUT_TRANSITIONS } from '#contract/payout-states.ts'
import { useDatabase } from '#tests/support/database.ts'

const SPECIFICATION = new URL('../../docs/specification/payouts.md', import.meta.url)
const CAUSES = { admin: 'Admin', statement: 'statement', provider: 'provider', stop: 'stop' }

describe('the states of payouts and batches', () => {
  const db = useDatabase()

  for (const [name, transitions] of [
    ['payout_transitions', PAYOUT_TRANSITIONS],
    ['payout_batch_transitions', PAYOUT_BATCH_TRANSITIONS],
  ] as const) {
    test(`${name}() has the transitions of the contract, and no other`, async () => {
      const { rows } = await db.database.pool.query<{ before: string; after: string }>(
        `select before, after from ${name}()`,
      )
      assert.deepEqual(
        rows.map(({ before, after }) => `${before} → ${after}`).toSorted(),
        transitions.map(({ from, to }) => `${from} → ${to}`).toSorted(),
      )
    })
  }

  test('docs/specification/payouts.md lists the transitions of the contract', async () => {
    const text = await readFile(SPECIFICATION, 'utf8')
    const listed = Array.from(
      text.matchAll(/^\| `(\w+)` \| `(\w+)` \| (.+?) \| (.+?) \|$/gm),
      ([, ...cells]) => cells.join(' | '),
    )
    const all = [...PAYOUT_TRANSITIONS, ...PAYOUT_BATCH_TRANSITIONS].map(({ from, to, event, by }) =>
      [from, to, event, by.map((cause) => CAUSES[cause]).join(', ')].join(' | '),
    )
    assert.deepEqual(listed, all)
  })
})
