import type { DecisionKind } from './decisions.tsx'

/** Returns the key of the draft of a decision's form. It is kept until the server has accepted the decision. */
export function decisionDraftKey(kind: DecisionKind, submissionId: string): string {
  return `${kind} ${submissionId}`
}
