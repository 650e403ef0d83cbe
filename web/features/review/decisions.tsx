import { plural, t } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { rejectSubmission } from '#contract/rejections.ts'
import { requestRevision } from '#contract/revisions.ts'
import type { RejectionCategory } from '#contract/submission-states.ts'
import { approveSubmissions, type Submission, updateSubmissionStatus } from '#contract/submissions.ts'
import { call } from '#web/lib/api.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { IconCheck, IconPencil, IconX } from '#web/ui/icons.ts'
import type { DecidedWork } from './decision-queue.ts'
import { RejectForm } from './reject-form.tsx'
import { RevisionForm } from './revision-form.tsx'

export type Decision =
  | { kind: 'approve'; buyer: string }
  | {
      kind: 'reject'
      reason: string
      category: RejectionCategory
      requirement: string
      needsReviewer?: boolean
    }
  | { kind: 'revise'; text: string }
export type DecisionKind = Decision['kind']

export type DecisionFormProps = {
  submission: Submission
  onDecide: (decision: Decision) => void
  onCancel: () => void
}

type SendOptions = { idempotencyKey: string; keepalive: true }

/** A decision that needs no more than its button. It can be made for many submissions together. */
export type DirectDecision = {
  create: (buyer: string) => Decision
  /** The button, the question and its confirmation for many submissions. */
  button: (count: number) => string
  question: (count: number) => string
  confirmLabel: (count: number) => string
}

type DecisionTexts = {
  /** What its key does, in the list of shortcuts. */
  help: string
  /** The key that decides, or that opens the form. */
  shortcut: string
  Icon: typeof IconCheck
  isPrimary: boolean
  /** Whether the decision can be made about a submission; absent when it always can. */
  isAvailable?: (submission: Submission) => boolean
  direct?: DirectDecision
  /** Asks for the parts of a decision that needs more than its button. */
  Form?: ComponentType<DecisionFormProps>
  /** The state of a decision, as its submission shows it. `seconds` is the rest of the time to undo it. */
  waiting: (seconds: string) => string
  sending: string
  sent: string
  /** Says that the server refused it. `detail` is the reason, or whose work it is. */
  refused: (detail: string) => string
  /** Read aloud when the decision is made. `subject` is the worker, or the number of submissions. */
  announcement: (subject: string, coins: string) => string
  /** The toast after the server has accepted decisions made together. */
  toast: (works: DecidedWork[], decision: Decision) => { title: string; message: string; detail: string }
}

/**
 * The decisions about a submission, in the order of their buttons. A new kind is one more entry here, in `sendDecision` and
 * in `LABELS` (web/features/review/decision-label.tsx).
 */
