import type { ErrorCode } from '#contract/errors.ts'
import { REFUSAL_TEXTS, type RefusalKey, type RefusalParams } from '#contract/refusals.en.ts'

type Details = {
  /** A message for each field of the request that is wrong. */
  fields?: Record<string, string>
  /** The one field that the refusal's own sentence is about. */
  field?: string
  /** When a retry can succeed, where that is known. */
  waitSeconds?: number
  cause?: string
}
type Arguments<Key extends RefusalKey> =
  RefusalParams<Key> extends undefined ? [Details?] : [Details & { params: RefusalParams<Key> }]

/** A rule that rejects a request. Its sentence comes from contract/refusals.en.ts. */
export class Refusal<Key extends RefusalKey = RefusalKey> extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly waitSeconds: number | undefined

  constructor(key: Key, ...[details]: Arguments<Key>) {
    const { fields, field, waitSeconds, cause, params }: Details & { params?: unknown } = details ?? {}
    const text: string | ((params: never) => string) = REFUSAL_TEXTS[key]
    const message = typeof text === 'string' ? text : text(params as never)
    super(message, { cause })
    this.code = key.split('.', 1)[0] as ErrorCode
    this.fields = field === undefined ? fields : { [field]: message }
    this.waitSeconds = waitSeconds
  }
}
