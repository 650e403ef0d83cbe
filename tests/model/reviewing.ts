import assert from 'node:assert/strict'
import type { ModelReview, ModelWork, State } from './operation.ts'
import { userOf } from './state-of-work.ts'

/** An Admin or a user with the permission, who has no part in the work and none in its task. */
export function mayReview(state: State, user: number, work: ModelWork): boolean {
  const { role, deleted, reviewer } = userOf(state, user)
  const buyer = state.tasks[work.task]?.buyer
  const hasWork = state.work.some((other) => other.task === work.task && other.worker === user)
  return !deleted && (role === 'Admin' || reviewer) && user !== buyer && !hasWork
}

/**
 * Assigns the open review of some work to the reviewer whom the marketplace chose. Fails when the choice breaks the rules:
 * neutral, not asked before, with the identical rejections of the task, else with the fewest open reviews.
 */
export function assignReviewer(state: State, work: ModelWork, chosen: number | null): void {
  const review = work.reviews.at(-1)
  if (review === undefined) throw new Error('The work has no review')
  const asked = [...review.passedOver, ...work.reviews.slice(0, -1).map((earlier) => earlier.reviewer)]
  const candidates = state.people.flatMap((_, user) =>
    mayReview(state, user, work) && !asked.includes(user) ? [user] : [],
  )
  const loads = candidates.map((user) => ({ user, ...loadOf(state, user, work, review) }))
  const withCase = loads.filter(({ sameCase }) => sameCase)
  const preferred = withCase.length > 0 ? withCase : loads
  const fewest = Math.min(...preferred.map(({ open }) => open))
  const best = preferred.filter(({ open }) => open === fewest).map(({ user }) => user)
  if (best.length === 0) assert.equal(chosen, null, 'Nobody can review this work')
  else assert.ok(chosen !== null && best.includes(chosen), `Reviewer ${chosen} is none of ${best.join(', ')}`)
  review.reviewer = chosen
}

function loadOf(state: State, user: number, work: ModelWork, review: ModelReview) {
  const assigned = state.work.flatMap((other) => {
    const latest = other.reviews.at(-1)
    const isOpen = latest?.reviewer === user && latest.decision === null && other.state === 'in_review'
    return isOpen ? [{ other, latest }] : []
  })
  const sameCase = assigned.some(
    ({ other, latest }) =>
      other.task === work.task && other.reason === work.reason && latest.round === review.round,
  )
  return { open: assigned.length, sameCase }
}
