import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const REMINDER_DUE = `status not in ('approved', 'rejected') and reminded_at is null
      and due_at between clock_time() + interval '1 microsecond' and clock_time() + interval '1 day'
      and reminder_is_due(submissions)`

const buyersToRemind = query<{ id: string }, [limit: number]>(
  'submissions_buyers_to_remind',
  `select buyer_id as id from submissions where status = 'pending' and ${REMINDER_DUE}
      and exists (select from users where id = buyer_id and role = 'Buyer')
    group by buyer_id order by min(due_at) limit $1`,
)
const remindBuyer = queryOne<{ reminded: boolean }, [buyer: string]>(
  'remind_buyer',
  'select remind_buyer($1) as reminded',
)

/**
 * Reminds buyers of submissions that will soon be approved automatically: once per submission, with one notification per
 * buyer. Users with another role cannot review any more. Returns the number of buyers.
 */
export function sendReviewReminders(database: Database): Promise<number> {
  return processDueRows(database, buyersToRemind, async (id) => (await remindBuyer(database, id)).reminded)
}

const submissionsToRemind = query<{ id: string }, [limit: number]>(
  'submissions_to_remind',
  `select id from submissions where status in ('revision_requested', 'rejection_open', 'appealed') and ${REMINDER_DUE}
    order by due_at limit $1`,
)
const remindOfDeadline = queryOne<{ reminded: boolean }, [submission: string]>(
  'remind_of_deadline',
  'select remind_of_deadline($1) as reminded',
)

/**
 * Reminds workers and buyers of the other deadlines of their submissions, once per submission and state. Returns the
 * number of submissions.
 */
export function sendDeadlineReminders(database: Database): Promise<number> {
  return processDueRows(
    database,
    submissionsToRemind,
    async (id) => (await remindOfDeadline(database, id)).reminded,
  )
}
