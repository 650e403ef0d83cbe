import { createConcurrencyLimit } from '#server/http/concurrency-limit.ts'

const refusal = 'unavailable.sign_in'

/** Limits requests of anonymous clients that check or create an account, so that a flood holds three connections at most. */
export const limitSignIns = createConcurrencyLimit({ running: 3, waiting: 64, refusal })

/** Limits password hashing: two at a time leave threads and memory for other requests. */
export const limitHashing = createConcurrencyLimit({ running: 2, waiting: 64, refusal })
