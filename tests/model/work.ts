import { LOST_APPEALS_MAX } from '#contract/product.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import type { ModelReview, ModelTask, ModelWork, Named, Outcome, State, WorkOperation } from './operation.ts'
import { assignReviewer, mayReview } from './reviewing.ts'
import {
  approve,
  finalizeRejection,
  freeSlot,
  isFinal,
  recordDecision,
  STATES_FOR,
  taskOf,
  userOf,
} from './state-of-work.ts'

/** As MASS_REJECTION_DECISIONS and MASS_REJECTION_PERCENT. */
export type MassRejection = { decisions: number; percent: number }

/** What the real marketplace chose or depends on, which the model cannot know. */
export type Chosen = { reviewer?: number | null }

/** The rules of work that is submitted (docs/specification/submissions.md, docs/specification/appeals.md). */
export class Work {
  readonly #state: State
  readonly #massRejection: MassRejection

  constructor(state: State, massRejection: MassRejection) {
    this.#state = state
    this.#massRejection = massRejection
  }

  apply(operation: Exclude<WorkOperation, { do: 'submit' }>, { reviewer }: Chosen): Outcome {
    const work = this.#state.work[operation.work]
    if (operation.do === 'assign') return this.#assign(work, reviewer)
    if (operation.do === 'deadline') return this.#deadline(work, operation, reviewer)
    if (work === undefined) return 'submission_not_found'
    if (operation.do === 'decide') return this.#decide(work, operation, reviewer)
    const side = ['revise', 'accept', 'appeal'].includes(operation.do) ? work.worker : this.#task(work).buyer
    if (!operation.own && operation.who !== side) return 'submission_not_found'
    if (operation.do === 'approve') return this.#approve(work)
    if (operation.do === 'reject') return this.#reject(work, operation)
    if (!STATES_FOR[operation.do].includes(work.state)) return 'state_conflict'
    switch (operation.do) {
      case 'request-revision':
        if (operation.late) return 'deadline_passed'
        if (work.revisionRequested) return 'state_conflict'
        work.revisionRequested = true
        return this.#move(work, 'revision_requested')
      case 'revise':
        return this.#move(work, 'pending')
      case 'accept':
        finalizeRejection(this.#state, work, 'worker')
        return 'done'
      case 'appeal':
        return this.#appeal(work, operation.work)
      case 'defend':
        if (operation.late) return 'deadline_passed'
        this.#openReview(work, { unconfirmed: false, round: 1 }, reviewer)
        return this.#move(work, 'in_review')
      case 'concede':
        approve(this.#state, work, 'concession')
        return 'done'
      case 'reopen-slot':
        return this.#reopenSlot(work)
      case 'reverse':
        return this.#reverse(work, operation.late)
      case 'bonus':
        return this.#payBonus(work, operation.coins)
    }
  }

  #approve(work: ModelWork): Outcome {
    if (work.state === 'approved') return 'again'
    if (!STATES_FOR.approve.includes(work.state)) return 'already_decided'
    approve(this.#state, work, 'buyer')
    return 'done'
  }

  #reject(work: ModelWork, { reason, late }: Named<'reject'>): Outcome {
    if (work.state === 'approved') return 'already_decided'
    if (work.state === 'revision_requested') return 'state_conflict'
    // A repeated rejection returns the first result.
    if (work.state !== 'pending') return 'done'
    if (late) return 'deadline_passed'
    const needsReview = !this.#mayRejectAlone(this.#task(work).buyer)
    work.rejected = true
    work.reason = reason
    recordDecision(this.#state, work)
    return this.#move(work, needsReview ? 'in_review' : 'rejection_open')
  }

  #mayRejectAlone(buyer: number): boolean {
    const { decisions, percent } = this.#massRejection
    let counted = 0
    let rejected = 0
    for (const together of this.#state.decisions.toReversed()) {
      const decided = together
        .flatMap((number) => this.#state.work[number] ?? [])
        .filter((work) => this.#task(work).buyer === buyer)
        .filter((work) => work.rejected || work.decidedBy !== 'worker_left')
      if (counted === decisions) break
      if (decided.length === 0) continue
      const rejections = decided.filter(
        (work) => work.rejected && work.decidedBy !== 'concession' && work.decidedBy !== 'reversal',
      ).length
      const wanted = Math.min(decided.length, decisions - counted)
      counted += wanted
      rejected += (rejections * wanted) / decided.length
    }
    return counted < 10 || 100 * rejected <= percent * counted
  }

  #appeal(work: ModelWork, number: number): Outcome {
    const own = this.#state.appeals.flatMap((one) => {
      const appealed = this.#state.work[one]
      return appealed?.worker === work.worker ? [appealed] : []
    })
    const decided = own.filter(isFinal).slice(-10)
    const lost = decided.filter(({ state }) => state === 'rejected').length
    if (lost >= LOST_APPEALS_MAX && own.some((one) => !isFinal(one))) return 'state_conflict'
    this.#state.appeals.push(number)
    return this.#move(work, 'appealed')
  }

