import * as z from 'zod/mini'
import type { LiveTopic } from './live.ts'
import type { MailPreferences } from './mail.ts'
import type { NotificationCategory } from './notifications.ts'
import { PAYMENT_SYSTEMS } from './product.ts'
import type { RefusalKey, StoredRefusal } from './refusals.en.ts'
import { Coins, Id, Role } from './shapes.ts'

/**
 * `digest`: notifications of one user that arrive together make one email. Those of the preference `always` protect the
 * marketplace and cannot be switched off; those without one are not mailed. `bulk`: thousands are caused at once, and none needs a response, so the emails of other kinds
 * are sent first.
 */
type Email = {
  preference: Preference | ((params: never) => Preference | undefined)
  digest?: true
  bulk?: true
}
type Preference = keyof MailPreferences | 'always'

type Kind = {
  params: z.ZodMiniObject
  /** The page of the web app that a notification opens. */
  route: string | ((params: never, ref: string) => string)
  topic: LiveTopic
  /** Absent for kinds that are never mailed. */
  email?: Email
}

const Cents = z.int().check(z.minimum(0))
const Count = z.int().check(z.minimum(1))
/** Why the server refused: a sentence in English in notifications of version 0.3 and earlier. */
const Reason = z.union([
  z.string(),
  z.strictObject({
    key: z.custom<RefusalKey>((key) => typeof key === 'string'),
    params: z.optional(z.unknown()),
  }),
])
/** Returns the page of the submission that a notification is about. */
const CASE_ROUTE = (_params: never, ref: string) => `/dashboard/case/${ref}`
const BATCH_ROUTE = (_params: never, ref: string) => `/dashboard/batches/${ref}`
/** The page that lists a user's withdrawals for each role: a withdrawal stays pending when the worker's role changes. */
const WITHDRAWALS_ROUTE = '/dashboard/paymenthistory'
type ForRecipient = { recipient: 'buyer' | 'worker' | 'admin' }

/**
 * Every kind of notification (docs/specification/notifications.md). The database stores a notification's kind and
 * parameters; contract/notification-texts.en.ts has the sentences.
 */
