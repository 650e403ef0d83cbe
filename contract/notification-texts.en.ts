import { coinsText, daysText, dollarsText, formatNumber, PAYMENT_SYSTEM_NAMES } from './amounts.en.ts'
import { freezeReasonText } from './freeze-reasons.en.ts'
import type { EmailedKind, NotificationKind, NotificationTextParams } from './notification-kinds.ts'
import type { PaymentSystem } from './product.ts'
import { settingTitle } from './setting-titles.en.ts'

const itemsText = (count: number) => (count === 1 ? '1 item' : `${formatNumber(count)} items`)
const wasOrWere = (count: number) => (count === 1 ? 'was' : 'were')
const refundedText = (coins: number) => `${coinsText(coins)} ${wasOrWere(coins)} refunded`
const accountAt = (system: PaymentSystem) =>
  system === 'Other' ? 'account' : `${PAYMENT_SYSTEM_NAMES[system]} account`

/** The sentence of each kind of notification. */
export const NOTIFICATION_TEXTS: {
  [Of in NotificationKind]: (params: NotificationTextParams<Of>) => string
} = {
  work_received: ({ worker, title }) => `${worker} submitted work for "${title}".`,
  items_received: ({ title, count }) => `${itemsText(count)} of "${title}" ${wasOrWere(count)} submitted.`,
  items_approved: ({ title, count, coins }) =>
    `Your work on ${itemsText(count)} of "${title}" was approved. You earned ${coinsText(coins)}.`,
  items_agreed: ({ title, count, coins }) =>
    `Your work on ${itemsText(count)} of "${title}" was approved automatically because other workers gave the same answers. You earned ${coinsText(coins)}.`,
  items_approved_by_time: ({ title, count, coins }) =>
    `${itemsText(count)} of "${title}" ${wasOrWere(count)} approved automatically because the review period ended. The workers earned ${coinsText(coins)}.`,
  submission_approved: ({ title, coins, decidedBy }) => {
    const paid = {
      buyer: `Your work on "${title}" was approved.`,
      time: `Your work on "${title}" was approved automatically because the review period ended.`,
      buyer_left: `The account of the buyer of "${title}" was deleted, so your work was paid.`,
      concession: `The buyer withdrew the rejection of your work on "${title}".`,
      silence: `The buyer of "${title}" did not respond to your appeal in time, so your work was paid.`,
      reviewer: `A reviewer decided that your work on "${title}" must be paid.`,
      no_reviewer: `The rejection of your work on "${title}" was not reviewed in time, so your work was paid.`,
      reversal: `The buyer changed the rejection of your work on "${title}" to an approval.`,
      agreement: `Your work on "${title}" was approved automatically because other workers gave the same answers.`,
    }
    return `${paid[decidedBy]} You earned ${coinsText(coins)}.`
  },
  submission_rejected: ({ title, reason, appealDays }) =>
    `Your work on "${title}" was not accepted.${
      appealDays === undefined ? '' : ` You have ${daysText(appealDays)} to appeal.`
    }${reason === '' ? '' : ` Reason: ${reason}`}`,
  bonus_received: ({ buyer, title, coins, message }) =>
    `${buyer} gave you a bonus of ${coinsText(coins)} for "${title}".${message === '' ? '' : ` ${message}`}`,
  rejection_held: ({ title }) =>
    `The buyer of "${title}" rejected your work. A reviewer will check the rejection before it takes effect.`,
  rejection_confirmed: ({ title }) =>
    `A reviewer upheld your rejection of work on "${title}". It now takes effect, and the worker can appeal.`,
  rejection_final: ({ title, recipient, decidedBy, refunded }) => {
    const subject =
      recipient === 'worker'
        ? `The rejection of your work on "${title}"`
        : `Your rejection of work on "${title}"`
    const cause = {
      buyer: 'is final because the appeal period ended.',
      worker: 'was accepted and is final.',
      reviewer: 'was upheld by a reviewer and is final.',
    }[decidedBy]
    return `${subject} ${cause}${refunded === 0 ? '' : ` ${refundedText(refunded)}.`}`
  },
  revision_requested: ({ title, request }) =>
    `The buyer of "${title}" asked you to revise your work: ${request}`,
  work_revised: ({ worker, title }) => `${worker} revised the work on "${title}".`,
  revision_missed: ({ title, recipient }) =>
    recipient === 'worker'
      ? `The time to revise your work on "${title}" ended. The buyer will review it as it is.`
      : `Work on "${title}" was not revised in time. Review it as it is.`,
  appeal_opened: ({ worker, title }) =>
    `${worker} appealed your rejection of work on "${title}". Respond in time, or the work will be paid.`,
  rejection_defended: ({ title }) =>
    `The buyer of "${title}" stands by the rejection of your work. A neutral reviewer will decide.`,
  review_assigned: ({ title }) => `A rejection of work on "${title}" needs your decision.`,
  rejection_overturned: ({ title, reason }) =>
    `A reviewer overturned your rejection of work on "${title}", and the worker was paid. Reason: ${reason}`,
  rejection_lapsed: ({ title, state }) =>
    state === 'appealed'
      ? `You did not respond to the appeal on "${title}" in time, so the worker was paid.`
      : `Your rejection of work on "${title}" was not reviewed in time, so the worker was paid.`,
  deadline_near: ({ title, state }) =>
    ({
      revision_requested: `The time to revise your work on "${title}" ends soon.`,
      rejection_open: `The time to appeal the rejection of your work on "${title}" ends soon.`,
      appealed: `The time to respond to the appeal on "${title}" ends soon. Without a response, the work will be paid.`,
      in_review: `Your review of work on "${title}" is due soon.`,
    })[state],
  review_near: ({ count, title }) =>
    count === 1
      ? `Work on "${title}" will be approved automatically soon. Review it now.`
      : `${formatNumber(count)} submissions will be approved automatically soon, the first on "${title}". Review them now.`,
  approved_by_time: ({ worker, title, coins }) =>
    `Work by ${worker} on "${title}" was approved automatically because the review period ended. It earned ${coinsText(coins)}.`,
  worker_left: ({ worker, title, refunded, slots = 1 }) => {
    const held = slots === 1 ? 'slot' : `${formatNumber(slots)} slots`
    return refunded
      ? `${worker}'s account was deleted. The coins of the ${held} they held on "${title}" were refunded.`
      : `${worker}'s account was deleted. The ${held} they held on "${title}" ${slots === 1 ? 'is' : 'are'} free again.`
  },
  task_closed: ({ title, coins }) =>
    `"${title}" reached its deadline and is closed${coins > 0 ? `; ${refundedText(coins)}` : ''}.`,
  scheduled_task_posted: ({ title, coins }) =>
    `"${title}" was posted as scheduled. ${coinsText(coins)} ${wasOrWere(coins)} moved to its escrow.`,
  scheduled_task_failed: ({ title, reason }) =>
    `"${title}" was not posted at its scheduled time and remains a draft. ${reason}`,
  scheduled_batch_posted: ({ title, file, coins }) =>
    `The batch "${file}" of "${title}" was posted as scheduled. ${coinsText(coins)} ${wasOrWere(coins)} moved to its escrow.`,
  scheduled_batch_failed: ({ title, file, reason }) =>
    `The batch "${file}" of "${title}" was not paid. ${reason}`,
  task_refunded: ({ title, coins, byAdmin }) =>
    `${byAdmin ? `An Admin deleted your task "${title}"` : `You deleted "${title}"`}; ${refundedText(coins)}.`,
  task_deleted: ({ title, recipient }) =>
    recipient === 'buyer'
      ? `An Admin deleted your task "${title}".`
      : `"${title}" was closed by an Admin. Your submitted work will still be reviewed.`,
  reservation_lapsed: ({ title, item }) =>
    item === undefined
      ? `Your reservation for "${title}" has expired. While the task is open and slots are left, you can still submit your work.`
      : `Your reservation of item ${formatNumber(item)} of "${title}" has expired. You can no longer submit it, but you can take other items while the task is open and any are left.`,
  reservation_cancelled: ({ title }) =>
    `Your reservation for "${title}" was cancelled because the buyer's account was deleted.`,
  coins_bought: ({ coins, cents }) => `You bought ${coinsText(coins)} for ${dollarsText(cents)}.`,
  payment_reversed: ({ recipient, buyer, cause, cents, coins, owed }) => {
    const payment = recipient === 'buyer' ? 'your card payment' : `${buyer}'s card payment`
    if (cause === 'evidence')
      return `The card's bank asks for evidence about ${dollarsText(cents)} of ${payment}. Submit it before the deadline.`
    const event = {
      refund: 'was refunded',
      dispute: "was disputed with the card's bank",
      won: 'was reinstated because the refund or dispute was reversed',
    }[cause]
    const moved = `${coinsText(coins - owed)} ${wasOrWere(coins - owed)} ${cause === 'won' ? 'returned' : 'deducted'}.`
    const debt =
      recipient === 'buyer'
        ? `Another ${coinsText(owed)} had already been spent; the next coins you receive will repay them first.`
        : `Another ${coinsText(owed)} had already been spent and must be repaid.`
    return `${dollarsText(cents)} of ${payment} ${event}. ${moved}${owed === 0 ? '' : ` ${debt}`}`
  },
  dispute_unknown: ({ buyer, intent, cents, status }) =>
    `The dispute over ${dollarsText(cents)} of ${buyer}'s card payment has the unknown status "${status}". Its coins remain withheld; check the payment at the card processor (${intent}).`,
  tasks_held: ({ state, tasks, coins }) => {
    const number = tasks === 1 ? 'One task' : `${formatNumber(tasks)} tasks`
    if (state === 'held')
      return `${number} ${tasks === 1 ? 'is' : 'are'} on hold while a card payment of yours is disputed: nobody can take ${tasks === 1 ? 'its' : 'their'} free slots (${coinsText(coins)}).`
    return state === 'released'
      ? 'Your tasks are no longer on hold.'
      : `${number} ${tasks === 1 ? 'was' : 'were'} closed because the bank decided the dispute over your card payment against us. ${coinsText(coins)} from free slots ${wasOrWere(coins)} refunded and repaid what you owed first.`
  },
  payment_refused: ({ intent, coins, cents }) =>
    `The card payment ${intent} does not match its order (${coinsText(coins)} for ${dollarsText(cents)}). Nothing was credited; check it at the card processor.`,
  payment_unmatched: ({ intent, cents }) =>
    `A card payment of ${dollarsText(cents)} is not in this database. Nothing was credited; credit or refund it (${intent}).`,
  unmatched_disputed: ({ state, intent, cents }) =>
    state === 'warning'
      ? `The card network suspects that an unmatched card payment of ${dollarsText(cents)} is fraudulent. A refund now prevents a dispute (${intent}).`
      : `${dollarsText(cents)} of an unmatched card payment is disputed. Respond at the card processor, or credit the payment to prepare the evidence here (${intent}).`,
  card_cases_opened: ({ count }) =>
    `The balance at the card processor differs from our payments in ${count === 1 ? 'one case' : `${count} cases`}.`,
  payout_cases_opened: ({ count, file }) =>
    `${count === 1 ? 'A line' : `${formatNumber(count)} lines`} of the statement ${file} ${count === 1 ? 'needs' : 'need'} your decision.`,
  setting_changed: ({ admin, setting, reason }) =>
    `${admin} changed the setting "${settingTitle(setting)}": ${reason}`,
  setting_change_proposed: ({ admin, setting, reason }) =>
    `${admin} wants to change the setting "${settingTitle(setting)}". Confirm or reject the change: ${reason}`,
  setting_change_decided: ({ admin, setting, state }) => {
    const change = `your change to the setting "${settingTitle(setting)}"`
    return admin === null
      ? `The waiting time is over: ${change} has taken effect.`
      : `${admin} ${state === 'confirmed' ? 'confirmed' : 'rejected'} ${change}.`
  },
  fraud_warning: ({ buyer, cents, intent }) =>
    `The card network suspects that ${buyer}'s card payment of ${dollarsText(cents)} is fraudulent. A refund now prevents a dispute (${intent}).`,
  refund_failed: ({ buyer, cents, intent }) =>
    `The refund of ${dollarsText(cents)} to ${buyer} failed. Check the payment at the card processor, then try again (${intent}).`,
  unmatched_refund_failed: ({ intent, cents }) =>
    `The refund of ${dollarsText(cents)} from an unmatched card payment failed. Check the payment at the card processor, then decide again (${intent}).`,
  payment_unclaimed: ({ buyer, cents, intent }) =>
    `${buyer} paid ${dollarsText(cents)} by card for an account that was deleted. No coins were credited; refund it at the card processor (${intent}).`,
  withdrawal_requested: ({ worker, coins, cents, system }) =>
    `${worker} requested a withdrawal of ${dollarsText(cents)} (${coinsText(coins)}) via ${PAYMENT_SYSTEM_NAMES[system]}.`,
  withdrawal_paid: ({ coins, cents, system, account }) =>
    `Payment Success: ${dollarsText(cents)} for ${coinsText(coins)} was sent to your ${accountAt(system)} ${account}.`,
  withdrawal_declined: ({ coins, reason }) =>
    `Your withdrawal of ${coinsText(coins)} was declined; the coins were returned. Reason: ${reason}`,
  account_frozen: ({ reason }) =>
    `Your account is frozen, so your coins cannot move. You can respond. Reason: ${freezeReasonText(reason)}`,
  withdrawal_frozen: ({ coins, reason }) =>
    `Your withdrawal of ${coinsText(coins)} is frozen. You can respond. Reason: ${reason}`,
  freeze_ended: ({ subject, reason }) =>
    `${subject === 'account' ? 'Your account' : 'Your withdrawal'} is no longer frozen. ${freezeReasonText(reason)}`,
  freeze_response: ({ name, response }) => `${name} responded to a freeze: ${response}`,
  account_number_corrected: ({ coins, system, account }) =>
    `A payment for your withdrawal of ${coinsText(coins)} failed. An Admin corrected the ${accountAt(system)} to ${account}; contact us if this is not your account.`,
  admin_added: ({ admin, name }) =>
    `${admin} made ${name} an Admin. Where two Admins are needed, ${name} can be one of them after 24 hours.`,
  role_changed: ({ role }) => `Your role is now ${role}.`,
  reviewer_changed: ({ reviewer }) =>
    reviewer
      ? 'You can now review appeals. Open reviews are on your dashboard.'
      : 'You can no longer review appeals.',
  api_key_created: ({ name }) =>
    `The API key ${name} was created. If this was not you, revoke it and reset your password.`,
  webhook_stopped: ({ name, cause }) =>
    ({
      failures: `The webhook endpoint ${name} was paused after three days of failures. Its events wait until you resume it.`,
      gone: `The webhook endpoint ${name} was ended because it responded with 410 Gone.`,
      password_reset: `The webhook endpoint ${name} was paused because your password was reset. Check its URL before you resume it.`,
    })[cause],
  qualification_granted: ({ qualification, buyer }) =>
    `${buyer} granted you the qualification "${qualification}". You can now work on tasks that require it.`,
  qualification_earned: ({ qualification, buyer }) =>
    `You have earned the qualification "${qualification}" from ${buyer}. You can now work on tasks that require it.`,
  contact_message: ({ name, subject }) => `${name} wrote to you: ${subject}`,
}

