import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { DecisionKind } from './decisions.tsx'

const LABELS: Record<DecisionKind, (worker: string) => ReactNode> = {
  reject: (worker) => (
    <Trans>
      Reject<span className="sr-only"> work by {worker}</span>
    </Trans>
  ),
  revise: (worker) => (
    <Trans>
      Request revision<span className="sr-only"> work by {worker}</span>
    </Trans>
  ),
  approve: (worker) => (
    <Trans>
      Approve<span className="sr-only"> work by {worker}</span>
    </Trans>
  ),
}

/** Renders the label of a decision's button. The worker distinguishes the button for screen readers. */
export function DecisionLabel({ kind, worker }: { kind: DecisionKind; worker: string }) {
  return LABELS[kind](worker)
}