  #openReview(
    work: ModelWork,
    review: Pick<ModelReview, 'unconfirmed' | 'round'>,
    reviewer: Chosen['reviewer'],
  ): void {
    work.reviews.push({ ...review, reviewer: null, passedOver: [], decision: null })
    if (reviewer !== undefined) assignReviewer(this.#state, work, reviewer)
  }

  #decide(work: ModelWork, operation: Named<'decide'>, reviewer: Chosen['reviewer']): Outcome {
    const review = work.reviews.at(-1)
    // The review of a rejection that does not count yet opens when its reviewer is assigned.
    if (review === undefined) return 'submission_not_found'
    if (work.state !== 'in_review' || review.decision !== null) return 'already_decided'
    if (reviewer !== undefined) {
      const decides = operation.own ? (review.reviewer ?? operation.who) : operation.who
      if (!mayReview(this.#state, decides, work) || decides !== review.reviewer) return 'not_yours'
    }
    review.decision = operation.decision
    if (operation.decision === 'overturned') approve(this.#state, work, 'reviewer')
    else if (review.unconfirmed) this.#move(work, 'rejection_open')
    else finalizeRejection(this.#state, work, 'reviewer')
    return 'done'
  }

  #assign(work: ModelWork | undefined, reviewer: Chosen['reviewer']): Outcome {
    if (work?.state !== 'in_review') return 'again'
    if (reviewer === undefined) return 'done'
    if (work.reviews.at(-1)?.decision !== null) {
      this.#openReview(work, { unconfirmed: true, round: 1 }, reviewer)
      return reviewer === null ? 'again' : 'done'
    }
    const assigned = work.reviews.at(-1)?.reviewer ?? null
    if (assigned !== null && mayReview(this.#state, assigned, work)) return 'again'
    assignReviewer(this.#state, work, reviewer)
    return reviewer === null ? 'again' : 'done'
  }

  /** The deadline of the work's state passes. */
  #deadline(work: ModelWork | undefined, { from }: Named<'deadline'>, reviewer: Chosen['reviewer']): Outcome {
    if (work === undefined || (from !== undefined && work.state !== from)) return 'again'
    switch (work.state) {
      case 'pending':
        approve(this.#state, work, 'time')
        return 'done'
      case 'revision_requested':
        return this.#move(work, 'pending')
      case 'rejection_open':
        finalizeRejection(this.#state, work, 'buyer')
        return 'done'
      case 'appealed':
        approve(this.#state, work, 'silence')
        return 'done'
      case 'in_review':
        this.#missReview(work, reviewer)
        return 'done'
      case 'approved':
      case 'rejected':
        return 'again'
    }
  }

  #missReview(work: ModelWork, reviewer: Chosen['reviewer']): void {
    const review = work.reviews.at(-1)
    if (review === undefined) {
      this.#openReview(work, { unconfirmed: true, round: 2 }, reviewer)
    } else if (review.round === 2) {
      approve(this.#state, work, 'no_reviewer')
    } else {
      review.round = 2
      if (review.reviewer !== null) review.passedOver.push(review.reviewer)
      review.reviewer = null
      if (reviewer !== undefined) assignReviewer(this.#state, work, reviewer)
    }
  }

  #reopenSlot(work: ModelWork): Outcome {
    const task = this.#task(work)
    if (work.slotReopened) return 'done'
    if (task.closed) return 'task_closed'
    if (!this.#fundSlot(task)) return 'insufficient_coins'
    freeSlot(this.#state, task)
    work.slotReopened = true
    return 'done'
  }

  #reverse(work: ModelWork, late: boolean): Outcome {
    if (userOf(this.#state, work.worker).deleted) return 'user_not_found'
    if (late) return 'deadline_passed'
    if (!this.#fundSlot(this.#task(work))) return 'insufficient_coins'
    approve(this.#state, work, 'reversal')
    return 'done'
  }

  #payBonus(work: ModelWork, coins: number): Outcome {
    const buyer = userOf(this.#state, this.#task(work).buyer)
    const worker = userOf(this.#state, work.worker)
    if (worker.deleted) return 'user_not_found'
    if (buyer.coins < coins) return 'insufficient_coins'
    buyer.coins -= coins
    worker.coins += coins
    return 'done'
  }

  #fundSlot(task: ModelTask): boolean {
    const buyer = userOf(this.#state, task.buyer)
    if (buyer.coins < task.reward) return false
    buyer.coins -= task.reward
    task.slots++
    return true
  }

  #move(work: ModelWork, state: SubmissionState): Outcome {
    work.state = state
    return 'done'
  }

  #task(work: ModelWork): ModelTask {
    return taskOf(this.#state, work.task)
  }
}
