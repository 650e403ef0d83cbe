import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { APPEAL_PICTURES_MAX } from './product.ts'
import { Acknowledged, ById, Coins, Id, PictureUrl, paging, Time, text } from './shapes.ts'
import { DECIDERS, REJECTION_CATEGORIES, SUBMISSION_STATES } from './submission-states.ts'
import { TaskCategory } from './task-categories.ts'

export const APPEAL_TEXT_MAX = 5_000

export const openAppeal = endpoint({
  method: 'POST',
  path: '/submissions/:id/appeal',
  summary: 'Appeal a rejection; the buyer concedes or defends it in time, or the work is paid',
  access: { who: 'signed-in' },
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({
    text: text(APPEAL_TEXT_MAX, 'Say why the rejection is wrong'),
    pictures: z.optional(z.array(PictureUrl).check(z.maxLength(APPEAL_PICTURES_MAX))),
  }),
  reply: Acknowledged,
})

export const defendRejection = endpoint({
  method: 'POST',
  path: '/submissions/:id/defence',
  summary: 'Stand by a rejection that was appealed; a neutral reviewer decides',
  access: { who: 'signed-in' },
  scope: 'review',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ text: text(APPEAL_TEXT_MAX, 'Say why you stand by the rejection') }),
  reply: Acknowledged,
  errors: ['submission_not_found', 'deadline_passed', 'state_conflict'],
})

/** One step of a case. Texts are what a user wrote; a step without a text was taken automatically or by a button. */
export const CaseStep = z.object({
  at: Time,
  step: z.enum([
    'submitted',
    'revision_requested',
    'revised',
    'revision_missed',
    'rejected',
    'appealed',
    'defended',
    'second_review',
    'review_upheld',
    'review_overturned',
    'approved',
    'rejection_final',
    'slot_reopened',
    'slot_refunded',
    'bonus',
  ]),
  text: z.string(),
  pictures: z.array(z.string()),
  /** Who decided; null for steps that are no decision. */
  decidedBy: z.nullable(z.enum(DECIDERS)),
  /** The coins of a bonus, and of a slot that was added or refunded; null for other steps. */
  coins: z.nullable(Coins),
})
export type CaseStep = z.infer<typeof CaseStep>

/** A submission with everything said and moved. A reviewer sees no names. */
export const Case = z.object({
  _id: Id,
  /** What the caller is in this case. */
  viewer: z.enum(['worker', 'buyer', 'reviewer']),
  state: z.enum(SUBMISSION_STATES),
  dueAt: z.nullable(Time),
  payable_amount: Coins,
  /** Null for a reviewer who is no Admin: the task names its buyer. */
  taskId: z.nullable(Id),
  task_title: z.string(),
  task_detail: z.string(),
  submission_info: z.string(),
  taskImg: z.string(),
  taskCategory: TaskCategory,
  submissoin_data: z.string(),
  /** The item of a batch that the work is about; null for a plain task. */
  item: z.nullable(z.int()),
  category: z.nullable(z.enum(REJECTION_CATEGORIES)),
  requirement: z.string(),
  reason: z.string(),
  /** Null for a reviewer. */
  worker_name: z.nullable(z.string()),
  buyer_name: z.nullable(z.string()),
  /** Whether the rejection is unconfirmed: a reviewer decides before it counts. Clients know the field by this name. */
  held: z.boolean(),
  /** In review: 1 for the first reviewer, 2 for the second; null in other states. */
  round: z.nullable(z.int()),
  slotReopened: z.boolean(),
  /** Until when a final rejection can be reversed; null in other states. */
  reversibleUntil: z.nullable(Time),
  /** Whether the task is closed, so that no slot can be reopened. */
  isClosed: z.boolean(),
  /** Whether the caller is the reviewer who decides now. */
  decides: z.boolean(),
  steps: z.array(CaseStep),
})
export type Case = z.infer<typeof Case>