/**
 * The sentence of several notifications of one kind: about one task, from one user, or of the others. `count` is a text:
 * "24", "100+"; `coins` their coins, or null where more may follow. Kinds without a sentence are not grouped.
 */
export type GroupTexts = {
  title?: (count: string, title: string) => string
  actor?: (count: string, actor: string) => string
  rest?: (count: string, coins: number | null) => string
}
export const GROUP_TEXTS: { [Of in NotificationKind]?: GroupTexts } = {
  work_received: {
    title: (count, title) => `${count} submissions for "${title}".`,
    actor: (count, actor) => `${count} submissions by ${actor}.`,
  },
  work_revised: {
    title: (count, title) => `${count} revised submissions for "${title}".`,
    actor: (count, actor) => `${count} revised submissions by ${actor}.`,
  },
  submission_approved: {
    rest: (count, coins) => `${count} of your submissions were approved.${earnedText(coins)}`,
  },
  bonus_received: { rest: (count, coins) => `You received ${count} bonuses.${earnedText(coins)}` },
  approved_by_time: {
    title: (count, title) =>
      `${count} submissions for "${title}" were approved automatically because the review period ended.`,
    rest: (count) => `${count} submissions were approved automatically because the review period ended.`,
  },
  appeal_opened: {
    title: (count, title) =>
      `${count} appeals against rejections of work on "${title}". Respond in time, or the work will be paid.`,
    rest: (count) => `${count} appeals against your rejections. Respond in time, or the work will be paid.`,
  },
  review_assigned: {
    title: (count, title) => `${count} rejections of work on "${title}" need your decision.`,
    rest: (count) => `${count} rejections need your decision.`,
  },
  task_closed: {
    rest: (count, coins) =>
      `${count} of your tasks reached their deadline and are closed${coins ? `; ${refundedText(coins)}` : ''}.`,
  },
  scheduled_task_posted: { rest: (count) => `${count} tasks were posted as scheduled.` },
  scheduled_batch_posted: { rest: (count) => `${count} batches were posted as scheduled.` },
  coins_bought: {
    rest: (count, coins) =>
      `You bought coins ${count} times${coins ? `, ${coinsText(coins)} in total` : ''}.`,
  },
  payment_unmatched: {
    rest: (count) => `${count} card payments are not in this database. Credit or refund them.`,
  },
  withdrawal_requested: {
    rest: (count, coins) => `${count} withdrawal requests${coins ? ` for ${coinsText(coins)}` : ''}.`,
  },
  contact_message: { rest: (count) => `${count} contact messages.` },
}
const earnedText = (coins: number | null) => (coins ? ` You earned ${coinsText(coins)}.` : '')

