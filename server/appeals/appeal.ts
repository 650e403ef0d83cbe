import { APPEAL_RESPONSE_DAYS, LOST_APPEALS_MAX, REVIEWER_DAYS } from '#contract/product.ts'
import { type Db, query } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'

type Appeal = { text: string; pictures?: readonly string[] | undefined }

const openAppealStatement = query<
  never,
  [
    submission: string,
    worker: string,
    text: string,
    pictures: readonly string[],
    response: string,
    lost: number,
  ]
>('open_appeal', 'select open_appeal($1, $2, $3, $4, $5, $6)')
const defendRejectionStatement = query<
  never,
  [submission: string, buyer: string, text: string, review: string]
>('defend_rejection', 'select defend_rejection($1, $2, $3, $4)')

/**
 * Appeals a rejection, for the worker. The buyer has APPEAL_RESPONSE_DAYS to concede or to defend it.
 * @throws Refusal `submission_not_found`; `state_conflict` outside the appeal window, or with an open appeal after
 * LOST_APPEALS_MAX lost ones; `invalid_image` for pictures that were not uploaded here.
 */
export async function openAppeal(
  db: Db,
  submissionId: string,
  workerId: string,
  { text, pictures = [] }: Appeal,
): Promise<void> {
  await openAppealStatement(
    db,
    submissionId,
    workerId,
    text,
    pictures,
    daysInterval(APPEAL_RESPONSE_DAYS),
    LOST_APPEALS_MAX,
  )
}

/**
 * Stands by a rejection that was appealed, for the buyer: a neutral reviewer decides.
 * @throws Refusal `submission_not_found`; `state_conflict` in another state; `deadline_passed` after APPEAL_RESPONSE_DAYS.
 */
export async function defendRejection(
  db: Db,
  submissionId: string,
  buyerId: string,
  text: string,
): Promise<void> {
  await defendRejectionStatement(db, submissionId, buyerId, text, daysInterval(REVIEWER_DAYS))
}
