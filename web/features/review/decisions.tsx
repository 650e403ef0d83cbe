import type { ComponentType } from 'react'
import { rejectSubmission } from '#contract/rejections.ts'
import { requestRevision } from '#contract/revisions.ts'
import type { RejectionCategory } from '#contract/submission-states.ts'
import { approveSubmissions, type Submission, updateSubmissionStatus } from '#contract/submissions.ts'
import { call } from '#web/lib/api.ts'
import { formatCoins, pluralize } from '#web/lib/format.ts'
import { IconCheck, IconPencil, IconX } from '#web/ui/icons.ts'
import type { DecidedWork } from './decision-queue.ts'
import { RejectForm } from './reject-form.tsx'
import { RevisionForm } from './revision-form.tsx'

export type Decision =
  | { kind: 'approve'; buyer: string }
  | { kind: 'reject'; reason: string; category: RejectionCategory; requirement: string }
  | { kind: 'revise'; text: string }
export type DecisionKind = Decision['kind']

export type DecisionFormProps = {
  submission: Submission
  onDecide: (decision: Decision) => void
  onCancel: () => void
}

type SendOptions = { idempotencyKey: string; keepalive: true }

type DecisionTexts = {
  label: string
  /** The key that decides, or that opens the form. */
  shortcut: string
  Icon: typeof IconCheck
  isPrimary: boolean
  /** Whether the decision can be made about a submission; absent when it always can. */
  isAvailable?: (submission: Submission) => boolean
  /** Creates the decision, where its button is enough. It can then be made for many submissions together. */
  create?: (buyer: string) => Decision
  /** Asks for the parts of a decision that needs more than its button. */
  Form?: ComponentType<DecisionFormProps>
  /** The state of a decision, as its submission shows it. `seconds` is the rest of the time to undo it. */
  waiting: (seconds: number) => string
  sending: string
  sent: string
  /** Introduces the reason why the server refused it. */
  refused: string
  /** The toast after the server has accepted decisions made together. */
  toast: (works: DecidedWork[]) => { title: string; message: string; detail: string }
}

/** The decisions about a submission, in the order of their buttons. A new kind is one more entry here and in `sendDecision`. */
export const DECISIONS: Record<DecisionKind, DecisionTexts> = {
  reject: {
    label: 'Reject',
    shortcut: 'r',
    Icon: IconX,
    isPrimary: false,
    Form: RejectForm,
    waiting: (seconds) => `Rejected: sending in ${seconds} s`,
    sending: 'Rejecting…',
    sent: 'Rejected',
    refused: 'Not rejected',
    toast: (works) => ({
      title: 'Work rejected',
      message: `${namesOf(works)} can see your reason.`,
      detail: '',
    }),
  },
  revise: {
    label: 'Request revision',
    shortcut: 'v',
    Icon: IconPencil,
    isPrimary: false,
    isAvailable: ({ revisionRequest }) => revisionRequest === null,
    Form: RevisionForm,
    waiting: (seconds) => `Revision requested: sending in ${seconds} s`,
    sending: 'Requesting…',
    sent: 'Revision requested',
    refused: 'Revision not requested',
    toast: (works) => ({
      title: 'Revision requested',
      message: `${namesOf(works)} can see what is missing.`,
      detail: '',
    }),
  },
  approve: {
    label: 'Approve',
    shortcut: 'a',
    Icon: IconCheck,
    isPrimary: true,
    create: (buyer) => ({ kind: 'approve', buyer }),
    waiting: (seconds) => `Approved: paying in ${seconds} s`,
    sending: 'Paying…',
    sent: 'Approved and paid',
    refused: 'Not approved',
    toast: (works) => ({
      title: 'Task Approved',
      message: 'Task has been approved!',
      detail: `${formatCoins(sumOf(works))} paid to ${namesOf(works)}.`,
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

export function namesOf(works: readonly DecidedWork[]): string {
  return works.length === 1 ? (works[0] as DecidedWork).worker : pluralize(works.length, 'worker')
}

/** Returns the decisions that can be made about a submission, in the order of their buttons. */
export function decisionKindsOf(submission: Submission): DecisionKind[] {
  return DECISION_KINDS.filter((kind) => DECISIONS[kind].isAvailable?.(submission) ?? true)
}
