import { v7 as newId } from 'uuid'
import type * as z from 'zod/mini'
import { isUnrestricted } from '#contract/audience.ts'
import { guessCategory } from '#contract/guess-category.ts'
import { feeOf, RESERVATION_MINUTES } from '#contract/product.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import type { NewTask } from '#contract/tasks.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'
import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'

type Buyer = { id: string; emailKey: string }
type Task = z.infer<typeof NewTask>

/** Values that the client shows and sends; they are checked and never stored (docs/specification/api.md). */
type ShownValues = {
  worker?: number | undefined
  amount?: number | undefined
  total?: number | undefined
  buyer?: string | undefined
}

type AddTask = {
  id: string
  buyer: string
  title: string
  detail: string
  submission_info: string
  image_url: string
  slots: number
  reward: number
  completion_date: string
  zone: string
  fee: number
  review_hours: number | null
  reservation_minutes: number
  category: TaskCategory
  draft: string | null
  audience: string | null
}
const addTaskStatement = sqlFunction<AddTask>('add_task', [
  'id',
  'buyer',
  'title',
  'detail',
  'submission_info',
  'image_url',
  'slots',
  'reward',
  'completion_date',
  'zone',
  'fee',
  'review_hours',
  'reservation_minutes',
  'category',
  'draft',
  'audience',
])

/**
 * Posts a task and moves slots × reward coins into its escrow in the same transaction, which also deletes the draft
 * that it is posted from. Returns the task's id.
 * @throws Refusal `insufficient_coins`; `invalid_fields` for shown values that contradict the task; `not_yours` for another
 * buyer; `not_found` for a draft that was posted or deleted, and for a qualification that was deleted; `role_not_allowed` for a deleted
 * user or one whose role changed; `account_frozen`; `deadline_passed` for a completion date that is over.
 */
export async function addTask(
  db: Db,
  config: Config,
  buyer: Buyer,
  task: Task,
  shown: ShownValues,
  draftId?: string,
): Promise<string> {
  const cost = task.required_workers * task.payable_amount
  requireMatching('worker', shown.worker, task.required_workers)
  requireMatching('amount', shown.amount, task.payable_amount)
  requireMatching('total', shown.total, cost)
  if (shown.buyer !== undefined && emailKey(shown.buyer) !== buyer.emailKey) {
    throw new Refusal('not_yours.task')
  }

  const id = newId()
  await addTaskStatement(db, {
    id,
    buyer: buyer.id,
    title: task.task_title,
    detail: task.task_detail,
    submission_info: task.submission_info,
    image_url: task.task_image_url ?? '',
    slots: task.required_workers,
    reward: task.payable_amount,
    completion_date: task.completion_date,
    zone: config.timeZone,
    fee: feeOf(cost, config.taskFeePercent),
    review_hours: task.review_hours ?? null,
    reservation_minutes: task.reservation_minutes ?? RESERVATION_MINUTES.default,
    draft: draftId ?? null,
    audience: audienceOf(task),
    category: task.category ?? guessCategory(task.task_title, task.task_detail),
  })
  return id
}

/** Returns the audience of a task as it is stored; null for every worker. */
function audienceOf({ audience }: Task): string | null {
  return audience === undefined || isUnrestricted(audience) ? null : JSON.stringify(audience)
}

function requireMatching(field: string, shown: number | undefined, actual: number): void {
  if (shown === undefined || shown === actual) return
  throw new Refusal('invalid_fields.task_cost', {
    params: { field, actual, claimed: shown },
    fields: { [field]: `This should be ${actual}` },
  })
}
