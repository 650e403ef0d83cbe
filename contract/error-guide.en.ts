import type { ErrorCode } from './errors.ts'

type Guide = {
  /** What happened. */
  meaning: string
  /** What the caller does about it. */
  remedy: string
}

const RETRY =
  'Send the same request again after the seconds of `Retry-After`, with the same `Idempotency-Key`.'
const READ_AGAIN = 'Read the record again and decide by its current state. A retry does not help.'
const ADMINS_ONLY = 'Only Admins get this error, on the site.'

/** What every error code means and what the caller does about it, as /api/docs/errors shows it. Text is Markdown. */
export const ERROR_GUIDE: Record<ErrorCode, Guide> = {
  invalid_request: {
    meaning: 'A value has the wrong type, or the request cannot be parsed.',
    remedy:
      'Compare the request with its schema. Numbers are not sent as strings. `fields` names what is wrong.',
  },
  invalid_json: {
    meaning: 'The body is not valid JSON.',
    remedy:
      'Send JSON in UTF-8. Bodies read from a file or a shell variable are often truncated or quoted twice.',
  },
  sign_in_required: {
    meaning: 'The request has no `Authorization` header.',
    remedy: 'Send `Authorization: Bearer` with an API key or an ID token.',
  },
  invalid_token: {
    meaning: 'The API key or ID token is unknown, revoked or expired, or its user no longer exists.',
    remedy: 'Create a new API key on the site. Get a new ID token by signing in again.',
  },
  wrong_credentials: {
    meaning: 'The email or the password is wrong.',
    remedy: 'Check both. Reset the password if it is lost.',
  },
  second_factor_required: {
    meaning: 'The account uses two-step sign-in and the second step is missing.',
    remedy: 'Confirm with a code, a passkey or a recovery code.',
  },
  forbidden: {
    meaning: 'The request is not allowed for anybody in this way.',
    remedy: 'The message says what is allowed instead.',
  },
  not_registered: {
    meaning: 'The identity is signed in, but has no user yet.',
    remedy: 'Finish the sign-up: choose Worker or Buyer.',
  },
  role_not_allowed: {
    meaning: "The operation is for other roles than the caller's current one.",
    remedy: 'Use an account with a role that the operation names.',
  },
  not_yours: {
    meaning: 'The record or the email belongs to another user.',
    remedy: 'Use your own email and the ids of your own records.',
  },
  proof_required: {
    meaning: 'The operation needs a recent proof of identity.',
    remedy:
      'Confirm with `POST /auth/step-up` or sign in again, then repeat the request. API keys cannot do this.',
  },
  second_factor_missing: {
    meaning: 'Admins of this site need two-step sign-in and the caller has none.',
    remedy: 'Set up an authenticator app or a passkey on the site.',
  },
  scope_missing: {
    meaning: 'The API key lacks the scope of the operation, or the operation is closed to API keys.',
    remedy:
      'Create a key with the scope that the message names. Without one, the operation is for signed-in users.',
  },
  network_not_allowed: {
    meaning: 'The request comes from a network that the API key does not allow.',
    remedy: 'Send it from an allowed network, or create a key that allows this one.',
  },
  wrong_origin: {
    meaning: 'A browser sent a write from another site.',
    remedy: 'Call the API from a server. Browsers of other sites are not admitted.',
  },
  not_eligible: {
    meaning: 'The worker may not take a slot or an item of this task: `message` says what the task requires.',
    remedy: 'Meet the requirement, or work on other tasks. A retry does not help until then.',
  },
  email_not_verified: {
    meaning: "The user's email is not verified yet.",
    remedy: 'Follow the link in the verification email, or request a new one on the site.',
  },
  not_found: {
    meaning: 'Nothing exists at this path, or not for this caller.',
    remedy: 'Check the path and the id. A malformed id returns 404.',
  },
  user_not_found: {
    meaning: 'The user does not exist or was deleted.',
    remedy: 'Check the email or the id.',
  },
  task_not_found: {
    meaning: 'The task does not exist or was deleted.',
    remedy: 'Check the id. `GET /my-task/{email}` lists your tasks.',
  },
  submission_not_found: {
    meaning: 'The submission does not exist, or it is not to one of your tasks.',
    remedy: 'Check the id. `GET /task-to-review` lists the submissions to your tasks.',
  },
  withdrawal_not_found: {
    meaning: 'The withdrawal request does not exist.',
    remedy: 'Check the id. `GET /withdraw/{email}` lists your requests.',
  },
  payment_not_found: {
    meaning: 'The payment does not exist, or it is not yours.',
    remedy: 'Check the id. `GET /payment-history/{email}` lists your payments.',
  },
  destination_not_found: {
    meaning: 'The payout destination does not exist, or it is not yours.',
    remedy: 'Load the list of your destinations again.',
  },
  payout_not_found: { meaning: 'The payout does not exist.', remedy: ADMINS_ONLY },
  payout_batch_not_found: { meaning: 'The payout batch does not exist.', remedy: ADMINS_ONLY },
  email_taken: {
    meaning: 'Another account has this email.',
    remedy: 'Sign in to that account, or use another email.',
  },
  insufficient_coins: {
    meaning: 'The balance is too small, or the coins in it cannot be spent yet.',
    remedy: 'Read the balance with `GET /coin-role/{email}`. Buy coins on the site, or spend less.',
  },
  task_closed: {
    meaning: 'The task is closed or on hold.',
    remedy: 'Reopen your own task with `POST /tasks/{id}/reopen` first.',
  },
  task_filled: {
    meaning: 'Every slot of the task is taken.',
    remedy: 'Choose another task. A buyer adds slots with `POST /tasks/{id}/slots`.',
  },
  task_changed: {
    meaning: 'The request states a reward, a buyer or a version that is not that of the task.',
    remedy: 'Read the task again and send its current values.',
  },
  deadline_passed: {
    meaning: 'The deadline is in the past, or the time for this decision is over.',
    remedy: 'Send a later `completion_date`. A decision is refused after its deadline.',
  },
  own_task: {
    meaning: 'A user cannot work on a task of their own.',
    remedy: 'Choose a task of another buyer.',
  },
  already_submitted: {
    meaning: 'The worker already has work on this task.',
    remedy: 'Wait for the decision about it.',
  },
  already_decided: {
    meaning: 'This was already decided differently.',
    remedy: READ_AGAIN,
  },
  reservation_limit: {
    meaning: 'The worker has reached the reservation limit.',
    remedy: 'Submit the work of a reservation or return one first.',
  },
  reservation_lapsed: {
    meaning:
      "The worker's reservations of this task have expired twice or, in a batch, five of their items within 24 hours.",
    remedy:
      'Submit without a reservation while slots are left. In a batch, take the next item when fewer than five have expired in the last 24 hours.',
  },
  score_too_low: {
    meaning: "The worker's score in the project is below the minimum that its buyer has set.",
    remedy: 'Work on other tasks. Work that was submitted is reviewed and paid as before.',
  },
  refund_mismatch: {
    meaning: 'The ledger has no refund of exactly these coins.',
    remedy: 'Read the coin statement. Refunds are automatic, so no coins are missing.',
  },
  last_admin: { meaning: 'The change would leave no Admin.', remedy: ADMINS_ONLY },
  yourself: { meaning: 'Another Admin has to do this.', remedy: ADMINS_ONLY },
  payment_mismatch: {
    meaning: 'The payment is for another package than the request states.',
    remedy: 'Send the package that was paid for. No coins were added.',
  },
  payment_not_succeeded: {
    meaning: 'The card payment was not completed.',
    remedy: 'Pay again on the site. The card was not charged.',
  },
  holding_time: {
    meaning: 'Coins can be withdrawn a few days after you earn them.',
    remedy: 'Request at most the coins that the message names, or wait.',
  },
  account_frozen: {
    meaning: 'The account is frozen, so that its coins cannot move.',
    remedy: 'Read the reason in the notifications on the site and respond to it.',
  },
  withdrawal_frozen: { meaning: 'The withdrawal request is frozen.', remedy: ADMINS_ONLY },
  risk_review: { meaning: 'The risk score stops the withdrawal request.', remedy: ADMINS_ONLY },
  destination_waiting: {
    meaning: 'The payout destination is new and cannot be paid yet.',
    remedy: 'Wait for the hours that the message names, or use an older destination.',
  },
  claimed: { meaning: 'Another Admin is paying this request.', remedy: ADMINS_ONLY },
  payout_under_way: {
    meaning: 'A payout of this request was sent and its outcome is unknown.',
    remedy: ADMINS_ONLY,
  },
  second_person_required: { meaning: 'The payment needs two Admins.', remedy: ADMINS_ONLY },
  payout_limit: {
    meaning: 'The amount is more than can be withdrawn now.',
    remedy: 'Request at most the amount that the message names.',
  },
  state_conflict: {
    meaning: 'The record is in a state in which this is not possible.',
    remedy: READ_AGAIN,
  },
  body_too_large: {
    meaning: 'The body or the file is too large.',
    remedy: 'Send at most 512 KiB of JSON, or a smaller file.',
  },
  unsupported_media_type: {
    meaning: 'The body is not JSON, or not what an upload needs.',
    remedy: 'Send `Content-Type: application/json`, or for an upload the type that its operation names.',
  },
  invalid_fields: {
    meaning: 'A value has the right type, but breaks a rule.',
    remedy: 'Correct the values. `fields` has a message for each of them.',
  },
  invalid_image: {
    meaning: 'The picture is not an image that the site accepts, or was not uploaded here.',
    remedy: 'Upload a JPEG, PNG, WebP, GIF or AVIF file and use the URL of the response.',
  },
  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` was used for another body or another operation.',
    remedy: 'Use a new key for every new request. Keep a key only for retries of the same request.',
  },
  link_expired: {
    meaning: 'The link was used already or has expired.',
    remedy: 'Request a new link.',
  },
  too_many_requests: {
    meaning: 'The caller is above a limit of requests.',
    remedy: `${RETRY} The header \`RateLimit\` has the requests that an API key has left.`,
  },
  internal: {
    meaning: 'The server failed. This is a defect of the server.',
    remedy: 'Send the request again with the same `Idempotency-Key`. Report it if it persists.',
  },
  unavailable: {
    meaning: 'A dependency is down, or the server is overloaded or restarting.',
    remedy: RETRY,
  },
  payments_unavailable: {
    meaning: 'The card processor cannot be reached.',
    remedy: 'Try again in a moment. The card is not charged twice.',
  },
}
