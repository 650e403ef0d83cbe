import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const requestsToAssess = query<{ id: string }, [limit: number]>(
  'requests_to_assess',
  'select withdrawal_id as id from requests_to_assess order by withdrawal_id limit $1',
)
const assessStatement = queryOne<{ done: boolean }, [withdrawal: string]>(
  'assess_new_request',
  'select assess_new_request($1) as done',
)

/** Assesses new withdrawal requests, one after the other, oldest first. Returns the number of assessed requests. */
export function assessNewRequests(database: Database): Promise<number> {
  return processDueRows(
    database,
    requestsToAssess,
    async (id) => (await assessStatement(database, id)).done,
    1,
  )
}
