import type { SubmissionState } from '#contract/submission-states.ts'
import { queryOne } from '#server/database/database.ts'
import type { Outcome } from './operation.ts'

/** What an operation came to in the real marketplace, what it made, and what it found (operation.ts). */
export type Result = {
  outcome: Outcome
  made?: string
  found?: { from: SubmissionState } | { reserved: boolean } | { works: number[] }
}

/** The id of nothing. */
export const NOBODY = '00000000-0000-4000-8000-000000000000'

export const doneIf = (modified: number): Result => ({ outcome: modified === 1 ? 'done' : 'again' })

/** Sets the clock of the transaction. */
export const setClock = queryOne<{ clock: string }, [at: string]>(
  'model_set_clock',
  `select set_config('tallywork.clock', $1, true) as clock`,
)
