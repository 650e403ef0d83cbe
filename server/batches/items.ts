import { v7 as newId } from 'uuid'
import { type Answers, answerText } from '#contract/answer-form.ts'
import { LAPSED_ITEMS_MAX } from '#contract/items.ts'
import type { ProjectContent } from '#contract/projects.ts'
import type { Config } from '#server/config.ts'
import { type Db, PIPELINED, query, queryOne } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requireValidAnswers } from '#server/projects/check-answers.ts'
import { type ApprovalRule, approvalRule } from './closed-answers.ts'
import { CONTENT } from './queries.ts'

export type ItemRow = { number: number; content: ProjectContent; input: Record<string, string> }
export type ReservedItemRow = ItemRow & { task_id: string; expires_at: string }
export type SubmittedItemRow = ItemRow & { answers: Answers }

/**
 * Joins the batch of a task and the row of the file of an item: by their keys, whatever the planner knows about the tables.
 * `CONTENT` then selects the version of the project.
 */
export const joinItem = (of: string) => `
  cross join lateral (select id, project_id, project_version, columns from batches where batches.task_id = ${of}.task_id limit 1) as batches
  cross join lateral (select input from batch_items where batch_id = batches.id and number = ${of}.item_number limit 1) as item`
const ITEM = `item_number as number, input, ${CONTENT}`

/** Returns the items of a task that a worker has reserved, in their order. There are at most `RESERVATIONS_MAX`. */
export const reservedItems = query<ReservedItemRow, [task: string, worker: string]>(
  'items_reserved',
  `select live.task_id, expires_at, ${ITEM} from reservations as live ${joinItem('live')}
    where live.task_id = $1 and worker_id = $2 and ended_at is null and expires_at > clock_time() order by item_number`,
  PIPELINED,
)
const reservedItem = query<ReservedItemRow, [reservation: string]>(
  'item_reserved',
  `select live.task_id, expires_at, ${ITEM} from reservations as live ${joinItem('live')} where live.id = $1`,
)
/** Returns a batch's task for a worker, without a row if it is private and they do not find it. */
export const workOnBatch = query<{ submitted: number; left: number }, [task: string, worker: string]>(
  'work_on_batch',
  `select slots_left as left, (select count(*) from reservations
                                where task_id = tasks.id and worker_id = $2 and item_number is not null and outcome = 'submitted') as submitted
     from tasks where id = $1 and batch_id is not null
      and (listed_from < 'infinity' or buyer_id = $2 or finds_private_task(id, $2))`,
  PIPELINED,
)
const takeItemStatement = queryOne<
  { id: string },
  [id: string, task: string, worker: string, max: number, lapsedMax: number]
>('take_item', 'select id from take_item($1, $2, $3, $4, $5)')
const returnItemStatement = queryOne<{ returned: number }, [task: string, worker: string, item: number]>(
  'return_item',
  'select return_item($1, $2, $3) as returned',
)
const submitItemStatement = query<
  never,
  [
    id: string,
    task: string,
    worker: string,
    item: number,
    text: string,
    answers: string,
    review: string,
    ...ApprovalRule,
  ]
>('submit_batch_item', 'select submit_batch_item($1, $2, $3, $4, $5, $6, $7, $8, $9)')
const contentOfTask = query<{ content: ProjectContent }, [task: string]>(
  'content_of_batch_task',
  `select ${CONTENT} from batches where task_id = $1`,
)

/**
 * Reserves the next item of a batch's task for a worker.
 * @throws Refusal `task_not_found`, `score_too_low`, `task_filled` without an item left for the worker, `task_closed`, `deadline_passed`,
 * `own_task`, `reservation_limit`, `reservation_lapsed`, `state_conflict` for a plain task.
 */
export async function takeItem(
  db: Db,
  { reservationsMax }: Config,
  taskId: string,
  workerId: string,
): Promise<ReservedItemRow> {
  const { id } = await takeItemStatement(db, newId(), taskId, workerId, reservationsMax, LAPSED_ITEMS_MAX)
  const [row] = await reservedItem(db, id)
  if (row === undefined) throw new Error(`The reservation ${id} has no item`)
  return row
}

/** Returns a reserved item to its task. Returns 1, or 0 without a live reservation. */
export async function returnItem(db: Db, taskId: string, workerId: string, number: number): Promise<number> {
  const { returned } = await returnItemStatement(db, taskId, workerId, number)
  return returned
}

/**
 * Submits the answers to a reserved item. Returns the submission's id.
 * @throws Refusal `task_not_found`, `invalid_request` and `invalid_fields` for answers that break a rule of the form,
 * `already_submitted`, `state_conflict` without a live reservation.
 */
export async function submitItem(
  db: Db,
  { reviewDays }: Config,
  item: { taskId: string; number: number },
  workerId: string,
  given: Answers,
): Promise<string> {
  const [batch] = await contentOfTask(db, item.taskId)
  if (batch === undefined) throw new Refusal('task_not_found')
  const { answers, text } = checkedAnswers(batch.content, given)
  const id = newId()
  const values = [text, JSON.stringify(answers), daysInterval(reviewDays)] as const
  await submitItemStatement(
    db,
    id,
    item.taskId,
    workerId,
    item.number,
    ...values,
    ...approvalRule(batch.content),
  )
  return id
}

/** Returns answers as they are stored, with their text form. @throws Refusal for answers that break a rule of the form. */
export function checkedAnswers({ form }: ProjectContent, given: Answers): { answers: Answers; text: string } {
  const answers = requireValidAnswers(form, given)
  const text = answerText(form, answers)
  if (text === '') {
    const message = 'Answer at least one question'
    throw new Refusal('invalid_fields.validation', { params: { message }, fields: { answers: message } })
  }
  return { answers, text }
}
