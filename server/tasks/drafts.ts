import { v7 as newId } from 'uuid'
import type { StoredRefusal } from '#contract/refusals.en.ts'
import { type NewTaskDraft, SCHEDULE_DAYS_MAX, TASK_DRAFTS_MAX } from '#contract/task-drafts.ts'
import type { Config } from '#server/config.ts'
import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

type Task = Omit<NewTaskDraft, 'name' | 'template'>

export type DraftRow<Fields = Task> = {
  id: string
  name: string
  is_template: boolean
  task: Fields
  version: number
  created_at: string
  changed_at: string
  post_at: string | null
  refusal: StoredRefusal | null
  failure_code: string | null
  failure_message: string | null
}

const COLUMNS =
  'id, name, is_template, version, created_at, changed_at, post_at, refusal, failure_code, failure_message'

/** Returns the drafts and templates of a buyer, the last changed first, without their long texts. */
export const draftsOfBuyer = query<DraftRow, [buyer: string]>(
  'task_drafts_of_buyer',
  `select ${COLUMNS}, jsonb_strip_nulls(jsonb_build_object(
            'task_title', task -> 'task_title', 'required_workers', task -> 'required_workers',
            'payable_amount', task -> 'payable_amount', 'completion_date', task -> 'completion_date')) as task
     from task_drafts where buyer_id = $1 order by changed_at desc, id limit ${TASK_DRAFTS_MAX}`,
  PIPELINED,
)
const readDraft = query<DraftRow, [draft: string, buyer: string]>(
  'task_draft',
  `select ${COLUMNS}, task from task_drafts where id = $1 and buyer_id = $2`,
  PIPELINED,
)
const createStatement = query<
  DraftRow,
  [id: string, buyer: string, name: string, template: boolean, task: string, max: number]
>('task_draft_create', `select ${COLUMNS}, task from create_task_draft($1, $2, $3, $4, $5, $6)`)
const changeStatement = query<
  DraftRow,
  [draft: string, buyer: string, name: string | null, task: string, version: number | null, zone: string]
>('task_draft_change', `select ${COLUMNS}, task from change_task_draft($1, $2, $3, $4, $5, $6)`)
const renameStatement = query<DraftRow, [draft: string, buyer: string, name: string]>(
  'task_draft_rename',
  `update task_drafts set name = $3, changed_at = clock_time() where id = $1 and buyer_id = $2 returning ${COLUMNS}, task`,
)
const scheduleStatement = query<
  DraftRow,
  [draft: string, buyer: string, postAt: string | null, zone: string, daysMax: number]
>('task_draft_schedule', `select ${COLUMNS}, task from schedule_task_draft($1, $2, $3, $4, $5)`)
const deleteStatement = query<{ id: string }, [draft: string, buyer: string]>(
  'task_draft_delete',
  'delete from task_drafts where id = $1 and buyer_id = $2 returning id',
)

/**
 * Returns a buyer's draft by its id.
 * @throws Refusal `not_found` for a draft that does not exist or is another buyer's.
 */
export async function draftOf(db: Db, id: string, buyerId: string): Promise<DraftRow> {
  return only(await readDraft(db, id, buyerId))
}

/**
 * Saves a task as a draft or a template.
 * @throws Refusal `state_conflict` above TASK_DRAFTS_MAX.
 */
export async function createDraft(db: Db, buyerId: string, draft: NewTaskDraft): Promise<DraftRow> {
  const { name, template = false, ...fields } = draft
  if (template) delete fields.completion_date
  const values = [newId(), buyerId, name ?? '', template, JSON.stringify(fields), TASK_DRAFTS_MAX] as const
  return only(await createStatement(db, ...values))
}

/**
 * Replaces the fields of a draft of which the caller has seen `version`, and its name where one is given.
 * @throws Refusal `not_found`; `state_conflict` for other fields of another version; `invalid_fields` or `deadline_passed` for a scheduled draft that could not be posted at its time.
 */
export async function changeDraft(
  db: Db,
  { timeZone }: Config,
  id: string,
  buyerId: string,
  { name, version, ...fields }: Omit<NewTaskDraft, 'template'> & { version?: number | undefined },
): Promise<DraftRow> {
  const values = [id, buyerId, name ?? null, JSON.stringify(fields), version ?? null, timeZone] as const
  return only(await changeStatement(db, ...values))
}

/**
 * Renames a buyer's draft, and returns its row.
 * @throws Refusal `not_found`.
 */
export async function renameDraft(db: Db, id: string, buyerId: string, name: string): Promise<DraftRow> {
  return only(await renameStatement(db, id, buyerId, name))
}

/**
 * Sets the time at which a background job posts a draft, or none.
 * @throws Refusal `not_found`; `state_conflict` for a template; `invalid_fields` for a time that is over or too late, or fields
 * that are missing; `deadline_passed` for a task that would close less than an hour later.
 */
export async function scheduleDraft(
  db: Db,
  { timeZone }: Config,
  id: string,
  buyerId: string,
  postAt: string | null,
): Promise<DraftRow> {
  return only(await scheduleStatement(db, id, buyerId, postAt, timeZone, SCHEDULE_DAYS_MAX))
}

/**
 * Deletes a buyer's draft.
 * @throws Refusal `not_found`.
 */
export async function deleteDraft(db: Db, id: string, buyerId: string): Promise<void> {
  const deleted = await deleteStatement(db, id, buyerId)
  if (deleted.length === 0) throw new Refusal('not_found.task_draft')
}

function only([row]: DraftRow[]): DraftRow {
  if (row === undefined) throw new Refusal('not_found.task_draft')
  return row
}
