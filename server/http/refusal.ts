import type { ErrorCode } from '#contract/errors.ts'

/**
 * A rule saying no: a code from the closed list, a sentence for a person, and which fields it is about. `waitSeconds`:
 * when asking again can do better, where that is known.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly waitSeconds: number | undefined

  constructor(code: ErrorCode, message: string, fields?: Record<string, string>, waitSeconds?: number) {
    super(message)
    this.code = code
    this.fields = fields
    this.waitSeconds = waitSeconds
  }
}