/** The subject of each kind that makes an email of its own. */
export const EMAIL_SUBJECTS: Record<EmailedKind, string> = {
  submission_approved: 'Your work was approved',
  items_approved: 'Your work was approved',
  items_agreed: 'Your work was approved',
  submission_rejected: 'Your work was not accepted',
  review_near: 'Work is waiting for your review',
  bonus_received: 'You received a bonus',
  rejection_held: 'Your work was rejected; a reviewer will check the rejection',
  rejection_confirmed: 'A reviewer upheld your rejection',
  rejection_final: 'A reviewer upheld the rejection',
  revision_requested: 'Please revise your work',
  appeal_opened: 'A worker appealed your rejection',
  rejection_defended: 'A reviewer will now decide your appeal',
  review_assigned: 'A rejection needs your decision',
  rejection_overturned: 'Your rejection was overturned',
  rejection_lapsed: 'A rejection lapsed and the worker was paid',
  deadline_near: 'A deadline is approaching',
  withdrawal_paid: 'Your withdrawal was paid',
  withdrawal_declined: 'Your withdrawal was declined',
  account_frozen: 'Your account is frozen',
  withdrawal_frozen: 'Your withdrawal is frozen',
  freeze_ended: 'A freeze has ended',
  admin_added: 'There is a new Admin',
  account_number_corrected: 'The account number of your withdrawal was corrected',
}