export const NOTIFICATION_KINDS = {
  work_received: {
    params: z.strictObject({ worker: z.string(), title: z.string() }),
    route: '/dashboard/task-to-review',
    topic: 'submissions',
    email: { preference: 'workReceived', digest: true },
  },
  /** Items of a batch, counted up while the notification is unread; its reference is their task. */
  items_received: {
    params: z.strictObject({ title: z.string(), count: Count }),
    route: (_params: never, ref: string) => `/dashboard/task-to-review?task=${ref}`,
    topic: 'submissions',
    email: { preference: 'workReceived', digest: true },
  },
  items_approved: {
    params: z.strictObject({ title: z.string(), count: Count, coins: Coins }),
    route: '/dashboard/approved-task',
    topic: 'submissions',
    email: { preference: 'workDecided', bulk: true },
  },
  /** Approved automatically, because the workers of the item agree. */
  items_agreed: {
    params: z.strictObject({ title: z.string(), count: Count, coins: Coins }),
    route: '/dashboard/approved-task',
    topic: 'submissions',
    email: { preference: 'workDecided', bulk: true },
  },
  items_approved_by_time: {
    params: z.strictObject({ title: z.string(), count: Count, coins: Coins }),
    route: '/dashboard/task-to-review?status=approved',
    topic: 'submissions',
  },
  submission_approved: {
    /** Without `count` it was one. */
    params: z.strictObject({
      title: z.string(),
      count: z.optional(Count),
      coins: Coins,
      decidedBy: z.enum([
        'buyer',
        'time',
        'buyer_left',
        'concession',
        'silence',
        'reviewer',
        'no_reviewer',
        'reversal',
        'agreement',
      ]),
    }),
    route: '/dashboard/approved-task',
    topic: 'submissions',
    email: { preference: 'workDecided', bulk: true },
  },
  submission_rejected: {
    /** `appealDays`: how long the worker can appeal, also a part of a day; absent for a rejection that is final. */
    params: z.strictObject({
      title: z.string(),
      reason: z.string(),
      appealDays: z.optional(z.number().check(z.minimum(0))),
    }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workDecided' },
  },
  bonus_received: {
    params: z.strictObject({ buyer: z.string(), title: z.string(), coins: Coins, message: z.string() }),
    route: '/dashboard/approved-task',
    topic: 'submissions',
    email: { preference: 'workDecided' },
  },
  rejection_held: {
    params: z.strictObject({ title: z.string() }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workDecided' },
  },
  /** A reviewer upheld a rejection that was reviewed before it counted. */
  rejection_confirmed: {
    params: z.strictObject({ title: z.string() }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workReceived' },
  },
  rejection_final: {
    /** `refunded`: the coins that came back to the buyer; 0 when the slot is free again. */
    params: z.strictObject({
      title: z.string(),
      recipient: z.enum(['buyer', 'worker']),
      decidedBy: z.enum(['buyer', 'worker', 'reviewer']),
      refunded: Coins,
    }),
    route: CASE_ROUTE,
    topic: 'submissions',
    // Who did not appeal was mailed the rejection and its deadline; who accepted it needs no email.
    email: {
      preference: ({ recipient, decidedBy }: { recipient: string; decidedBy: string }) => {
        if (decidedBy !== 'reviewer') return undefined
        return recipient === 'worker' ? 'workDecided' : 'workReceived'
      },
    },
  },
  revision_requested: {
    params: z.strictObject({ title: z.string(), request: z.string() }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workDecided' },
  },
  work_revised: {
    params: z.strictObject({ worker: z.string(), title: z.string() }),
    route: '/dashboard/task-to-review',
    topic: 'submissions',
    email: { preference: 'workReceived', digest: true },
  },
  revision_missed: {
    params: z.strictObject({ title: z.string(), recipient: z.enum(['buyer', 'worker']) }),
    route: CASE_ROUTE,
    topic: 'submissions',
  },
  appeal_opened: {
    params: z.strictObject({ worker: z.string(), title: z.string() }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workReceived' },
  },
  rejection_defended: {
    params: z.strictObject({ title: z.string() }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workDecided' },
  },
  review_assigned: {
    params: z.strictObject({ title: z.string() }),
    route: '/dashboard/reviews',
    topic: 'submissions',
    email: { preference: 'workReceived' },
  },
  rejection_overturned: {
    params: z.strictObject({ title: z.string(), reason: z.string() }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workReceived' },
  },
  rejection_lapsed: {
    /** `state`: whose deadline passed, the buyer's or the reviewers'. */
    params: z.strictObject({ title: z.string(), state: z.enum(['appealed', 'in_review']) }),
    route: CASE_ROUTE,
    topic: 'submissions',
    email: { preference: 'workReceived' },
  },
  deadline_near: {
    params: z.strictObject({
      title: z.string(),
      state: z.enum(['revision_requested', 'rejection_open', 'appealed', 'in_review']),
    }),
    route: CASE_ROUTE,
    topic: 'submissions',
    // An appeal waits for the buyer, a review for the reviewer.
    email: {
      preference: ({ state }: { state: string }) =>
        state === 'appealed' || state === 'in_review' ? 'workReceived' : 'workDecided',
    },
  },
  review_near: {
    params: z.strictObject({ count: z.int().check(z.minimum(1)), title: z.string() }),
    route: '/dashboard/task-to-review',
    topic: 'submissions',
    email: { preference: 'workReceived' },
  },
  approved_by_time: {
    params: z.strictObject({ worker: z.string(), title: z.string(), coins: Coins }),
    route: '/dashboard/task-to-review?status=approved',
    topic: 'submissions',
  },
  worker_left: {
    /** `refunded`: the task was closed, so the coins of the slots went back to the buyer. Without `slots` it was one. */
    params: z.strictObject({
      worker: z.string(),
      title: z.string(),
      refunded: z.boolean(),
      slots: z.optional(Count),
    }),
    route: '/dashboard/my-task',
    topic: 'submissions',
  },
  task_closed: {
    params: z.strictObject({ title: z.string(), coins: Coins }),
    route: '/dashboard/my-task',
    topic: 'tasks',
  },
  scheduled_task_posted: {
    params: z.strictObject({ title: z.string(), coins: Coins }),
    route: '/dashboard/my-task',
    topic: 'tasks',
  },
  scheduled_task_failed: {
    params: z.strictObject({ title: z.string(), reason: Reason }),
    route: '/dashboard/task-drafts',
    topic: 'tasks',
  },
  /** Their reference is the batch. */
  scheduled_batch_posted: {
    params: z.strictObject({ title: z.string(), file: z.string(), coins: Coins }),
    route: BATCH_ROUTE,
    topic: 'batches',
  },
  scheduled_batch_failed: {
    params: z.strictObject({ title: z.string(), file: z.string(), reason: Reason }),
    route: BATCH_ROUTE,
    topic: 'batches',
  },
  task_refunded: {
    params: z.strictObject({ title: z.string(), coins: Coins, byAdmin: z.boolean() }),
    route: '/dashboard/my-task',
    topic: 'tasks',
  },
  task_deleted: {
    params: z.strictObject({ title: z.string(), recipient: z.enum(['buyer', 'worker']) }),
    route: ({ recipient }: ForRecipient) =>
      recipient === 'buyer' ? '/dashboard/my-task' : '/dashboard/my-submisson',
    topic: 'tasks',
  },
  reservation_lapsed: {
    /** `item`: the number of the item of a batch, which is not given to the worker again. */
    params: z.strictObject({ title: z.string(), task: Id, item: z.optional(Count) }),
    route: ({ task }: { task: string }) => `/dashboard/task-details/${task}`,
    topic: 'tasks',
  },
  reservation_cancelled: {
    params: z.strictObject({ title: z.string() }),
    route: '/dashboard/available-task',
    topic: 'tasks',
  },
  coins_bought: {
    params: z.strictObject({ coins: Coins, cents: Cents }),
    route: '/dashboard/paymenthistory',
    topic: 'payments',
  },
  payment_reversed: {
    /**
     * `owed`: the coins of `coins` that were spent already. `won`: a refund or dispute did not stand. `evidence`: the bank asks for
     * evidence and no coins move, which only Admins are notified of.
     */
    params: z.strictObject({
      recipient: z.enum(['buyer', 'admin']),
      buyer: z.string(),
      cause: z.enum(['refund', 'dispute', 'won', 'evidence']),
      cents: Cents,
      coins: Coins,
      owed: Coins,
    }),
    route: ({ recipient, cause }: ForRecipient & { cause: string }) =>
      recipient === 'buyer'
        ? '/dashboard/paymenthistory'
        : cause === 'evidence'
          ? '/dashboard/disputes'
          : '/dashboard/payments',
    topic: 'payments',
  },
  /** The provider reports a state of a dispute that this version does not know. */
  dispute_unknown: {
    params: z.strictObject({ buyer: z.string(), intent: z.string(), cents: Cents, status: z.string() }),
    route: '/dashboard/payments',
    topic: 'payments',
  },
  /** Tasks of a buyer while a dispute of theirs is open, and afterwards. */
  tasks_held: {
    params: z.strictObject({
      state: z.enum(['held', 'released', 'closed']),
      tasks: z.int().check(z.minimum(0)),
      coins: Coins,
    }),
    route: '/dashboard/my-task',
    topic: 'tasks',
  },
  payment_refused: {
    params: z.strictObject({ intent: z.string(), coins: Coins, cents: Cents }),
    route: '/dashboard/unmatched-payments',
    topic: 'payments',
  },
  /** A paid intent that is not in this database, as after a restore. */
  payment_unmatched: {
    params: z.strictObject({ intent: z.string(), cents: Cents }),
    route: '/dashboard/unmatched-payments',
    topic: 'payments',
  },
  /** An early fraud warning or a dispute of an unmatched payment. */
  unmatched_disputed: {
    params: z.strictObject({ state: z.enum(['warning', 'opened']), intent: z.string(), cents: Cents }),
    route: '/dashboard/unmatched-payments',
    topic: 'payments',
  },
  /** Differences between the provider's balance and our payments. */
  card_cases_opened: {
    params: z.strictObject({ count: z.int().check(z.minimum(1)) }),
    route: '/dashboard/reconciliation',
    topic: 'payments',
  },
  /** Lines of an imported statement that settle no payout. */
  payout_cases_opened: {
    params: z.strictObject({ count: z.int().check(z.minimum(1)), file: z.string() }),
    route: '/dashboard/payout-statements',
    topic: 'withdrawals',
  },
  /** One of the operator's settings was changed by another Admin. */
  setting_changed: {
    params: z.strictObject({ admin: z.string(), setting: z.string(), reason: z.string() }),
    route: '/dashboard/settings',
    topic: 'payments',
  },
  /** A change of another Admin that waits for a confirmation. */
  setting_change_proposed: {
    params: z.strictObject({ admin: z.string(), setting: z.string(), reason: z.string() }),
    route: '/dashboard/settings',
    topic: 'payments',
  },
  /** `admin` is null when the waiting time of the only Admin's change is over. */
  setting_change_decided: {
    params: z.strictObject({
      admin: z.nullable(z.string()),
      setting: z.string(),
      state: z.enum(['confirmed', 'withdrawn']),
    }),
    route: '/dashboard/settings',
    topic: 'payments',
  },
  /** The card network suspects fraud and no dispute is open yet. */
  fraud_warning: {
    params: z.strictObject({ buyer: z.string(), cents: Cents, intent: z.string() }),
    route: '/dashboard/payments',
    topic: 'payments',
  },
  /** A refund by an Admin that the provider or the bank did not make. */
  refund_failed: {
    params: z.strictObject({ buyer: z.string(), cents: Cents, intent: z.string() }),
    route: '/dashboard/payments',
    topic: 'payments',
  },
  /** A refund of an unmatched payment that the provider rejects: the payment needs a decision again. */
  unmatched_refund_failed: {
    params: z.strictObject({ intent: z.string(), cents: Cents }),
    route: '/dashboard/unmatched-payments',
    topic: 'payments',
  },
  payment_unclaimed: {
    params: z.strictObject({ buyer: z.string(), cents: Cents, intent: z.string() }),
    route: '/dashboard/payments',
    topic: 'payments',
  },
  withdrawal_requested: {
    params: z.strictObject({
      worker: z.string(),
      coins: Coins,
      cents: Cents,
      system: z.enum(PAYMENT_SYSTEMS),
    }),
    route: '/dashboard/withdraw-request',
    topic: 'withdrawals',
  },
  withdrawal_paid: {
    params: z.strictObject({
      coins: Coins,
      cents: Cents,
      system: z.enum(PAYMENT_SYSTEMS),
      account: z.string(),
    }),
    route: WITHDRAWALS_ROUTE,
    topic: 'withdrawals',
    email: { preference: 'payouts' },
  },
  withdrawal_declined: {
    params: z.strictObject({ coins: Coins, reason: z.string() }),
    route: WITHDRAWALS_ROUTE,
    topic: 'withdrawals',
    email: { preference: 'payouts' },
  },
  account_frozen: {
    params: z.strictObject({ reason: z.string() }),
    route: '/dashboard/account-freeze',
    topic: 'person',
    email: { preference: 'payouts' },
  },
  withdrawal_frozen: {
    params: z.strictObject({ coins: Coins, reason: z.string() }),
    route: '/dashboard/account-freeze',
    topic: 'person',
    email: { preference: 'payouts' },
  },
  freeze_ended: {
    params: z.strictObject({ subject: z.enum(['account', 'withdrawal']), reason: z.string() }),
    route: '/dashboard/account-freeze',
    topic: 'person',
    email: { preference: 'payouts' },
  },
  freeze_response: {
    params: z.strictObject({ name: z.string(), response: z.string() }),
    route: '/dashboard/freezes',
    topic: 'withdrawals',
  },
  /** An Admin corrected the account number of a request after a payout to it failed. */
  account_number_corrected: {
    params: z.strictObject({ coins: Coins, system: z.enum(PAYMENT_SYSTEMS), account: z.string() }),
    route: WITHDRAWALS_ROUTE,
    topic: 'withdrawals',
    email: { preference: 'payouts' },
  },
  role_changed: {
    params: z.strictObject({ role: Role }),
    route: '/dashboard',
    topic: 'person',
  },
  /** Another Admin, `admin`, made somebody an Admin. */
  admin_added: {
    params: z.strictObject({ admin: z.string(), name: z.string() }),
    route: '/dashboard/manage-users',
    topic: 'person',
    email: { preference: 'always' },
  },
  reviewer_changed: {
    params: z.strictObject({ reviewer: z.boolean() }),
    route: '/dashboard',
    topic: 'person',
  },
  /** Its email is queued with the key and cannot be switched off. */
  api_key_created: {
    params: z.strictObject({ name: z.string() }),
    route: '/dashboard/api-keys',
    topic: 'person',
  },
  /** `gone`: the endpoint responded with 410. */
  webhook_stopped: {
    params: z.strictObject({ name: z.string(), cause: z.enum(['failures', 'gone', 'password_reset']) }),
    route: (_params: never, ref: string) => `/dashboard/webhooks/${ref}`,
    topic: 'person',
  },
  /** A buyer granted a qualification, which tasks can require. */
  qualification_granted: {
    params: z.strictObject({ qualification: z.string(), buyer: z.string() }),
    route: '/dashboard/available-task',
    topic: 'person',
  },
  /** A worker passed the test of a qualification. */
  qualification_earned: {
    params: z.strictObject({ qualification: z.string(), buyer: z.string() }),
    route: '/dashboard/available-task',
    topic: 'person',
  },
  contact_message: {
    params: z.strictObject({ name: z.string(), subject: z.string() }),
    route: '/dashboard/messages',
    topic: 'contact',
  },
} as const satisfies Record<string, Kind>

type Kinds = typeof NOTIFICATION_KINDS
export type NotificationKind = keyof Kinds
export type NotificationParams<Of extends NotificationKind> = z.infer<Kinds[Of]['params']>
/** The parameters of a kind's sentence: a stored refusal is a sentence in the same language. */
export type NotificationTextParams<Of extends NotificationKind> = WithSentences<NotificationParams<Of>>
type WithSentences<Params> = { [Name in keyof Params]: Exclude<Params[Name], StoredRefusal> }

/** The kinds that make an email of their own. */
export type EmailedKind = {
  [Of in NotificationKind]: Kinds[Of] extends { email: { digest: true } }
    ? never
    : Kinds[Of] extends { email: Email }
      ? Of
      : never
}[NotificationKind]

const TOPICS_IN: Record<NotificationCategory, LiveTopic[]> = {
  work: ['submissions', 'tasks', 'batches'],
  money: ['withdrawals', 'payments'],
  account: ['person', 'contact'],
}

/** Returns the kinds of a category. */
export function kindsIn(category: NotificationCategory): string[] {
  return Object.entries(NOTIFICATION_KINDS)
    .filter(([, { topic }]) => TOPICS_IN[category].includes(topic))
    .map(([kind]) => kind)
}

export function emailOf(kind: NotificationKind): Email | undefined {
  return (NOTIFICATION_KINDS[kind] as Kind).email
}

/** Returns the preference that decides whether a notification is mailed and shown on devices; undefined for kinds that never are. */
export function preferenceOf(notification: {
  kind: NotificationKind
  params: unknown
}): Preference | undefined {
  const preference = emailOf(notification.kind)?.preference
  return typeof preference === 'function' ? preference((notification.params ?? {}) as never) : preference
}

/** Returns whether a notification of this kind makes an email of its own. */
export function isEmailed(kind: NotificationKind): kind is EmailedKind {
  const email = emailOf(kind)
  return email !== undefined && email.digest !== true
}
