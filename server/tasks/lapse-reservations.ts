import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const dueReservations = query<{ id: string }, [limit: number]>(
  'reservations_due',
  'select id from reservations where ended_at is null and expires_at <= clock_time() order by expires_at limit $1',
)
const lapseReservation = queryOne<{ lapsed: boolean }, [reservation: string]>(
  'lapse_reservation',
  'select lapse_reservation($1) as lapsed',
)

/** Lapses every expired reservation and returns their number (docs/specification/tasks.md). */
export function lapseDueReservations(database: Database): Promise<number> {
  return processDueRows(
    database,
    dueReservations,
    async (id) => (await lapseReservation(database, id)).lapsed,
  )
}
