import { coinsText, dollarsText, formatMilliseconds, hoursText, takaText } from './amounts.en.ts'
import type { WorkLanguage } from './audience.ts'
import type { BatchState } from './batches.ts'
import type { Role } from './endpoint.ts'
import type { ErrorCode } from './errors.ts'
import { EMAIL_UNVERIFIED_HERE } from './openid-errors.en.ts'
import type { PayoutBatchState, PayoutState } from './payout-states.ts'
import type { SubmissionState } from './submission-states.ts'
import {
  unavailableCoinsText,
  withdrawableCoinsText,
  withdrawableToAccountText,
} from './unavailable-coins.en.ts'
import type { UnavailableCoins } from './withdrawals.ts'

const STATE_TEXTS: Record<SubmissionState, string> = {
  pending: 'waiting for review',
  revision_requested: 'being revised',
  rejection_open: 'rejected, but can still be appealed',
  appealed: 'under appeal and waiting for the buyer',
  in_review: 'with a reviewer',
  approved: 'approved',
  rejected: 'rejected',
}
const PAYOUT_STATE_TEXTS: Record<PayoutState, string> = {
  queued: 'not sent yet',
  sent: 'sent',
  confirmed: 'confirmed',
  failed: 'marked as failed',
  unknown: 'sent, but its outcome is unknown',
  removed: 'removed from its payout batch',
}
const PAYOUT_BATCH_STATE_TEXTS: Record<PayoutBatchState, string> = {
  draft: 'a draft',
  checked: 'checked',
  released: 'released',
  exported: 'exported',
  settling: 'being settled',
  reconciled: 'reconciled',
  cancelled: 'cancelled',
}
const BATCH_STATE_TEXTS: Record<BatchState, string> = {
  uploading: 'being uploaded',
  funding: 'being paid',
  open: 'paid',
  checking: 'being checked',
  checked: 'checked',
  cancelled: 'cancelled',
}
const REFUND_STATE_TEXTS: Record<string, string> = {
  refunding: 'is already being processed',
  refunded: 'was already completed',
  failed: 'has already failed',
  cancelled: 'was already cancelled',
}
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' })
const ROLES = { Worker: 'Workers', Buyer: 'Buyers', Admin: 'Admins' }

/**
 * The sentence of every refusal, made from its parameters. A key is an error code (contract/errors.ts); where a code has
 * several sentences, `code.variant`. SQL functions refuse by the same keys (server/database/refuse.sql).
 */