export const DECISIONS: Record<DecisionKind, DecisionTexts> = {
  reject: {
    help: t`Reject`,
    shortcut: 'r',
    Icon: IconX,
    isPrimary: false,
    Form: RejectForm,
    waiting: (seconds) => t`Rejected: sending in ${seconds} s`,
    sending: t`Rejecting…`,
    sent: t`Rejected`,
    refused: (detail) => t`Not rejected: ${detail}`,
    announcement: (subject, coins) => t`Rejected: ${subject}, ${coins}. Press U to undo.`,
    toast: (works, decision) =>
      decision.kind === 'reject' && decision.needsReviewer
        ? {
            title: t`Rejection sent to a reviewer`,
            message: t`It counts, and ${{ workers: namesOf(works) }} can appeal, if the reviewer upholds it.`,
            detail: '',
          }
        : {
            title: t`Work rejected`,
            message: t`${{ workers: namesOf(works) }} can see your reason.`,
            detail: '',
          },
  },
  revise: {
    help: t`Request revision`,
    shortcut: 'v',
    Icon: IconPencil,
    isPrimary: false,
    isAvailable: ({ revisionRequest }) => revisionRequest === null,
    Form: RevisionForm,
    waiting: (seconds) => t`Revision requested: sending in ${seconds} s`,
    sending: t`Requesting…`,
    sent: t`Revision requested`,
    refused: (detail) => t`Revision not requested: ${detail}`,
    announcement: (subject, coins) => t`Revision requested: ${subject}, ${coins}. Press U to undo.`,
    toast: (works) => ({
      title: t`Revision requested`,
      message: t`${{ workers: namesOf(works) }} can see what is missing.`,
      detail: '',
    }),
  },
  approve: {
    help: t`Approve, or approve all selected`,
    shortcut: 'a',
    Icon: IconCheck,
    isPrimary: true,
    direct: {
      create: (buyer) => ({ kind: 'approve', buyer }),
      button: (count) => t`Approve ${{ count: formatNumber(count) }}`,
      question: (count) => plural(count, { one: 'Approve # submission?', other: 'Approve # submissions?' }),
      confirmLabel: (count) => plural(count, { one: 'Approve # submission', other: 'Approve # submissions' }),
    },
    waiting: (seconds) => t`Approved: paying in ${seconds} s`,
    sending: t`Paying…`,
    sent: t`Approved and paid`,
    refused: (detail) => t`Not approved: ${detail}`,
    announcement: (subject, coins) => t`Approved: ${subject}, ${coins}. Press U to undo.`,
    toast: (works) => ({
      title: t`Task Approved`,
      message: t`Task has been approved!`,
      detail: t`${{ coins: formatCoins(sumOf(works)) }} paid to ${{ workers: namesOf(works) }}.`,
    }),
  },
}
export const DECISION_KINDS = Object.keys(DECISIONS) as DecisionKind[]

/**
 * Sends decisions to the server in one request; only approvals can be several. The browser completes the request even when
 * the page is left. Returns why some of the submissions could not be approved, by submission.
 */
export async function sendDecisions(
  sent: readonly { work: DecidedWork; decision: Decision; idempotencyKey: string }[],
): Promise<ReadonlyMap<string, string>> {
  const [only] = sent
  if (only !== undefined && sent.length === 1) {
    await sendDecision(only.work.id, only.decision, only.idempotencyKey)
    return new Map()
  }
  // A repeated approval changes nothing, so that it needs no idempotency key.
  const body = { ids: sent.map(({ work }) => work.id) }
  const { results } = await call(approveSubmissions, { body }, { keepalive: true })
  return new Map(results.flatMap(({ _id, error }) => (error === null ? [] : [[_id, error.message] as const])))
}

function sendDecision(id: string, decision: Decision, idempotencyKey: string): Promise<unknown> {
  const options: SendOptions = { idempotencyKey, keepalive: true }
  const params = { id }
  switch (decision.kind) {
    case 'approve':
      return call(
        updateSubmissionStatus,
        { params, body: { status: 'approved', buyer: decision.buyer } },
        options,
      )
    case 'reject': {
      const { reason, category, requirement } = decision
      const body = { reason, category, ...(requirement && { requirement }) }
      return call(rejectSubmission, { params, body }, options)
    }
    case 'revise':
      return call(requestRevision, { params, body: { text: decision.text } }, options)
  }
}

export function sumOf(works: readonly DecidedWork[]): number {
  return works.reduce((sum, { coins }) => sum + coins, 0)
}

/** Returns the name of the only worker, or how many there are: one may have several of the submissions. */
export function namesOf(works: readonly DecidedWork[]): string {
  const workers = new Map(works.map(({ email, worker }) => [email ?? worker, worker]))
  const count = workers.size
  const [only] = workers.values()
  return count === 1 && only !== undefined ? only : plural(count, { one: '# worker', other: '# workers' })
}

/** Returns the decisions that can be made about a submission, in the order of their buttons. */
export function decisionKindsOf(submission: Submission): DecisionKind[] {
  return DECISION_KINDS.filter((kind) => DECISIONS[kind].isAvailable?.(submission) ?? true)
}
