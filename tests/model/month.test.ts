import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DECIDERS } from '#contract/submission-states.ts'
import { assignReviews, sendReviewerReminders, settleDueAppeals } from '#server/appeals/settle-due.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { updateTransferTotals } from '#server/ledger/transfer-totals.ts'
import { booksDifference } from '#server/stats/queries.ts'
import { sendDeadlineReminders, sendReviewReminders } from '#server/submissions/review-reminder.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { closeDueTasks } from '#server/tasks/close-due.ts'
import { lapseDueReservations } from '#server/tasks/lapse-reservations.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { later } from '#tests/support/clock.ts'
import { asServer, LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { testConfig } from '#tests/support/factories.ts'
import { SimulatedMarket } from './simulated-market.ts'

/** `npm run year` simulates a year of a busier market; MARKET_SEED repeats what a run printed. */
const DAYS = Number(process.env.MARKET_DAYS ?? 30)
const IS_LONG = process.env.MARKET_DAYS !== undefined
const SEED = Number(process.env.MARKET_SEED ?? 1)
const SCALE = IS_LONG
  ? { seed: SEED, buyers: 20, workers: 60, tasksPerDay: 6 }
  : { seed: SEED, buyers: 10, workers: 20, tasksPerDay: 3 }
const START = new Date('2027-01-01T00:00:00Z')
/**
 * The longest way from a submission to its end: review, revision, review, a review of the rejection by two reviewers,
 * the appeal window, the buyer's response and two reviewers again; each deadline is noticed up to six hours late.
 */
const LONGEST_DAYS = 21 + 3 + 21 + (5 + 3) + 7 + 3 + (5 + 3) + 9 * 0.25
/** After the last act: a missed revision, then the review; each deadline is noticed up to a day late. */
const LAST_DEADLINES_DAYS = 21 + 3 + 2

const overdue = `select
  (select count(*) from submissions
    where status not in ('approved', 'rejected') and (due_at is null or due_at <= clock_time())) as work,
  (select count(*) from tasks where closed_at is null and closes_at <= clock_time()) as tasks,
  (select count(*) from reservations where ended_at is null and expires_at <= clock_time()) as reservations`
const unsettled = `select
  (select count(*) from submissions where status not in ('approved', 'rejected')) as work,
  (select count(*) from tasks where closed_at is null) as tasks,
  (select count(*) from reservations where ended_at is null) as reservations,
  (select count(*) from ledger_accounts where kind = 'escrow' and balance <> 0) as escrows`
const outcomes = `select status as state, decided_by as "decidedBy", count(*),
    round(percentile_cont(0.5) within group (order by days)::numeric, 1)::float as "medianDays",
    round(max(days), 1)::float as "longestDays", sum(reward)::bigint as coins
  from (select *, extract(epoch from decided_at - created_at) / 86400 as days from submissions) as submissions
 group by 1, 2 order by 1, 3 desc`
type OutcomeRow = { decidedBy: string; longestDays: number }

describe('a market by the clock', () => {
  const db = useDatabase()

  test(`${DAYS} days: all work has an end in time, and the books balance each day`, async () => {
    const started = Date.now()
    const clocked = openClocked(db.url)
    try {
      const market = new SimulatedMarket(clocked, SCALE)
      await setClock(clocked, START)
      await clocked.pool.query('select setseed($1)', [1 / SEED])
      await market.populate()

      for (let day = 0; day < DAYS; day++) {
        if (day % 7 === 0) await market.payBuyers()
        for (const hours of [6, 12, 18, 24]) {
          const now = later(START, { days: day, hours })
          await setClock(clocked, now)
          await runDueJobs(clocked)
          await market.act(now)
        }
        await expectInOrder(clocked, `day ${day + 1}, seed ${SEED}`)
      }

      for (let day = 1; day <= LAST_DEADLINES_DAYS; day++) {
        await setClock(clocked, later(START, { days: DAYS + day }))
        await runDueJobs(clocked)
        await expectInOrder(clocked, `day ${DAYS + day}, seed ${SEED}`)
      }
      assert.deepEqual(await firstRow(clocked, unsettled), { work: 0, tasks: 0, reservations: 0, escrows: 0 })

      const { rows } = await clocked.pool.query<OutcomeRow>(outcomes)
      if (IS_LONG) {
        console.table(rows)
        console.table(
          Object.fromEntries([...market.counts].toSorted(([one], [other]) => one.localeCompare(other))),
        )
        console.log(`${DAYS} days, seed ${SEED}: ${Math.round((Date.now() - started) / 1000)} s`)
        assert.deepEqual(
          [...new Set(rows.map(({ decidedBy }) => decidedBy))].toSorted(),
          DECIDERS.filter((decider) => decider !== 'agreement').toSorted(),
          'Every way to decide a submission occurs; the market has no batches, on whose items workers can agree',
        )
      }
      for (const row of rows.filter(({ decidedBy }) => decidedBy !== 'reversal'))
        assert.ok(row.longestDays <= LONGEST_DAYS, JSON.stringify(row))
    } finally {
      await clocked.close()
    }
  })
})

/** Opens a database with one connection, which is never replaced: its clock is set as the simulation proceeds. */
function openClocked(url: string): Database {
  const connection = { connectionString: asServer(url), ...LONG_TIMEOUTS, idleTimeoutMillis: 0 }
  const database = openDatabase(connection, { max: 1, prepare: true })
  let connections = 0
  database.pool.on('connect', () => assert.equal(++connections, 1, 'The connection with the clock is lost'))
  return database
}

async function setClock(database: Database, moment: Date): Promise<void> {
  await database.pool.query(`select set_config('tallywork.clock', $1, false)`, [moment.toISOString()])
}

async function runDueJobs(database: Database): Promise<void> {
  await closeDueTasks(database)
  await lapseDueReservations(database)
  await settleDueSubmissions(database, testConfig)
  await settleDueAppeals(database)
  await assignReviews(database)
  await sendReviewReminders(database)
  await sendDeadlineReminders(database)
  await sendReviewerReminders(database)
}

/** Fails when the books do not balance, or when a deadline has passed without its consequence. */
async function expectInOrder(database: Database, when: string): Promise<void> {
  await updateTransferTotals(database)
  await expectBooksToBalance(database).catch((cause: unknown) => {
    throw new Error(`The books do not balance on ${when}`, { cause })
  })
  assert.equal((await booksDifference(database)).difference, 0, when)
  assert.deepEqual(await firstRow(database, overdue), { work: 0, tasks: 0, reservations: 0 }, when)
}

async function firstRow(database: Database, sql: string): Promise<unknown> {
  const { rows } = await database.pool.query(sql)
  return { ...rows[0] }
}
