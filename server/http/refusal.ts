import type { ErrorCode } from '#contract/errors.ts'

/** A rule saying no: a code from the closed list, a sentence for a person, and which fields it is about. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined

  constructor(code: ErrorCode, message: string, fields?: Record<string, string>) {
    super(message)
    this.code = code
    this.fields = fields
  }
}
