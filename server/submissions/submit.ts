import { v7 as newId } from 'uuid'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'

type Worker = { id: string; emailKey: string }
type Work = { taskId: string; text: string }

/** Values that the client shows and sends; they are checked and never stored (docs/specification/api.md). */
type ShownValues = {
  reward?: number | undefined
  workerEmail?: string | undefined
  buyerEmail?: string | undefined
  taskVersion?: number | undefined
}

const submitWorkStatement = query<
  never,
  [
    id: string,
    task: string,
    worker: string,
    text: string,
    reward: number | null,
    buyerEmailKey: string | null,
    version: number | null,
    review: string,
  ]
>('submit_work', 'select submit_work($1, $2, $3, $4, $5, $6, $7, $8)')

/**
 * Submits work and takes one slot of the task. Returns the submission's id.
 * @throws Refusal `role_not_allowed` for other users than workers; `not_yours` for the email of another worker;
 * `task_changed` for other shown values that contradict the task; `task_not_found`; `own_task`; `state_conflict` for a task of a
 * batch; `already_submitted` while another submission of the worker is pending or approved; `deadline_passed`; `task_closed`;
 * `task_filled`; `not_eligible` for a worker who does not meet the task's requirements.
 */
export async function submitWork(
  db: Db,
  config: Config,
  worker: Worker,
  work: Work,
  shown: ShownValues,
): Promise<string> {
  if (shown.workerEmail !== undefined && emailKey(shown.workerEmail) !== worker.emailKey) {
    throw new Refusal('not_yours.submission')
  }
  if (shown.reward !== undefined && !Number.isSafeInteger(shown.reward)) {
    throw new Refusal('task_changed.fraction')
  }
  const id = newId()
  const buyer = shown.buyerEmail === undefined ? null : (emailKey(shown.buyerEmail) ?? '')
  await submitWorkStatement(
    db,
    id,
    work.taskId,
    worker.id,
    work.text,
    shown.reward ?? null,
    buyer,
    shown.taskVersion ?? null,
    daysInterval(config.reviewDays),
  )
  return id
}
