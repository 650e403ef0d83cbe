import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { STATE_RULES, SUBMISSION_STATES, TRANSITIONS } from '#contract/submission-states.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aPendingSubmission } from '#tests/support/factories.ts'

const SPECIFICATION = new URL('../../docs/specification/submissions.md', import.meta.url)

describe('the states of a submission', () => {
  const db = useDatabase()
  const allowed = new Set(TRANSITIONS.map(({ from, to }) => `${from} → ${to}`))

  test('the database allows the transitions of the contract, and no other', async () => {
    const { rows } = await db.database.pool.query<{ before: string; after: string }>(
      'select before, after from submission_transitions()',
    )
    assert.deepEqual(new Set(rows.map(({ before, after }) => `${before} → ${after}`)), allowed)

    const { submissionId } = await aPendingSubmission(db.database)
    for (const before of SUBMISSION_STATES) {
      for (const after of SUBMISSION_STATES) {
        if (before === after) continue
        const client = await db.owner.connect()
        try {
          await client.query('begin')
          await client.query('alter table submissions disable trigger submissions_guard_status')
          await client.query(setState(before), [submissionId])
          await client.query('alter table submissions enable trigger submissions_guard_status')
          const change = client.query(setState(after), [submissionId])
          if (allowed.has(`${before} → ${after}`)) await change
          else await assert.rejects(change, /cannot change from/, `${before} → ${after}`)
        } finally {
          await client.query('rollback')
          client.release()
        }
      }
    }
  })

  test('docs/specification/submissions.md lists the transitions of the contract, deletions of users apart', async () => {
    const text = await readFile(SPECIFICATION, 'utf8')
    const listed = Array.from(
      text.matchAll(/^\| `(\w+)` \| `(\w+)` \| (.+?) \| (.+?) \|$/gm),
      ([, ...cells]) => cells.join(' | '),
    )
    assert.deepEqual(
      listed,
      TRANSITIONS.filter(({ by }) => by !== 'admin').map(({ from, to, event, by }) =>
        [from, to, event, by].join(' | '),
      ),
    )
  })

  test('every state that is not final waits for a user and ends automatically', () => {
    for (const state of SUBMISSION_STATES) {
      const isFinal = STATE_RULES[state].waitsFor === null
      const endsInTime = TRANSITIONS.some(({ from, by }) => from === state && by === 'time')
      assert.equal(endsInTime, !isFinal, state)
    }
  })

  const setState = (state: string) =>
    `update submissions set status = '${state}',
       decided_at = case when '${state}' in ('approved', 'rejected') then now() end,
       decided_by = case when '${state}' in ('approved', 'rejected') then 'buyer'::decider end where id = $1`
})
