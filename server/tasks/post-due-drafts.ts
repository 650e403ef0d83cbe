import { STATUS_OF } from '#contract/errors.ts'
import { NewTask } from '#contract/tasks.ts'
import type { Config } from '#server/config.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import { asRefusal } from '#server/http/errors.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import { addTask } from './add.ts'

type DueDraft = { buyer_id: string; email_key: string; email_verified: boolean; task: unknown }

const dueDrafts = query<{ id: string }, [limit: number]>(
  'task_drafts_due',
  'select id from task_drafts where post_at <= clock_time() order by post_at limit $1',
)
const claimDraft = query<DueDraft, [draft: string]>('task_draft_claim', 'select * from claim_due_draft($1)')
const notifyPosted = query<never, [buyer: string, task: string]>(
  'task_draft_notify_posted',
  'select notify_posted_draft($1, $2)',
)
const refuseDraft = queryOne<{ refused: boolean }, [draft: string, refusal: string]>(
  'task_draft_refuse',
  'select refuse_due_draft($1, $2) as refused',
)

/** Posts every draft whose time has come and returns how many were processed (docs/specification/tasks.md#scheduled-posting). */
export function postDueDrafts(database: Database, config: Config): Promise<number> {
  return processDueRows(database, dueDrafts, (id) => postDueDraft(database, config, id))
}

/**
 * Posts a due draft by the use case of POST /add-task and deletes it in the same transaction. A refusal leaves the draft with
 * its reason; another failure leaves it due, for the next run.
 */
async function postDueDraft(database: Database, config: Config, id: string): Promise<boolean> {
  try {
    return await database.transaction(async (tx) => {
      const [draft] = await claimDraft(tx, id)
      if (draft === undefined) return false
      requireVerifiedEmail(config, { emailVerified: draft.email_verified }, 'post')
      const { success, data: task } = NewTask.safeParse(draft.task)
      if (!success) throw new Refusal('invalid_fields.incomplete_draft')
      const buyer = { id: draft.buyer_id, emailKey: draft.email_key }
      await notifyPosted(tx, buyer.id, await addTask(tx, config, buyer, task, {}, id))
      return true
    })
  } catch (error) {
    const refusal = asRefusal(error)
    if (STATUS_OF[refusal.code] >= 500) throw error
    return (await refuseDraft(database, id, JSON.stringify(refusal.stored))).refused
  }
}
