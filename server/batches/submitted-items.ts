import type { Answers } from '#contract/answer-form.ts'
import type { Config } from '#server/config.ts'
import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import type { Caller, Viewer } from '#server/http/caller.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type ApprovalRule, approvalRule } from './closed-answers.ts'
import { checkedAnswers, joinItem, type SubmittedItemRow } from './items.ts'
import { CONTENT } from './queries.ts'

type PartyRow = SubmittedItemRow & { worker_id: string; buyer_id: string; reviews: boolean }

const itemOfSubmissionRow = query<PartyRow, [submission: string, viewer: string]>(
  'item_of_submission',
  `select submissions.worker_id, submissions.buyer_id, item_number as number, answers, ordered_fields(input, columns) as input, ${CONTENT},
          coalesce((select true from reviews where submission_id = submissions.id and reviewer_id = $2 limit 1), false) as reviews
     from submissions ${joinItem('submissions')}
    where submissions.id = $1`,
  PIPELINED,
)
const reviseItemStatement = query<
  never,
  [submission: string, worker: string, text: string, review: string, answers: string, ...ApprovalRule]
>('revise_batch_item', 'select revise_batch_item($1, $2, $3, $4, $5, $6, $7)')

/**
 * Returns the item of a submission. An API key reads only its user's own work and tasks.
 * @throws Refusal `submission_not_found` for others than its parties, reviewers and Admins.
 */
export async function itemOfSubmission(
  db: Db,
  submissionId: string,
  viewer: Viewer,
  key: Caller['key'],
): Promise<PartyRow> {
  const [row] = await itemOfSubmissionRow(db, submissionId, viewer.id)
  const isAllowed =
    row !== undefined &&
    (row.worker_id === viewer.id ||
      row.buyer_id === viewer.id ||
      (key === null && (row.reviews || viewer.role === 'Admin')))
  if (!isAllowed) throw new Refusal('submission_not_found')
  return row
}

/**
 * Submits revised answers.
 * @throws Refusal `submission_not_found`; `state_conflict` when no revision is requested; as `submitItem` for answers that
 * break a rule of the form.
 */
export async function reviseItem(
  db: Db,
  { reviewDays }: Config,
  submissionId: string,
  worker: Viewer,
  given: Answers,
): Promise<void> {
  const { content } = await itemOfSubmission(db, submissionId, worker, null)
  const { answers, text } = checkedAnswers(content, given)
  const values = [text, daysInterval(reviewDays), JSON.stringify(answers)] as const
  await reviseItemStatement(db, submissionId, worker.id, ...values, ...approvalRule(content))
}