export const submissionCase = endpoint({
  method: 'GET',
  path: '/submissions/:id/case',
  summary: 'A submission with everything said and moved, for its worker, its buyer and its reviewer',
  access: { who: 'signed-in' },
  scope: 'review',
  params: ById,
  reply: Case,
  errors: ['submission_not_found'],
})

/** A submission in the queue of a reviewer, who sees neither names nor the task that has them. */
export const Review = z.object({
  _id: Id,
  /** The same for submissions of one case: those with the same task, category and reason. */
  caseId: Id,
  /** The open reviews of the case. */
  caseSize: z.int(),
  task_title: z.string(),
  category: z.nullable(z.enum(REJECTION_CATEGORIES)),
  reason: z.string(),
  requirement: z.string(),
  submissoin_data: z.string(),
  payable_amount: Coins,
  /** As in `Case`. */
  held: z.boolean(),
  round: z.int(),
  openedAt: Time,
  dueAt: Time,
})
export type Review = z.infer<typeof Review>

export const listReviews = endpoint({
  method: 'GET',
  path: '/reviews',
  summary: "The caller's open reviews, by deadline",
  access: { who: 'reviewer' },
  /** `caseOf` lists only the case of this submission. */
  query: z.object({ ...paging, caseOf: z.optional(Id) }),
  reply: z.array(Review),
})

/** The reviews of one request. A larger case is decided in several. */
export const REVIEWS_AT_ONCE = 100

export const decideReviews = endpoint({
  method: 'POST',
  path: '/reviews/decisions',
  summary: 'Decide reviews assigned to the caller with one reason, all or none',
  access: { who: 'reviewer' },
  limit: { perUser: 3600, perNetwork: 36_000 },
  body: z.object({
    ids: z.array(Id).check(z.minLength(1), z.maxLength(REVIEWS_AT_ONCE)),
    decision: z.enum(['upheld', 'overturned']),
    reason: text(APPEAL_TEXT_MAX, 'Give the reason for your decision'),
  }),
  reply: Acknowledged,
})

const Count = z.int().check(z.minimum(0))
const MedianHours = z.nullable(z.number())

/** How disputes end, over the last 90 days (docs/specification/appeals.md#statistics). */
export const AppealStatistics = z.object({
  /** Now: the coins in escrow for rejections that are not final, and their number by state. */
  disputed: z.object({ coins: Coins, rejectionOpen: Count, appealed: Count, inReview: Count }),
  /** `medianHours` is from the opening of the review to the decision; null without a decision. */
  reviews: z.object({ decided: Count, overturned: Count, medianHours: MedianHours }),
  /** Appeals that paid the worker because the buyer did not respond, or no reviewer decided in time. */
  paidBySilence: Count,
  paidByMissedReviews: Count,
  /** Those with a review now or in these days. `medianHours` is from the assignment to the decision. */
  reviewers: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      open: Count,
      decided: Count,
      overturned: Count,
      medianHours: MedianHours,
      missed: Count,
    }),
  ),
  /** All buyers who need a reviewer, then the 20 others with the most rejections. */
  buyers: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      email: z.string(),
      decided: Count,
      rejected: Count,
      /** Decisions of reviewers about this buyer's rejections. */
      reviewed: Count,
      overturned: Count,
      /** Whether each further rejection is reviewed before it counts. */
      needsReviewer: z.boolean(),
    }),
  ),
  /** Workers who lost LOST_APPEALS_MAX of their last ten appeals: they have one open appeal at a time. */
  workers: z.array(
    z.object({ _id: Id, name: z.string(), email: z.string(), decided: Count, lost: Count, open: Count }),
  ),
})
export type AppealStatistics = z.infer<typeof AppealStatistics>

export const appealStatistics = endpoint({
  method: 'GET',
  path: '/appeals/statistics',
  summary: 'Coins in dispute, decisions of reviewers, and buyers and workers who lose much',
  access: { who: ['Admin'] },
  reply: AppealStatistics,
})