export const REFUSAL_TEXTS = {
  invalid_request: 'This request cannot be understood.',
  'invalid_request.characters': 'Contains characters that cannot be stored',
  'invalid_request.cursor': 'This cursor does not belong to this list.',
  'invalid_request.idempotency_key': 'An Idempotency-Key must have 1 to 200 visible characters.',
  'invalid_request.nesting': 'This is nested too deeply.',
  'invalid_request.several': 'Some fields are not valid.',
  'invalid_request.upload_part': 'Each part of an upload must have at least one byte.',
  'invalid_request.validation': ({ message }: { message: string }) => message,
  'invalid_request.webhook': 'This is not a message from the card processor.',
  invalid_json: 'The body is not valid JSON.',

  sign_in_required: 'Please sign in first.',
  'sign_in_required.password': 'Enter your account password to verify your email.',
  'sign_in_required.second_factor': 'This sign-in has expired. Please sign in again.',
  invalid_token: 'Your session has ended. Please sign in again.',
  'invalid_token.api_key': 'This API key does not exist or was revoked.',
  'invalid_token.api_key_expired': 'This API key has expired. Create a new one.',
  wrong_credentials: 'Email or password is wrong.',
  'wrong_credentials.changed': 'Your sign-in details have just changed. Please sign in again.',
  'wrong_credentials.link': 'This is not the password of the account that requested this link.',
  second_factor_required: 'Confirm that it is you with your second step: a code or a passkey.',
  second_factor_missing: 'Set up two-step sign-in first: Admins need it here.',
  'second_factor_required.token':
    'This account uses two-step sign-in. Sign in on the site instead of sending this token.',

  'forbidden.admin_sign_up': 'Sign up as a Worker or a Buyer.',
  'forbidden.email_has_account': 'This email already has an account here. Sign in with your password.',
  not_registered: 'Finish your sign-up first: choose whether you are a Worker or a Buyer.',
  role_not_allowed: ({ roles }: { roles: readonly Role[] }) =>
    `This is only for ${roles.map((role) => ROLES[role]).join(' and ')}.`,
  'role_not_allowed.reviewer': 'This is only for reviewers.',
  not_yours: 'This belongs to somebody else.',
  'not_yours.review': 'This review is assigned to somebody else.',
  'not_yours.review_side': 'You are a party to this case, so somebody else decides it.',
  'not_yours.registration': 'You can only register the email you are signed in with.',
  'not_yours.submission': 'You can only submit work in your own name.',
  'not_yours.task': 'You can only post tasks in your own name.',
  'not_yours.withdrawal': 'You can only withdraw your own coins.',
  proof_required: 'This needs a recent sign-in. Confirm your password or sign in again, then try again.',
  scope_missing: ({ scope }: { scope: string }) => `This API key lacks the scope ${scope}.`,
  'scope_missing.none': 'API keys cannot do this. Sign in on the site.',
  network_not_allowed: 'This API key cannot be used from this network.',
  wrong_origin: 'This request comes from another site.',
  email_not_verified: 'Verify your email address first: follow the link that we sent you.',
  'email_not_verified.service': 'The sign-in service has not verified your email address.',
  'email_not_verified.here': EMAIL_UNVERIFIED_HERE,
  'not_eligible.blocked':
    'This buyer no longer offers you work. What you have reserved or submitted remains valid. Other buyers cannot see this.',
  'not_eligible.link': 'This task is private. Ask its buyer for the current link, and open it.',
  'not_eligible.favourites': ({ minutes }: { minutes: number }) =>
    `This task is for the buyer's favourite workers first. You can take it in ${formatMilliseconds(minutes * 60_000)}.`,
  'not_eligible.qualification': ({ qualifications }: { qualifications: string }) =>
    `This task requires a qualification from its buyer: ${qualifications}. The task page says how to get it.`,
  'not_eligible.approved': ({ approved, required }: { approved: number; required: number }) =>
    `This task is for workers with at least ${required} approved ${required === 1 ? 'submission' : 'submissions'}. You have ${approved}. Work on other tasks first.`,
  'not_eligible.approval_rate': ({ percent, required }: { percent: number; required: number }) =>
    `This task requires an approval rate of at least ${required}%. Yours is ${percent}%.`,
  'not_eligible.language': ({ language }: { language: WorkLanguage }) =>
    `This task is for workers who work in ${LANGUAGE_NAMES.of(language)}. If you do, add the language to your profile.`,

  not_found: 'There is nothing at this address.',
  'not_found.api_key': 'This API key does not exist.',
  'not_found.authenticator': 'This setup has expired. Start again.',
  'not_found.card_dispute': 'This dispute does not exist.',
  'not_found.dispute_file': 'This file has already been removed.',
  'not_found.card_case': 'This case does not exist.',
  'not_found.contact_message': 'This message does not exist.',
  'not_found.factor': 'This has already been removed.',
  'not_found.freeze': 'This freeze has ended, or it is not yours.',
  'not_found.payout_case': 'This case does not exist.',
  'not_found.payout_file': 'This file does not exist.',
  'not_found.payout_file_profile': 'This profile does not exist.',
  'not_found.project': 'This project does not exist.',
  'not_found.batch': 'This batch does not exist.',
  'not_found.worker': 'This worker has not worked for you yet.',
  'not_found.worker_named': ({ worker }: { worker: string }) => `${worker} has not worked for you yet.`,
  'not_found.block': 'This block does not exist.',
  'not_found.qualification': 'This qualification does not exist.',
  'not_found.task_link': 'This link was revoked. Ask the buyer for the current one.',
  'not_found.refund': 'This refund does not exist.',
  'not_found.saved_card': 'This card is no longer saved.',
  'not_found.session': 'This session has already ended.',
  'not_found.setting_proposal': 'This change does not exist.',
  'not_found.task_draft': 'This draft has already been posted or deleted.',
  'not_found.webhook_endpoint': 'This webhook endpoint does not exist.',
  'not_found.webhook_delivery': 'This delivery does not exist.',
  'not_found.sign_in_service': 'This sign-in service is not available.',
  user_not_found: 'This user does not exist.',
  'user_not_found.deleted': 'User not found or already deleted.',
  'user_not_found.demo': 'This database contains no demo data.',
  'user_not_found.unmatched_payment': 'The buyer of this payment does not exist here. Refund it.',
  'user_not_found.email': 'No user is registered with this email.',
  task_not_found: 'Task not found!',
  submission_not_found: 'This submission does not exist.',
  withdrawal_not_found: 'This withdrawal request does not exist.',
  payment_not_found: 'This payment does not exist.',
  destination_not_found: 'This payout destination does not exist.',
  payout_not_found: 'This payout does not exist.',
  payout_batch_not_found: 'This payout batch does not exist.',

  email_taken: 'An account with this email already exists.',
  insufficient_coins: 'Not available Coin. Purchase Coin',
  'insufficient_coins.above_balance': "Can't withdraw more than available coins.",
  'insufficient_coins.sign_up_coins': ({ cents, coins }: { cents: number; coins: number }) =>
    `Your starting coins can be spent after you have bought coins for ${dollarsText(cents)}. You can spend ${coinsText(coins)} now.`,
  'insufficient_coins.below_minimum': ({ minimum, balance }: { minimum: number; balance: number }) =>
    `Minimum ${minimum} coins required. You have ${balance}.`,
  task_closed: 'This task is closed.',
  'task_closed.held': 'This task is on hold. No slot can be taken at the moment.',
  'task_closed.buyer': 'This task is closed. Reopen it first.',
  task_filled: 'Task already completed',
  'task_filled.items': 'No items are available for you at the moment.',
  task_changed: 'This task has changed, or belongs to another buyer. Check it before you submit.',
  'task_changed.text': 'The text of this task has changed. Read it again before you submit.',
  'task_changed.fraction': 'The task pays a different amount. Check it before you submit.',
  'task_changed.reward': ({ reward }: { reward: number }) =>
    `This task pays ${coinsText(reward)}. Check it before you submit.`,
  deadline_passed: 'The deadline of this task has passed.',
  'deadline_passed.review': 'The review period has ended. This work will be approved automatically.',
  'deadline_passed.defence': 'The time to respond has ended. The worker will be paid.',
  'deadline_passed.reversal': 'It is too late to change this rejection.',
  'deadline_passed.new_task': 'The deadline must be today or later.',
  'deadline_passed.scheduled':
    'The completion date must leave the task open for at least an hour after it is posted.',
  own_task: 'You cannot work on your own task.',
  already_submitted: 'You already have work on this task.',
  'already_submitted.item': 'You have already submitted this item.',
  'already_decided.card_case': 'This case was already resolved.',
  'already_decided.refund': ({ state }: { state: string }) =>
    `This refund ${REFUND_STATE_TEXTS[state] ?? 'was already decided'}.`,
  'already_decided.setting_proposal': ({ state }: { state: string }) =>
    `This change ${state === 'lapsed' ? 'has already lapsed' : `was already ${state}`}.`,
  'already_decided.submission': ({ status }: { status: string }) => `This submission was already ${status}.`,
  'already_decided.review': 'This review has already been decided.',
  'already_decided.unmatched_payment': ({ state }: { state: string }) =>
    `This payment ${state === 'refunding' ? 'is already being refunded' : `was already ${state}`}.`,
  'already_decided.unmatched_request': 'This decision was already approved or cancelled.',
  'already_decided.unmatched_requested': 'A decision about this payment is waiting for another Admin.',
  'already_decided.withdrawal': ({ status }: { status: string }) => `This request was already ${status}.`,
  'already_decided.paid': ({ admin }: { admin: string | null }) =>
    `This request was already paid${admin === null ? '' : ` by ${admin}`}.`,
  'already_decided.payout_case': 'This case was already resolved.',
  'already_decided.payout_transaction': ({ transaction }: { transaction: string }) =>
    `This payout was already confirmed with the transaction ${transaction}.`,
  reservation_limit: ({ limit }: { limit: number }) =>
    limit === 1
      ? 'You already have a reserved slot. Submit its work or return it first.'
      : `You already have ${limit} reserved slots. Submit work for one or return one first.`,
  reservation_lapsed:
    'Your reservation for this task has expired twice. You can still submit your work without one while slots are left.',
  'reservation_lapsed.items':
    'Too many of your reserved items have expired in the last 24 hours. You will be able to take more within 24 hours.',
  score_too_low:
    'Too many of your answers for this buyer were wrong, so you can no longer take these items. Work that you submitted is reviewed and paid as before.',
  refund_mismatch: 'The ledger has no refund of exactly this many coins.',
  last_admin: 'There must always be an Admin. Make somebody else an Admin first.',
  yourself: 'Another Admin has to do this for you.',
  'yourself.freeze': 'Another Admin has to make this decision about your account.',
  'yourself.payment': 'Another Admin has to decide on your own payment.',
  'yourself.refund': 'Another Admin has to approve your refund.',
  'yourself.unmatched_payment': 'Another Admin has to approve your decision.',
  'yourself.setting': 'Another Admin has to confirm your change.',
  'yourself.withdrawal': 'Another Admin has to decide on your own request.',
  payment_mismatch: 'This payment is not for that package. No coins were added.',
  payment_not_succeeded: 'This payment was not completed. You were not charged and no coins were added.',
  destination_waiting: ({ hours }: { hours: number }) =>
    `This payout destination is new. You can withdraw to it in ${hoursText(hours)}.`,
  'destination_waiting.unsaved': ({ hours }: { hours: number }) =>
    `This account is new. Save it as a payout destination first; you can withdraw to it ${hoursText(hours)} later.`,
  'destination_waiting.corrected': ({ worker, hours }: { worker: string; hours: number }) =>
    `The corrected account number of ${worker} is new. It can be paid in ${hoursText(hours)}.`,
  'payout_limit.corrected_account': ({ limit }: { limit: number }) =>
    `The first payout to an account is at most ${dollarsText(limit)}. Decline the request so that the worker can request less.`,
  payout_limit: ({ coins, later }: { coins: number; later: UnavailableCoins[] }) =>
    [withdrawableCoinsText(coins), ...later.map(unavailableCoinsText)].join(' '),
  'payout_limit.first_payout': ({ coins, limit }: { coins: number; limit: number }) =>
    `The first payout to an account is at most ${dollarsText(limit)}. ${withdrawableToAccountText(coins)} You can request more once it has been paid.`,
  holding_time: ({ coins }: { coins: number }) =>
    `Coins can be withdrawn a few days after you earn them. ${withdrawableCoinsText(coins)}`,
  'state_conflict.webhook_endpoints': ({ max }: { max: number }) =>
    `You have ${max} webhook endpoints. Delete one first.`,
  'state_conflict.upload_offset': ({ received }: { received: number }) =>
    `This part does not continue the upload: ${received} bytes are stored so far.`,
  'state_conflict.projects': ({ max }: { max: number }) => `You have ${max} projects. Archive one first.`,
  'state_conflict.task_text': 'This task has changed in the meantime. Check its current text.',
  'state_conflict.project': 'This project has changed in the meantime. Check the current version.',
  'state_conflict.project_archived': 'This project is archived. Bring it back first.',
  'state_conflict.blocks': ({ max }: { max: number }) =>
    `You have blocked ${max} workers. Unblock one first.`,
  'state_conflict.qualifications': ({ max }: { max: number }) =>
    `You have ${max} qualifications. Delete one first.`,
  'state_conflict.qualification_name': 'You already have a qualification with this name.',
  'state_conflict.qualification_required': 'An open task requires this qualification. Close the task first.',
  'state_conflict.qualification_deleted':
    'A qualification that this task requires was deleted. Post a new task instead.',
  'state_conflict.batches': ({ max }: { max: number }) => `You have ${max} unpaid files. Cancel one first.`,
  'state_conflict.batch': ({ state }: { state: BatchState }) => `This batch is ${BATCH_STATE_TEXTS[state]}.`,
  'state_conflict.batch_errors': ({ errors }: { errors: number }) =>
    `The file has ${errors === 1 ? '1 error' : `${errors} errors`}. Correct it and upload it again.`,
  'state_conflict.batch_task': 'This task has items. Take the next one instead.',
  'state_conflict.batch_fixed':
    'The text and slots of this task come from its batch. Upload another batch instead.',
  'state_conflict.batch_raising': 'Workers are being added to this batch right now. Try again in a minute.',
  'state_conflict.plain_task': 'This task has no items. Reserve a slot instead.',
  'state_conflict.item': 'This item is no longer reserved for you. Take the next one.',
  'state_conflict.revised_form': 'Revise this work using the questions it was submitted with.',
  'state_conflict.batch_chunk': ({ number }: { number: number }) =>
    `Upload the chunks in order. Chunk ${number} is next.`,
  'state_conflict.batch_bytes': ({ bytes }: { bytes: number }) =>
    `The upload is not complete: ${bytes} bytes were received.`,
  'state_conflict.webhook_ended': 'This endpoint has ended. Create a new one.',
  'state_conflict.webhook_paused': 'This endpoint is paused. Resume it first.',
  'state_conflict.webhook_pending': 'This event is already being delivered.',
  'state_conflict.task_draft':
    'This draft has changed in the meantime. Save your text as a new one, then open this one again to see its current version.',
  'state_conflict.task_drafts': ({ max }: { max: number }) =>
    `You have ${max} drafts and templates. Delete one first.`,
  'state_conflict.scheduled_template': 'A template cannot be scheduled. Save it as a draft first.',
  'state_conflict.api_keys': ({ max }: { max: number }) =>
    `You have ${max} API keys. Revoke one that you no longer use first.`,
  'state_conflict.card_limit':
    'You have reached the limit for purchases by card. Try again tomorrow, or contact us.',
  'state_conflict.card_buyers':
    'A card that you paid with was used by too many accounts. Contact us to buy more coins.',
  'state_conflict.dispute_takes_no_evidence':
    'The bank is not accepting evidence for this dispute at the moment.',
  'state_conflict.evidence_changed':
    'This evidence was changed since you opened it. Copy your text, then reload the page.',
  'state_conflict.evidence_submitted': 'The evidence was already submitted to the bank.',
  'state_conflict.disputed_withdrawal': ({ worker }: { worker: string }) =>
    `The coins of ${worker}'s request come from a disputed card payment. The request can be paid once the dispute has ended.`,
  account_frozen:
    'Your account is frozen, so your coins cannot move. Open your notifications to read the reason and respond.',
  'account_frozen.payout': ({ worker }: { worker: string }) =>
    `The account of ${worker} is frozen. End the freeze before you pay.`,
  withdrawal_frozen: ({ worker }: { worker: string }) =>
    `The request of ${worker} is frozen. End the freeze before you pay.`,
  risk_review: ({ worker }: { worker: string }) =>
    `The request of ${worker} was stopped because of its risk score. Check the reasons, then clear or decline it.`,
  'state_conflict.destination': ({ account }: { account: string }) =>
    `This is not the account of this payout destination, which is ${account}. Check it before you submit.`,
  'state_conflict.destination_changes': ({ changes }: { changes: number }) =>
    `You can add or change at most ${changes} payout destinations within 24 hours. Please try again tomorrow.`,
  'state_conflict.destination_exists': 'You already have a payout destination with this account.',
  'state_conflict.destinations': 'You can have at most 5 payout destinations. Remove one first.',
  claimed: ({ admin }: { admin: string }) => `${admin} is paying this request.`,
  'claimed.batch': ({ admin }: { admin: string }) =>
    `This request is in ${admin}'s payout batch. Remove it there first.`,
  payout_under_way: 'A payout of this request was sent. Wait until its outcome is known.',
  'payout_under_way.unknown':
    'It is not known yet whether this payout arrived. Only a statement or the payment provider can settle it.',
  'payout_under_way.stopped':
    'This request was stopped after its file was created. If the file was uploaded, mark it as unknown: a statement will settle it.',
  'second_person_required.new_admin': ({ name, hours }: { name: string; hours: number }) =>
    `${name} became an Admin less than 24 hours ago. Where two Admins are needed, ${name} can be one of them in ${hoursText(hours)}.`,
  second_person_required: 'This payment needs two Admins: one checks it and another pays it.',
  'state_conflict.authenticator':
    'This app was added already. If you did not see your recovery codes, create new ones.',
  'state_conflict.factors':
    'An account can have at most ten authenticator apps and passkeys. Remove one first.',
  'state_conflict.job': 'This job is already queued.',
  'state_conflict.last_factor':
    'Admins need two-step sign-in here. Add another factor before you remove this one.',
  'state_conflict.no_factor': 'Set up two-step sign-in first.',
  'state_conflict.no_password': 'Your account has no password yet. Request a reset link to set one.',
  'state_conflict.passkey': 'This passkey is already registered.',
  'state_conflict.payment_credited': ({
    coins,
    repaid,
    balance,
    debt,
  }: {
    coins: number
    repaid: number
    balance: number
    debt: number
  }) =>
    [
      `Your last payment for this package went through: you bought ${coinsText(coins)}${repaid === 0 ? '' : `, of which ${coinsText(repaid)} repaid what you owed`}.`,
      `Your balance is ${coinsText(balance)}.`,
      ...(debt === 0 ? [] : [`You still owe ${coinsText(debt)}.`]),
      'You were charged once. Choose the package again to buy more.',
    ].join(' '),
  'state_conflict.payment_processing':
    'Your last payment for this package is still being processed. Your coins will be added as soon as it completes.',
  'state_conflict.exchange_rate_expired':
    'The exchange rate has expired. Enter a new one, then release the payout batch.',
  'state_conflict.payout_amount': ({ poisha }: { poisha: number | null }) =>
    poisha === null
      ? 'The exchange rate has expired, so this payment is now in dollars only. Open it again before you confirm it.'
      : `The exchange rate has changed: this payment is now ${takaText(poisha)}. Open it again before you confirm it.`,
  'state_conflict.payout_case':
    'This case can only be closed, because its payout is already settled or this line cannot settle it.',
  'state_conflict.payout_file_profile': 'Somebody else has changed this profile. Reload it first.',
  'state_conflict.payout_file_profile_name': 'Another profile already has this name.',
  'state_conflict.promotion_email': 'They must verify their email before they can become an Admin.',
  'state_conflict.promotion_factor': 'They must set up two-step sign-in before they can become an Admin.',
  'state_conflict.promotion_password':
    'They must choose a password of at least 8 characters before they can become an Admin.',
  'state_conflict.promotion_password_unknown':
    'They must sign in again with their password before they can become an Admin, so that its length can be checked.',
  'state_conflict.refund_disputed':
    'This payment is disputed. The bank returns the money if the dispute is lost.',
  'state_conflict.refund_nothing_left': 'There is nothing left to refund on this payment.',
  'state_conflict.refund_open': 'Another refund of this payment is still in progress.',
  'state_conflict.sandbox': 'This is not possible in the current state of the payment.',
  'state_conflict.second_factor': 'Confirm with your second step instead of the password.',
  'state_conflict.appeals':
    'You lost most of your recent appeals, so you can have only one open appeal at a time. Wait until it is decided.',
  'state_conflict.payout': ({ state }: { state: PayoutState }) =>
    `This is not possible now: the payout is ${PAYOUT_STATE_TEXTS[state]}.`,
  'state_conflict.payout_batch': ({ state }: { state: PayoutBatchState }) =>
    `This is not possible now: the payout batch is ${PAYOUT_BATCH_STATE_TEXTS[state]}.`,
  'state_conflict.payout_provider': 'This payment provider is not set up here.',
  'state_conflict.payout_file_provider':
    'This payout batch is paid by a payment provider. A file would pay it again.',
  'state_conflict.payout_stopped':
    'A payout in this payout batch was stopped after the first file was created. Record its outcome first.',
  'state_conflict.payouts_stopped':
    'Every payout in this payout batch was stopped before it was sent. Nothing is left to pay.',
  'state_conflict.payout_batch_empty': 'This payout batch has no payouts left. Cancel it.',
  'state_conflict.revision':
    'The worker is revising this work. You can approve it now, or reject it after the revision.',
  'state_conflict.revision_used': 'You have already requested a revision of this work once.',
  'state_conflict.site_page': 'Somebody else has changed this page. Check the current text.',
  'state_conflict.setting': 'Somebody else has changed this setting. Check the current values.',
  'state_conflict.setting_proposal':
    'Another change to this setting is waiting for confirmation. Confirm or withdraw it first.',
  'state_conflict.submission': ({ state }: { state: SubmissionState }) =>
    `This is not possible now: the work is ${STATE_TEXTS[state]}.`,
  'state_conflict.unmatched_buyer': 'This payment names another buyer than its purchase. Refund the payment.',
  'state_conflict.unmatched_payment': 'There is no coin package at this price. Refund the payment.',
  'state_conflict.withdrawal_rate': 'The withdrawal rate has just changed. Check the amount.',
  'state_conflict.withdrawal': ({ email, coins, cents }: { email: string; coins: number; cents: number }) =>
    `This request is from ${email}, for ${coinsText(coins)} (${dollarsText(cents)}). Check it before you decide.`,

  body_too_large: 'This request is too large.',
  'body_too_large.file': 'This file is too large.',
  unsupported_media_type: 'Send JSON with the content type application/json.',
  'unsupported_media_type.form': 'Send the file in a form with the content type multipart/form-data.',
  'unsupported_media_type.bytes': 'Send the part of the file with the content type application/octet-stream.',

  'invalid_fields.csv': ({ line }: { line: number }) =>
    `This is not a CSV file: line ${line} does not match the heading.`,
  'invalid_fields.csv_encoding': 'Save the file as "CSV UTF-8", then upload it again.',
  'invalid_fields.csv_heading': ({ name }: { name: string }) => `This file has no column "${name}".`,
  'invalid_fields.csv_rows': ({ maximum }: { maximum: number }) =>
    `A file can have at most ${maximum} rows. Split it.`,
  'invalid_fields.current_password': 'The current password is wrong.',
  'invalid_fields.decline_reason': 'Say why, so that the worker knows what to do',
  'invalid_fields.email': 'Invalid email format',
  'invalid_fields.export_rows': ({ maximum }: { maximum: number }) =>
    `At most ${maximum.toLocaleString('en-IN')} rows can be downloaded at once. Narrow the filter.`,
  'invalid_fields.passkey': 'This passkey was not accepted. Try again, or use another way.',
  'invalid_fields.dispute_file': 'Choose a PDF, JPEG or PNG file.',
  'invalid_fields.dispute_file_rejected': 'The card processor does not accept this file. Choose another one.',
  'invalid_fields.dispute_files_size': 'The files of a dispute can have at most 4 MB in total.',
  'invalid_fields.package': 'There is no coin package at this price.',
  'invalid_fields.package_changed':
    'This package has changed. Go back to the packages and check its current price. You were not charged.',
  'invalid_fields.reason': 'Enter a reason for the audit log',
  'invalid_fields.total_changed': 'The price has changed. Choose the package again.',
  'invalid_fields.batch_cost': 'The cost has changed. Check it again, then pay.',
  'invalid_fields.workers': ({ workers }: { workers: number }) =>
    `This batch already has ${workers} workers per item. Enter a higher number.`,
  'invalid_fields.refund': ({ cents }: { cents: number }) =>
    `Only ${dollarsText(cents)} of this payment can still be refunded.`,
  'invalid_fields.second_factor_code': 'This code is wrong or was already used.',
  'invalid_fields.password_common': 'This password is easy to guess. Choose a less common one.',
  'invalid_fields.password_contains':
    'Choose a password that does not contain your email or the name of this site.',
  'invalid_fields.password_of_admin': 'Admin passwords need at least 8 characters.',
  'invalid_fields.several': 'Some fields are not valid.',
  'invalid_fields.incomplete_draft': 'Fill in every required field before the task is scheduled.',
  'invalid_fields.post_at': ({ days }: { days: number }) =>
    `Choose a time in the future, at most ${days} days ahead.`,
  'invalid_fields.slots': ({ maximum }: { maximum: number }) => `A task can have at most ${maximum} slots.`,
  'invalid_fields.task_cost': ({
    field,
    actual,
    claimed,
  }: {
    field: string
    actual: number
    claimed: number
  }) => `The ${field} of this task is ${actual}, not ${claimed}.`,
  'invalid_fields.user_type': 'User type is required',
  'invalid_fields.validation': ({ message }: { message: string }) => message,
  'invalid_fields.withdrawal_amount': (claim: { coins: number; cents: number; claimed: number }) =>
    `${coinsText(claim.coins)} are worth ${dollarsText(claim.cents)}, not ${dollarsText(claim.claimed * 100)}.`,
  'invalid_fields.withdrawal_minimum': ({ minimum }: { minimum: number }) =>
    `Minimum withdraw amount is ${minimum} coins.`,
  invalid_image: 'Please upload a valid image.',
  idempotency_key_reused: 'This Idempotency-Key was already used for something else.',
  link_expired: 'This link has already been used or has expired. Please request a new one.',
  'link_expired.setup': 'This link has been used or is no longer valid. Restart the server to get a new one.',

  too_many_requests: ({ seconds }: { seconds: number }) => {
    const minutes = Math.ceil(seconds / 60)
    const time = minutes < 120 ? `${minutes} minutes` : hoursText(Math.ceil(minutes / 60))
    return `Too many attempts. Please try again in ${minutes === 1 ? 'a minute' : time}.`
  },
  'too_many_requests.upload': 'Please upload one picture at a time.',

  internal: 'Something went wrong!',
  unavailable: 'The service is busy or restarting. Nothing was changed; please try again in a moment.',
  'unavailable.documents': 'Many documents are being prepared right now. Please try again in a moment.',
  'unavailable.image_store': 'The picture could not be stored. Please try again in a moment.',
  'unavailable.live': 'Too many pages are open. This one keeps trying.',
  'unavailable.overloaded': 'We are very busy right now. Nothing was changed; please try again in a moment.',
  'unavailable.payment': 'This payment is being changed right now. Please try again in a moment.',
  'unavailable.sign_in': 'Many people are signing in right now. Please try again in a moment.',
  'unavailable.sign_in_service': 'The sign-in service cannot be reached right now. Please try again.',
  'unavailable.timeout':
    'The service did not respond in time. Check whether your request went through before you try again.',
  'unavailable.uploads': 'Many pictures are being uploaded. Please try again in a moment.',
  payments_unavailable:
    'Card payments are unavailable right now. You were not charged twice; please try again in a moment.',
} satisfies Texts

type Texts = Partial<Record<ErrorCode | `${ErrorCode}.${string}`, string | ((params: never) => string)>>

export type RefusalKey = keyof typeof REFUSAL_TEXTS

/** A refusal as it is stored: its sentence is chosen when it is read, in the reader's language. */
export type StoredRefusal = { key: RefusalKey; params?: unknown }

/** The parameters of a refusal's sentence; `undefined` for one that has none. */
export type RefusalParams<Key extends RefusalKey> = (typeof REFUSAL_TEXTS)[Key] extends (
  params: infer Params,
) => string
  ? Params
  : undefined

export type PlainRefusalKey = {
  [Key in RefusalKey]: RefusalParams<Key> extends undefined ? Key : never
}[RefusalKey]
