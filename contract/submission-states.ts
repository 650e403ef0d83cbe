/**
 * The states of a submission and every way from one to another (docs/specification/submissions.md#states). The server's
 * SQL has the same transitions in server/submissions/states.sql; a test compares the two.
 */
export const SUBMISSION_STATES = [
  'pending',
  'revision_requested',
  'rejection_open',
  'appealed',
  'in_review',
  'approved',
  'rejected',
] as const
export type SubmissionState = (typeof SUBMISSION_STATES)[number]

/** The `status` of the wire. */
export type SubmissionStatus = 'pending' | 'approved' | 'rejected'

type StateRule = {
  status: SubmissionStatus
  /** Whose turn it is; null when the state is final. */
  waitsFor: 'buyer' | 'worker' | 'reviewer' | null
}

/** A final state has paid or freed the submission's slot. Every other state has a deadline, `dueAt`. */
export const STATE_RULES: Record<SubmissionState, StateRule> = {
  pending: { status: 'pending', waitsFor: 'buyer' },
  revision_requested: { status: 'pending', waitsFor: 'worker' },
  rejection_open: { status: 'rejected', waitsFor: 'worker' },
  appealed: { status: 'rejected', waitsFor: 'buyer' },
  in_review: { status: 'rejected', waitsFor: 'reviewer' },
  approved: { status: 'approved', waitsFor: null },
  rejected: { status: 'rejected', waitsFor: null },
}

/** Who or what decided a final state. */
export const DECIDERS = [
  'buyer',
  'time',
  'buyer_left',
  'worker_left',
  'worker',
  'concession',
  'silence',
  'reviewer',
  'no_reviewer',
  'reversal',
  'agreement',
] as const
export type Decider = (typeof DECIDERS)[number]

type Transition = {
  from: SubmissionState
  to: SubmissionState
  /** What happens, as in docs/specification/submissions.md#states. */
  event: string
  /** Who does it. `time`: it happens when the state's deadline passes. */
  by: 'buyer' | 'worker' | 'reviewer' | 'admin' | 'time'
}

export const TRANSITIONS: readonly Transition[] = [
  { from: 'pending', to: 'approved', event: 'approval', by: 'buyer' },
  { from: 'pending', to: 'approved', event: 'automatic approval', by: 'time' },
  { from: 'pending', to: 'approved', event: 'agreement with other workers', by: 'worker' },
  { from: 'pending', to: 'revision_requested', event: 'request for a revision', by: 'buyer' },
  { from: 'pending', to: 'rejection_open', event: 'rejection', by: 'buyer' },
  { from: 'pending', to: 'in_review', event: 'rejection that needs a review', by: 'buyer' },
  { from: 'pending', to: 'rejected', event: 'rejection without an appeal window', by: 'buyer' },
  { from: 'revision_requested', to: 'pending', event: 'revision', by: 'worker' },
  { from: 'revision_requested', to: 'pending', event: 'no revision in time', by: 'time' },
  { from: 'revision_requested', to: 'approved', event: 'approval', by: 'buyer' },
  { from: 'rejection_open', to: 'appealed', event: 'appeal', by: 'worker' },
  { from: 'rejection_open', to: 'rejected', event: 'acceptance of the rejection', by: 'worker' },
  { from: 'rejection_open', to: 'rejected', event: 'no appeal in time', by: 'time' },
  { from: 'rejection_open', to: 'approved', event: 'concession', by: 'buyer' },
  { from: 'appealed', to: 'in_review', event: 'defence of the rejection', by: 'buyer' },
  { from: 'appealed', to: 'approved', event: 'concession', by: 'buyer' },
  { from: 'appealed', to: 'approved', event: 'no response in time', by: 'time' },
  { from: 'in_review', to: 'approved', event: 'overturned rejection', by: 'reviewer' },
  { from: 'in_review', to: 'rejected', event: 'upheld rejection', by: 'reviewer' },
  { from: 'in_review', to: 'rejection_open', event: 'upheld rejection before an appeal', by: 'reviewer' },
  { from: 'in_review', to: 'approved', event: 'concession', by: 'buyer' },
  { from: 'in_review', to: 'approved', event: 'no decision in time', by: 'time' },
  { from: 'rejected', to: 'approved', event: 'reversal', by: 'buyer' },
  // Deleting a buyer pays all work that is not final; deleting a worker frees its slots.
  { from: 'revision_requested', to: 'approved', event: 'deletion of the buyer', by: 'admin' },
  { from: 'revision_requested', to: 'rejected', event: 'deletion of the worker', by: 'admin' },
  { from: 'rejection_open', to: 'approved', event: 'deletion of the buyer', by: 'admin' },
  { from: 'appealed', to: 'rejected', event: 'deletion of the worker', by: 'admin' },
]

/** The categories of a rejection: the reason in one word. */
export const REJECTION_CATEGORIES = [
  'instructions',
  'incomplete',
  'wrong',
  'copied',
  'duplicate',
  'unusable',
] as const
export type RejectionCategory = (typeof REJECTION_CATEGORIES)[number]
