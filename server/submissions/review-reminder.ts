import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const buyersToWarn = query<{ id: string }, [limit: number]>(
  'submissions_buyers_to_warn',
  `select buyer_id as id from submissions
    where status = 'pending' and reminded_at is null
      and review_by between clock_time() + interval '1 microsecond' and clock_time() + interval '1 day'
      and review_reminder_at(created_at, review_by) <= clock_time()
    group by buyer_id order by min(review_by) limit $1`,
)
const warnBuyer = queryOne<{ warned: boolean }, [buyer: string]>(
  'warn_buyer',
  'select remind_buyer($1) as warned',
)

/**
 * Warns buyers of work that approves itself soon, once for each submission and in one notice for all of a buyer's.
 * Answers how many buyers.
 */
export function sendReviewReminders(database: Database): Promise<number> {
  return processDueRows(database, buyersToWarn, async (id) => (await warnBuyer(database, id)).warned)
}
