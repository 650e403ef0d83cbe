import type { Review } from '#contract/appeals.ts'

/** Reviews that can be decided together: rejections of one task with the same category and reason. */
export type ReviewCase = { key: string; reviews: [Review, ...Review[]] }

/** Groups reviews by their case. Cases are in order of their earliest deadline, like the list. */
export function groupIntoCases(reviews: readonly Review[]): ReviewCase[] {
  const cases = new Map<string, ReviewCase>()
  for (const review of reviews) {
    const known = cases.get(review.caseId)
    if (known === undefined) cases.set(review.caseId, { key: review.caseId, reviews: [review] })
    else known.reviews.push(review)
  }
  return [...cases.values()]
}
