import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const buyersToRemind = query<{ id: string }, [limit: number]>(
  'submissions_buyers_to_remind',
  `select buyer_id as id from submissions
    where status = 'pending' and reminded_at is null
      and review_by between clock_time() + interval '1 microsecond' and clock_time() + interval '1 day'
      and review_reminder_at(created_at, review_by) <= clock_time()
    group by buyer_id order by min(review_by) limit $1`,
)
const remindBuyer = queryOne<{ reminded: boolean }, [buyer: string]>(
  'remind_buyer',
  'select remind_buyer($1) as reminded',
)

/**
 * Reminds buyers of submissions that will soon be approved automatically: once per submission, with one notification per
 * buyer. Returns the number of buyers.
 */
export function sendReviewReminders(database: Database): Promise<number> {
  return processDueRows(database, buyersToRemind, async (id) => (await remindBuyer(database, id)).reminded)
}
