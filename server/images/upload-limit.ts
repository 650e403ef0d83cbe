import { Refusal } from '#server/http/refusal.ts'

/** Creates a limit of concurrent uploads per user and in total, which bounds their memory. Refuses those above it. */
export function createUploadLimit(max: { perUser: number; total: number }) {
  const countOf = new Map<string, number>()
  let total = 0
  return async <Result>(userId: string, work: () => Promise<Result>): Promise<Result> => {
    const own = countOf.get(userId) ?? 0
    if (own >= max.perUser) throw new Refusal('too_many_requests.upload')
    if (total >= max.total) throw new Refusal('unavailable.uploads')
    countOf.set(userId, own + 1)
    total++
    try {
      return await work()
    } finally {
      total--
      const remaining = (countOf.get(userId) ?? 1) - 1
      if (remaining === 0) countOf.delete(userId)
      else countOf.set(userId, remaining)
    }
  }
}
