import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { defendRejection, openAppeal } from '#server/appeals/appeal.ts'
import type { Database } from '#server/database/database.ts'
import { booksDifference } from '#server/stats/queries.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useDatabase } from './database.ts'
import { aPendingSubmission, type TestUser, testConfig } from './factories.ts'

export const reject = (
  database: Database,
  submissionId: string,
  buyer: TestUser,
  reason = 'Not what I asked for',
) => rejectSubmission(database, testConfig, submissionId, buyer.id, { reason, category: 'wrong' })
export const appeal = (database: Database, submissionId: string, worker: TestUser) =>
  openAppeal(database, submissionId, worker.id, { text: 'It does what the task says.' })
export const defend = (database: Database, submissionId: string, buyer: TestUser) =>
  defendRejection(database, submissionId, buyer.id, 'The third line is missing.')

/** A database with rejections and appeals. Call it inside `describe`. */
export function useAppeals() {
  const db = useDatabase()
  /** Asserts that the books balance with these transfer kinds. */
  afterEach(async () => assert.equal((await booksDifference(db.database)).difference, 0))

  async function reviewerOf(submissionId: string): Promise<string | null> {
    const { rows } = await db.database.pool.query(
      'select reviewer_id from reviews where submission_id = $1 and decided_at is null',
      [submissionId],
    )
    return rows[0]?.reviewer_id ?? null
  }

  async function aRejectedSubmission(options: Parameters<typeof aPendingSubmission>[1] = {}) {
    const made = await aPendingSubmission(db.database, options)
    await reject(db.database, made.submissionId, made.buyer)
    return made
  }
  async function aCase(options: Parameters<typeof aPendingSubmission>[1] = {}) {
    const made = await aRejectedSubmission(options)
    await appeal(db.database, made.submissionId, made.worker)
    await defend(db.database, made.submissionId, made.buyer)
    return made
  }
  /** Leaves only these users as reviewers. */
  async function onlyReviewers(...reviewers: TestUser[]) {
    await db.owner.query(
      `update users set role = 'Worker', is_reviewer = false where role = 'Admin' or is_reviewer`,
    )
    await db.owner.query('update users set is_reviewer = true where id = any ($1)', [
      reviewers.map(({ id }) => id),
    ])
  }

  return { db, reviewerOf, aRejectedSubmission, aCase, onlyReviewers }
}
