import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppealStatistics } from '#contract/appeals.ts'
import type { Reviewer } from '#contract/manage-users.ts'
import { updateRecords } from '#server/records/update.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  testConfig,
} from '#tests/support/factories.ts'
import { makeDue } from '#tests/support/submissions.ts'
import { defendRejection, openAppeal } from './appeal.ts'
import { decideReviews } from './decide.ts'
import { settleDueAppeals } from './settle-due.ts'

describe('statistics of appeals', () => {
  const api = useApi()

  async function aRejected() {
    const made = await aPendingSubmission(api.database, { slots: 1, reward: 10 })
    await rejectSubmission(api.database, testConfig, made.submissionId, made.buyer.id, { reason: 'No' })
    return made
  }
  async function anAppealed() {
    const made = await aRejected()
    await openAppeal(api.database, made.submissionId, made.worker.id, { text: 'It is complete.' })
    return made
  }
  async function aCase() {
    const made = await anAppealed()
    await defendRejection(api.database, made.submissionId, made.buyer.id, 'The date is missing.')
    return made
  }
  async function passDeadline(submissionId: string) {
    await makeDue(api.owner, submissionId)
    await settleDueAppeals(api.database)
  }
  const decide = (submissionId: string, reviewerId: string, decision: 'upheld' | 'overturned') =>
    decideReviews(api.database, testConfig, reviewerId, {
      submissions: [submissionId],
      decision,
      reason: 'I compared both.',
    })

  /** A buyer who rejected all of ten submissions. */
  async function aHastyBuyer() {
    const buyer = await aBuyer(api.database, { coins: 500 })
    const taskId = await aTask(api.database, buyer, { slots: 10, reward: 2 })
    for (let n = 0; n < 10; n++) {
      const id = await aSubmission(api.database, taskId, await aWorker(api.database))
      await rejectSubmission(api.database, testConfig, id, buyer.id, { reason: 'No' })
    }
    return buyer
  }

  test('a small history is counted by state, outcome, reviewer, buyer and worker', async () => {
    const admin = await anAdmin(api.database)
    await api.owner.query(`update users set role = 'Worker' where role = 'Admin' and id <> $1`, [admin.id])

    const [overturned, upheld, old, missed] = [await aCase(), await aCase(), await aCase(), await aCase()]
    await decide(overturned.submissionId, admin.id, 'overturned')
    await decide(upheld.submissionId, admin.id, 'upheld')
    await decide(old.submissionId, admin.id, 'upheld')
    await api.owner.query(
      `update reviews set opened_at = decided_at - interval '4 hours', assigned_at = decided_at - interval '3 hours'
        where decided_at is not null`,
    )
    await api.owner.query(
      `update reviews set decided_at = decided_at - interval '91 days' where submission_id = $1`,
      [old.submissionId],
    )
    await passDeadline(missed.submissionId)
    await passDeadline(missed.submissionId)
    await passDeadline((await anAppealed()).submissionId)
    await aRejected()
    await anAppealed()
    await aCase()

    const hasty = await aHastyBuyer()

    const loser = await aWorker(api.database)
    for (let n = 0; n < 5; n++) {
      const buyer = await aBuyer(api.database)
      const id = await aSubmission(
        api.database,
        await aTask(api.database, buyer, { slots: 1, reward: 10 }),
        loser,
      )
      await rejectSubmission(api.database, testConfig, id, buyer.id, { reason: 'No' })
      await openAppeal(api.database, id, loser.id, { text: 'It is complete.' })
      await api.owner.query(
        `update submissions set status = 'rejected', decided_at = clock_time(), decided_by = 'reviewer' where id = $1`,
        [id],
      )
      await api.owner.query(`select free_slot(task_id, id) from submissions where id = $1`, [id])
    }
    await updateRecords(api.database)

    const { body } = await api.as(admin).get('/appeals/statistics')
    const statistics = body as AppealStatistics
    assert.deepEqual(statistics.disputed, {
      coins: 3 * 10 + 10 * 2,
      rejectionOpen: 11,
      appealed: 1,
      inReview: 1,
    })
    assert.deepEqual(statistics.reviews, { decided: 2, overturned: 1, medianHours: 4 })
    assert.deepEqual([statistics.paidBySilence, statistics.paidByMissedReviews], [1, 1])
    assert.deepEqual(
      statistics.reviewers.map(({ name, ...counts }) => counts),
      [{ _id: admin.id, open: 1, decided: 2, overturned: 1, medianHours: 3, missed: 1 }],
    )
    const buyers = new Map(statistics.buyers.map((buyer) => [buyer._id, buyer]))
    assert.equal(statistics.buyers[0]?._id, hasty.id)
    assert.deepEqual(buyers.get(hasty.id), {
      _id: hasty.id,
      name: hasty.name,
      email: hasty.email,
      decided: 10,
      rejected: 10,
      reviewed: 0,
      overturned: 0,
      needsReviewer: true,
    })
    assert.deepEqual(
      statistics.workers.map(({ _id, decided, lost, open }) => [_id, decided, lost, open]),
      [[loser.id, 5, 5, 0]],
    )
  })

  test('a buyer who needs a reviewer is listed before larger buyers with more rejections', async () => {
    const admin = await anAdmin(api.database)
    const hasty = await aHastyBuyer()
    await updateRecords(api.database)
    const large = await Promise.all(Array.from({ length: 20 }, () => aBuyer(api.database)))
    await api.owner.query(
      `insert into buyer_records (buyer_id, record, updated_at)
       select id, '{"decided": 5000, "rejected": 100}', clock_time() from unnest($1::uuid[]) as id`,
      [large.map(({ id }) => id)],
    )
    const { body } = await api.as(admin).get('/appeals/statistics')
    const { buyers } = body as AppealStatistics
    assert.ok(buyers.length >= 20)
    const needing = buyers.filter(({ needsReviewer }) => needsReviewer)
    assert.ok(needing.some(({ _id }) => _id === hasty.id))
    assert.deepEqual(buyers.slice(0, needing.length), needing)
  })

  test('everybody who needs a reviewer is listed, also without rejections in their record', async () => {
    const admin = await anAdmin(api.database)
    const [overturned, old] = [await aHastyBuyer(), await aHastyBuyer()]
    await api.owner.query(
      `select approve_locked_submission(id, 'reviewer') from submissions where buyer_id = $1`,
      [overturned.id],
    )
    await api.owner.query(
      `insert into reviews (submission_id, unconfirmed, reviewer_id, assigned_at, decision, reason, decided_at)
       select id, false, $2, clock_time(), 'overturned', 'It is complete.', clock_time() from submissions where buyer_id = $1`,
      [overturned.id, admin.id],
    )
    await api.owner.query(
      `update submissions set rejected_at = rejected_at - interval '91 days' where buyer_id = $1`,
      [old.id],
    )
    const many = await Promise.all(Array.from({ length: 20 }, () => aHastyBuyer()))
    await updateRecords(api.database)
    const { body } = await api.as(admin).get('/appeals/statistics')
    const found = new Map((body as AppealStatistics).buyers.map((buyer) => [buyer._id, buyer]))
    const countsOf = ({ id }: { id: string }) => {
      const buyer = found.get(id)
      return [buyer?.needsReviewer, buyer?.rejected, buyer?.reviewed, buyer?.overturned]
    }
    assert.deepEqual(countsOf(overturned), [true, 0, 10, 10])
    assert.deepEqual(countsOf(old), [true, 0, 0, 0])
    for (const buyer of many) assert.equal(found.has(buyer.id), true)
  })

  test('deleted buyers do not take the places of others', async () => {
    const admin = await anAdmin(api.database)
    const buyers = await Promise.all(Array.from({ length: 21 }, () => aBuyer(api.database)))
    const [left, ...deleted] = buyers.map(({ id }) => id)
    await api.owner.query(
      `insert into buyer_records (buyer_id, record, updated_at)
       select id, jsonb_build_object('decided', 9000, 'rejected', case when id = $2 then 8000 else 9000 end), clock_time()
         from unnest($1::uuid[]) as id`,
      [[left, ...deleted], left],
    )
    for (const id of deleted) await deleteUser(api.database, id, admin.id)
    const { body } = await api.as(admin).get('/appeals/statistics')
    assert.ok((body as AppealStatistics).buyers.some(({ _id }) => _id === left))
  })

  test('reviewers are the users with the permission and the Admins', async () => {
    const admin = await anAdmin(api.database)
    const reviewer = await aWorker(api.database)
    const other = await aWorker(api.database)
    await api.owner.query('update users set is_reviewer = true where id = $1', [reviewer.id])
    const { body } = await api.as(admin).get('/reviewers')
    const found = new Map((body as Reviewer[]).map((user) => [user._id, user]))
    assert.equal(found.get(admin.id)?.reviewer, false)
    assert.deepEqual(
      [found.get(reviewer.id)?.reviewer, found.get(reviewer.id)?.email],
      [true, reviewer.email],
    )
    assert.equal(found.has(other.id), false)
  })
})
