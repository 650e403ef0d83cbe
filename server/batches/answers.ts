import type { Answers } from '#contract/answer-form.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import { type Db, query } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'
import type { StoredAgreement } from './store-agreement.ts'

export type AnswerRow = {
  id: string
  worker_id: string
  number: number
  input: Record<string, string>
  worker: string
  answers: Answers
  state: SubmissionState
  reserved_at: string
  created_at: string
  decided_at: string | null
  rejected_at: string | null
  work_seconds: number
  reason: string
  share: number | null
  agreement: StoredAgreement[] | null
  golden: Answers | null
  is_right: boolean | null
}

export type AnswerFilter = {
  state?: SubmissionState | undefined
  worker?: string | undefined
  q?: string | undefined
  disagreeing?: 'true' | undefined
}
type FilterValues = [
  state: SubmissionState | null,
  worker: string | null,
  words: string | null,
  disagreeing: boolean,
]

const COLUMNS = `submissions.id, worker_id, item_number as number, worker_pseudonym(buyer_id, worker_id) as worker, answers,
  status as state, reserved_at, submissions.created_at, decided_at, rejected_at,
  extract(epoch from submissions.created_at - reserved_at)::int as work_seconds, reason, share, agreement, golden,
  matches_golden(answers, golden) as is_right`
// The rows of the file and their agreement by their keys, whatever the planner knows about the tables.
const INPUT = `cross join lateral (
  select batch_items.batch_id, input, golden from batch_items join tasks on tasks.batch_id = batch_items.batch_id
   where tasks.id = task_id and number = item_number limit 1) as item
  left join lateral (
  select share, questions as agreement from item_agreement
   where item_agreement.batch_id = item.batch_id and number = item_number limit 1) as compared on true`
const ROW = 'ordered_fields(input, (select columns from batches where id = item.batch_id))'
// Each word is somewhere in the answers: a question's own words would match every answer to it. Most texts are normalized, which is
// seen sooner than they are normalized. `offset 0` keeps both from being done again for each word.
const HAS_WORDS = `(select bool_and(position(word in given) > 0)
    from (select case when texts is normalized then texts else normalize(texts) end as given
            from (select coalesce(string_agg(lower(value #>> '{}'), E'\\n'), '') as texts
                    from jsonb_path_query(answers, '$.*[*]') as value offset 0) as all_answers offset 0) as searched,
         unnest(regexp_split_to_array(normalize(lower(btrim($4))), '\\s+')) as word)`
const MATCHES = `task_id = $1 and item_number is not null
  and ($2::submission_status is null or status = $2)
  and ($3::text is null or worker_pseudonym(buyer_id, worker_id) = $3)
  and ($4::text is null or ${HAS_WORDS})
  and (not $5::boolean or exists (select from item_agreement
    where batch_id = (select batch_id from tasks where id = $1) and number = item_number and share < 1))`

// A search and a summary read every answer of a batch: a second or more for 100,000.
export const ALL_ANSWERS = { timeoutMs: 10_000 }

// Only the first answer to an item has its row of the file, which may have a megabyte.
const answersByItemRows = query<
  Omit<AnswerRow, 'input'> & { input: AnswerRow['input'] | null },
  [task: string, ...FilterValues, item: number | null, worker: string | null, limit: number]
>(
  'batch_answers_by_item',
  `select ${COLUMNS},
          case when lag(item_number) over (order by item_number, worker_id) is distinct from item_number then ${ROW} end as input
     from (select * from submissions
      where ${MATCHES} and (item_number, worker_id) > (coalesce($6::bigint, 0), ${afterCursor('$7', 'uuid')})
      order by item_number, worker_id limit $8) as submissions ${INPUT}
    order by item_number, worker_id`,
  ALL_ANSWERS,
)
// The work on one task is sorted in memory: an index by time would cost every submission a write.
const answersNewestRows = query<
  AnswerRow,
  [task: string, ...FilterValues, before: string | null, limit: number]
>(
  'batch_answers_newest',
  `with matching as materialized (select id from submissions where ${MATCHES})
   select ${COLUMNS}, ${ROW} as input from (select id from matching where id < ${beforeCursor('$6', 'uuid')} order by id desc limit $7) as page
     join submissions on submissions.id = page.id ${INPUT}
    order by submissions.id desc`,
  ALL_ANSWERS,
)

const valuesOf = ({ state, worker, q, disagreeing }: AnswerFilter): FilterValues => [
  state ?? null,
  worker ?? null,
  q?.trim() ? q.trim() : null,
  disagreeing === 'true',
]

/**
 * Returns the answers of a batch's task after the row with this item and worker, or from the first one. Those to one item share
 * the object of its row of the file.
 */
export async function answersByItem(
  db: Db,
  taskId: string,
  filter: AnswerFilter,
  [item, worker]: readonly (string | number | null)[],
  limit: number,
): Promise<AnswerRow[]> {
  const rows = await answersByItemRows(
    db,
    taskId,
    ...valuesOf(filter),
    (item ?? null) as number | null,
    (worker ?? null) as string | null,
    limit,
  )
  let input: AnswerRow['input'] = {}
  return rows.map((row) => {
    input = row.input ?? input
    return { ...row, input }
  })
}

export const newestAnswers = (
  db: Db,
  taskId: string,
  filter: AnswerFilter,
  [before]: readonly (string | number | null)[],
  limit: number,
) => answersNewestRows(db, taskId, ...valuesOf(filter), (before ?? null) as string | null, limit)
