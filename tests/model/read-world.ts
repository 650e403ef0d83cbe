import type {
  ModelReservation,
  ModelReview,
  ModelTask,
  ModelUser,
  ModelWithdrawal,
  ModelWork,
  State,
} from './operation.ts'
import type { World } from './world.ts'

type ReadWork = Omit<ModelWork, 'task' | 'worker' | 'reviews'> & {
  task: string
  worker: string
  reviews: (Omit<ModelReview, 'reviewer' | 'passedOver'> & {
    reviewer: string | null
    passedOver: string[]
  })[]
}
const WORK = `select submissions.id, task_id as task, worker_id as worker, status as state, decided_by as "decidedBy",
    rejected_at is not null as rejected, submissions.reason, slot_reopened as "slotReopened",
    exists (select from submission_revisions where submission_id = submissions.id) as "revisionRequested",
    coalesce((select jsonb_agg(jsonb_build_object('unconfirmed', unconfirmed, 'round', round, 'reviewer', reviewer_id,
                                                  'passedOver', passed_over, 'decision', decision) order by reviews.id)
                from reviews where submission_id = submissions.id), '[]') as reviews
  from submissions where id = any ($1)`

/** Reads everything that the model knows from the database, in the model's numbering. */
export async function readWorld(world: World): Promise<State> {
  const { reads } = world
  const all = async <Row>(sql: string, order: readonly string[]): Promise<Row[]> => {
    const { rows } = await reads.query<Row & { id: string }>(sql, [order])
    const byId = new Map(rows.map(({ id, ...row }) => [id, row as Row]))
    return order.map((id) => byId.get(id)).filter((row): row is Row => row !== undefined)
  }
  const numberOf = (id: string) => world.numberOf(id)
  const task = (id: string) => world.tasks.indexOf(id)

  const people = await all<ModelUser>(
    `select users.id, role, balance::float8 as coins, deleted_at is not null as deleted, is_reviewer as reviewer
       from users join ledger_accounts on ledger_accounts.id = account_id where users.id = any ($1)`,
    world.people.map(({ id }) => id),
  )
  const tasks = await all<Omit<ModelTask, 'buyer'> & { buyer: string }>(
    `select id, buyer_id as buyer, slots, slots_left as left, reward::float8,
            closed_at is not null as closed, deleted_at is not null as deleted from tasks where id = any ($1)`,
    world.tasks,
  )
  const reservations = await all<{ task: string; worker: string; outcome: ModelReservation['outcome'] }>(
    'select id, task_id as task, worker_id as worker, outcome from reservations where id = any ($1)',
    world.reservations,
  )
  const work = await all<ReadWork>(WORK, world.work)
  const { rows: decisions } = await reads.query<{ together: string[] }>(
    `select array_agg(id order by id) as together from submissions
      where id = any ($1) and coalesce(rejected_at, decided_at) is not null
      group by coalesce(rejected_at, decided_at) order by coalesce(rejected_at, decided_at)`,
    [world.work],
  )
  const { rows: appeals } = await reads.query<{ work: string }>(
    'select submission_id as work from appeals where submission_id = any ($1) order by created_at',
    [world.work],
  )
  const withdrawals = await all<Omit<ModelWithdrawal, 'worker'> & { worker: string }>(
    'select id, worker_id as worker, coins::float8, status from withdrawals where id = any ($1)',
    world.withdrawals,
  )
  return {
    people,
    tasks: tasks.map((row) => ({ ...row, buyer: numberOf(row.buyer) })),
    reservations: reservations.map((row) => ({ ...row, task: task(row.task), worker: numberOf(row.worker) })),
    work: work.map((row) => ({
      ...row,
      task: task(row.task),
      worker: numberOf(row.worker),
      reviews: row.reviews.map((review) => ({
        ...review,
        reviewer: review.reviewer === null ? null : numberOf(review.reviewer),
        passedOver: review.passedOver.map(numberOf),
      })),
    })),
    decisions: decisions.map(({ together }) => together.map((id) => world.work.indexOf(id))),
    appeals: appeals.map((row) => world.work.indexOf(row.work)),
    withdrawals: withdrawals.map((row) => ({ ...row, worker: numberOf(row.worker) })),
  }
}
