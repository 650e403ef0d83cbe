import { SECOND_REVIEWER_DAYS } from '#contract/product.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import { defendRejection, openAppeal } from '#server/appeals/appeal.ts'
import { decideReviews } from '#server/appeals/decide.ts'
import { type Db, query, queryOne, type Tx } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import {
  acceptRejection,
  concedeRejection,
  reopenSlot,
  reverseRejection,
} from '#server/submissions/end-dispute.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { requestRevision, reviseSubmission } from '#server/submissions/revise.ts'
import { later } from '#tests/support/clock.ts'
import { aSubmission } from '#tests/support/factories.ts'
import { MAKE_DUE } from '#tests/support/submissions.ts'
import type { Marketplace } from './marketplace.ts'
import type { Named, WorkOperation } from './operation.ts'
import { doneIf, NOBODY, type Result, setClock } from './result.ts'
import type { World } from './world.ts'

const reviewer = query<{ id: string | null }, [submission: string]>(
  'model_reviewer',
  'select reviewer_id as id from reviews where submission_id = $1 order by reviews.id desc limit 1',
)
const assignReviewer = queryOne<{ assigned: boolean }, [submission: string]>(
  'model_assign_reviewer',
  'select assign_missing_reviewer($1) as assigned',
)
/** With the locks that the deadlines take, so that the state is the one that they end. */
const deadline = query<{ state: SubmissionState }, [submission: string]>(
  'model_deadline',
  `select status as state from lock_submission($1) as work
    where id is not null and status not in ('approved', 'rejected')`,
)
/** The deadline moves, not the clock: decisions have the order of their times. */
const makeDue = query<never, [submission: string]>('model_make_due', MAKE_DUE)
const settleDue = queryOne<{ settled: boolean }, [submission: string, review: string, second: string]>(
  'model_settle_due',
  'select settle_due_submission($1, $2) or settle_due_appeal($1, $3) as settled',
)
const wasReserved = queryOne<{ reserved: boolean }, [submission: string]>(
  'model_was_reserved',
  'select reserved_at is not null as reserved from submissions where id = $1',
)
/** Later than every deadline of work, and than the end of every reversal. */
const LATE_DAYS = 31

/** Runs an operation on work through the use cases of the product. */
export async function performOnWork(
  world: World,
  model: Marketplace,
  operation: WorkOperation,
): Promise<Result> {
  const { database, config } = world
  if (operation.do === 'submit') {
    const task = world.tasks[operation.task] ?? NOBODY
    const made = await aSubmission(database, task, world.user(operation.who))
    const { reserved } = await wasReserved(world.database, made)
    return { outcome: 'done', made, found: { reserved } }
  }
  const work = world.work[operation.work] ?? NOBODY
  if (operation.do === 'assign') return doneIf((await assignReviewer(database, work)).assigned ? 1 : 0)
  if (operation.do === 'deadline') return database.transaction((tx) => passDeadline(tx, work))
  const known = model.state.work[operation.work]
  const worker = world.user(operation.own ? (known?.worker ?? operation.who) : operation.who).id
  const buyer = world.user(model.buyerOf(operation, known?.task ?? -1)).id
  const lateOrNow = <Done>(late: boolean, act: (db: Db) => Promise<Done>): Promise<Done> =>
    late ? database.transaction((tx) => actLate(tx, act)) : act(database)
  switch (operation.do) {
    case 'approve':
      return doneIf((await approveSubmission(database, work, buyer)).modified)
    case 'reject': {
      const { reason, late } = operation
      const rejection = { reason, category: 'wrong' } as const
      return doneIf(await lateOrNow(late, (db) => rejectSubmission(db, config, work, buyer, rejection)))
    }
    case 'request-revision':
      await lateOrNow(operation.late, (db) => requestRevision(db, work, buyer, 'The last line is missing.'))
      break
    case 'revise':
      await reviseSubmission(database, config, work, worker, 'All lines.')
      break
    case 'accept':
      await acceptRejection(database, work, worker)
      break
    case 'appeal':
      await openAppeal(database, work, worker, { text: 'Look again.' })
      break
    case 'defend':
      await lateOrNow(operation.late, (db) => defendRejection(db, work, buyer, 'It is too short.'))
      break
    case 'concede':
      await concedeRejection(database, work, buyer)
      break
    case 'decide':
      await decide(world, operation, work)
      break
    case 'reopen-slot':
      await reopenSlot(database, work, buyer)
      break
    case 'reverse':
      await lateOrNow(operation.late, (db) => reverseRejection(db, work, buyer))
      break
    case 'bonus':
      await payBonus(database, work, buyer, { coins: operation.coins, message: 'Thank you' })
  }
  return { outcome: 'done' }
}

/** Decides as the assigned reviewer, or as another user. */
async function decide(world: World, { own, who, decision }: Named<'decide'>, work: string): Promise<void> {
  const [assigned] = own ? await reviewer(world.database, work) : []
  await decideReviews(world.database, world.config, assigned?.id ?? world.user(who).id, {
    submissions: [work],
    decision,
    reason: 'The task asks for ten lines.',
  })
}

async function actLate<Done>(tx: Tx, act: (db: Db) => Promise<Done>): Promise<Done> {
  await setClock(tx, later(new Date(), { days: LATE_DAYS }).toISOString())
  return act(tx)
}

async function passDeadline(tx: Tx, work: string): Promise<Result> {
  const [due] = await deadline(tx, work)
  if (due === undefined) return { outcome: 'again' }
  await makeDue(tx, work)
  const { settled } = await settleDue(tx, work, daysInterval(7), daysInterval(SECOND_REVIEWER_DAYS))
  return { ...doneIf(settled ? 1 : 0), found: { from: due.state } }
}
