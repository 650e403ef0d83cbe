import type { Database, Statement } from '#server/database/database.ts'

// A retry of a mail waits four hours at most, everything else less.
const TIMES_TO_COME: Statement = {
  name: 'jobs_times_to_come',
  sql: `update jobs.job set singleton_on = null, start_after = least(start_after, now())
         where (state in ('completed', 'failed') and singleton_on is not null
                and completed_on > now() + interval '1 minute')
            or (state in ('created', 'retry') and start_after > now() + interval '5 hours')
         returning id`,
}

/**
 * After the database's clock was ahead and went back, runs of the time to come would stand in the way of real ones: of
 * one time slot only the first counts. They give their slots free, and what was put off until then is due. Answers how
 * many there were.
 */
export async function removeFutureJobs(database: Database): Promise<number> {
  return (await database.run(TIMES_TO_COME, [])).length
}
