import { v7 as newId } from 'uuid'
import type { Config } from '#server/config.ts'
import { type Db, PIPELINED, query, queryOne } from '#server/database/database.ts'

export type ReservationRow = { id: string; task_id: string; task_version: number; expires_at: string }
export type ListedReservationRow = ReservationRow & {
  item_number: number | null
  title: string
  reward: number
  image_url: string
}

const reserveSlotStatement = queryOne<
  ReservationRow,
  [id: string, task: string, worker: string, max: number]
>('reserve_slot', 'select id, task_id, task_version, expires_at from reserve_slot($1, $2, $3, $4)')
const returnReservationStatement = queryOne<{ returned: number }, [task: string, worker: string]>(
  'return_reservation',
  'select return_reservation($1, $2) as returned',
)

/**
 * Reserves a slot of a task for a worker, or returns their live reservation of it.
 * @throws Refusal as for a submission (docs/specification/submissions.md), `reservation_limit`, `reservation_lapsed`.
 */
export function reserveSlot(
  db: Db,
  config: Config,
  taskId: string,
  workerId: string,
): Promise<ReservationRow> {
  return reserveSlotStatement(db, newId(), taskId, workerId, config.reservationsMax)
}

/** Returns a reserved slot to its task. Returns 1, or 0 when the worker has no live reservation of the task. */
export async function returnReservation(db: Db, taskId: string, workerId: string): Promise<number> {
  const { returned } = await returnReservationStatement(db, taskId, workerId)
  return returned
}

/** Returns the live reservations of a worker, the first to expire first. There are at most `RESERVATIONS_MAX`. */
export const reservationsOfWorker = query<ListedReservationRow, [worker: string]>(
  'reservations_of_worker',
  `select reservations.id, task_id, task_version, expires_at, item_number, title, reward, image_url
     from reservations join tasks on tasks.id = task_id
    where worker_id = $1 and ended_at is null and expires_at > clock_time()
    order by expires_at, reservations.id limit 100`,
  PIPELINED,
)
