import { queryOptions } from '@tanstack/react-query'
import { listReviews, type Review } from '#contract/appeals.ts'
import { callPage } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'

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

/** Returns the options of a query for the ids of all open reviews in the case of a submission. */
export function wholeCaseQuery(submissionId: string) {
  const query = { caseOf: submissionId }
  return queryOptions({
    queryKey: [...queryKeyOf(listReviews, { query }), 'ids'],
    queryFn: async ({ signal }) => {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await callPage(listReviews, { query: { ...query, cursor } }, { signal })
        ids.push(...page.reply.map(({ _id }) => _id))
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      return ids
    },
  })
}
