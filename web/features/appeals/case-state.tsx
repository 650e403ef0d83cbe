import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import type { Case } from '#contract/appeals.ts'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { IconClock } from '#web/ui/icons.ts'
import { BuyerActions } from './buyer-actions.tsx'
import { stateTextOf } from './case-state-text.ts'
import { ReviewDecision } from './review-decision.tsx'
import { WorkerActions } from './worker-actions.tsx'

/** Renders the state of a case: whose turn it is, how long they have, what happens otherwise, and what the viewer can do. */
export function CaseState({ subject }: { subject: Case }) {
  const { state, viewer, dueAt, decides } = subject
  const now = useCurrentMinute()
  const { title, clock, effect } = stateTextOf(subject, dueAt && timeLeft(dueAt, now))
  const heading = useKeptFocus(state)
  return (
    <section className="card p-5 sm:p-6" aria-label={t`State`}>
      <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
        {title}
      </h2>
      {clock !== '' && dueAt !== null && (
        <p className="mt-2 flex items-start gap-2 font-nav">
          <IconClock size={20} stroke={1.8} className="mt-0.5 shrink-0" aria-hidden />
          <span>
            {clock} <span className="text-sm text-dim">({formatDateTime(dueAt)})</span>
          </span>
        </p>
      )}
      <p className="mt-1 text-dim">{effect}</p>
      {subject.slotReopened && viewer === 'buyer' && (
        <p className="mt-1 text-dim">{t`You paid for another slot while this rejection was not final.`}</p>
      )}
      <div className="mt-5 border-t border-line pt-5 empty:hidden">
        {viewer === 'worker' && <WorkerActions key={state} subject={subject} />}
        {viewer === 'buyer' && <BuyerActions key={state} subject={subject} />}
        {decides && <ReviewDecision subject={subject} ids={[subject._id]} />}
      </div>
    </section>
  )
}

/** Returns the ref of an element that takes the focus when a change of the state removes the focused element. */
function useKeptFocus(state: Case['state']) {
  const element = useRef<HTMLHeadingElement>(null)
  const former = useRef(state)
  useEffect(() => {
    if (former.current !== state && document.activeElement === document.body) element.current?.focus()
    former.current = state
  }, [state])
  return element
}
