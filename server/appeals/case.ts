import type { Case } from '#contract/appeals.ts'
import type { Db } from '#server/database/database.ts'
import type { Caller, Viewer } from '#server/http/caller.ts'
import { Refusal } from '#server/http/refusal.ts'
import { presentCase } from './present.ts'
import { caseById } from './queries.ts'

/**
 * Returns a submission with its texts, decisions and transfers, for its worker, its buyer, its reviewers and Admins. Reviewers see no
 * names. An API key reads only its user's own work and tasks.
 * @throws Refusal `submission_not_found` for everybody else.
 */
export async function readCase(
  db: Db,
  submissionId: string,
  viewer: Viewer,
  key: Caller['key'],
): Promise<Case> {
  const [row] = await caseById(db, submissionId)
  if (row === undefined) throw new Refusal('submission_not_found')
  if (row.worker_id === viewer.id) return presentCase(row, 'worker')
  if (row.buyer_id === viewer.id) return presentCase(row, 'buyer')
  const isReviewer = row.reviews.some(({ reviewer }) => reviewer === viewer.id)
  if (key !== null || (!isReviewer && viewer.role !== 'Admin')) throw new Refusal('submission_not_found')
  const open = row.reviews.at(-1)
  const decides = row.state === 'in_review' && open?.decision === null && open.reviewer === viewer.id
  return presentCase(row, 'reviewer', { isAdmin: viewer.role === 'Admin', decides })
}
