import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { decideWithdrawal } from '#server/payouts/decide-withdrawal.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, anAdmin, aSubmission, aTask, aWorker } from '#tests/support/factories.ts'
import { inOpenTransaction } from '#tests/support/lock-waits.ts'
import { anAccountNumber, aRequest } from '#tests/support/payouts.ts'
import { audit } from './audit.ts'

describe('the audit', () => {
  const db = useDatabase()

  test('runs the checks of every audit function', async () => {
    const { rows: functions } = await db.owner.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = $1::text::regnamespace and starts_with(proname, 'audit_')`,
      [db.database.functions.schema],
    )
    assert.ok(functions.length > 10)
    const checks = new Set((await audit(db.database)).checks.map(({ name }) => name))
    for (const { name } of functions) {
      const { rows } = await db.owner.query<{ name: string }>(`select name from ${name}()`)
      for (const check of rows) assert.ok(checks.has(check.name), `${name}: ${check.name}`)
    }
  })

  describe('of two equal transfers whose accounts are swapped', () => {
    before(async () => {
      const admin = await anAdmin(db.database)
      for (let count = 0; count < 2; count++) {
        const [buyer, worker] = [await aBuyer(db.database), await aWorker(db.database)]
        const task = await aTask(db.database, buyer, { slots: 1, reward: 25 })
        const submission = await aSubmission(db.database, task, worker)
        await approveSubmission(db.database, submission, buyer.id)
        await db.owner.query(`select pay_bonus($1, $2, $3, 5, 'Thanks')`, [
          randomUUID(),
          submission,
          buyer.id,
        ])
        for (const status of ['approved', 'declined'] as const) {
          const { id } = await aRequest(db.database, { accountNumber: anAccountNumber() })
          await decideWithdrawal(db.database, id, admin.id, { status, reason: 'A test' }, {})
        }
      }
    })

    for (const [kind, column, check, wrong] of [
      ['submission_paid', 'debit', 'every approved submission was paid its reward, once', 2],
      ['submission_paid', 'credit', 'every approved submission was paid its reward, once', 2],
      ['bonus_paid', 'debit', 'every bonus was paid once, for approved work', 2],
      ['bonus_paid', 'credit', 'every bonus was paid once, for approved work', 2],
      ['withdrawal_paid', 'debit', 'every approved withdrawal was paid out once, and no other', 2],
      [
        'withdrawal_held',
        'debit',
        'every withdrawal took its coins from its worker, and returned them there unless it was paid',
        4,
      ],
      [
        'withdrawal_released',
        'credit',
        'every withdrawal took its coins from its worker, and returned them there unless it was paid',
        2,
      ],
    ] as const) {
      test(`finds the ${column} of ${kind}`, async () => {
        await inOpenTransaction(db.owner, async (client) => {
          await client.query('set local session_replication_role = replica')
          // Each gets the account of the next one.
          await client.query(
            `with given as (
               select id, lead(${column}, 1, first) over (order by id) as other
                 from (select *, first_value(${column}) over (order by id) as first
                         from ledger_transfers where kind = '${kind}') as transfers)
             update ledger_transfers set ${column} = other from given where ledger_transfers.id = given.id`,
          )
          const { rows } = await client.query(
            `select wrong::int from (select * from audit_tasks() union all select * from audit_bonuses()
                                     union all select * from audit_withdrawals()) as checks where name = $1`,
            [check],
          )
          assert.deepEqual(rows, [{ wrong }])
        })
      })
    }
  })
})
