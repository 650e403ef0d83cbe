import * as z from 'zod/mini'

/** Every error code with its status (docs/specification/api.md). The list is the status map. */
export const STATUS_OF = {
  invalid_request: 400,
  invalid_json: 400,
  sign_in_required: 401,
  invalid_token: 401,
  wrong_credentials: 401,
  second_factor_required: 401,
  forbidden: 403,
  not_registered: 403,
  role_not_allowed: 403,
  not_yours: 403,
  proof_required: 403,
  second_factor_missing: 403,
  wrong_origin: 403,
  email_not_verified: 403,
  not_found: 404,
  user_not_found: 404,
  task_not_found: 404,
  submission_not_found: 404,
  withdrawal_not_found: 404,
  payment_not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  insufficient_coins: 409,
  task_closed: 409,
  task_filled: 409,
  task_changed: 409,
  deadline_passed: 409,
  own_task: 409,
  already_submitted: 409,
  already_decided: 409,
  reservation_limit: 409,
  reservation_lapsed: 409,
  refund_mismatch: 409,
  last_admin: 409,
  yourself: 409,
  payment_mismatch: 409,
  payment_not_succeeded: 409,
  idempotency_in_progress: 409,
  holding_time: 409,
  account_frozen: 409,
  withdrawal_frozen: 409,
  state_conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_fields: 422,
  invalid_image: 422,
  idempotency_key_reused: 422,
  link_expired: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  payments_unavailable: 503,
} as const

export type ErrorCode = keyof typeof STATUS_OF

/** The body of every error response. Clients may show `message` to users unchanged. */
export const ErrorReply = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.optional(z.record(z.string(), z.string())),
  }),
})
export type ErrorReply = z.infer<typeof ErrorReply>
