import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { IconAlertTriangle, IconClock } from '#web/ui/icons.ts'
import type { DecisionEntry } from './decision-queue.ts'
import { DECISIONS } from './decisions.tsx'

/** Returns the whole seconds until a time, at least 1. */
export function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(1, Math.ceil((time - now) / 1000))
}

type Props = {
  entry: DecisionEntry
  id?: string
  undo: (id: string) => void
  retry: () => void
}

/** Renders the state of a decision, with Undo while it can be undone. */
export function DecisionNotice({ entry, id, undo, retry }: Props) {
  const { phase, work, decision } = entry
  const { worker } = work
  const isFailure = phase === 'refused' || phase === 'unsent'
  const texts = DECISIONS[decision.kind]
  const Icon = isFailure ? IconAlertTriangle : phase === 'sent' ? texts.Icon : IconClock
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-sm">
      <p
        id={id}
        className={`flex min-h-8 items-center gap-1.5 font-nav ${isFailure ? 'text-danger' : texts.isPrimary ? 'text-brand' : 'text-dim'}`}
      >
        <Icon size={18} stroke={1.8} className="shrink-0" aria-hidden />
        {phase === 'waiting' ? <Waiting entry={entry} /> : textOf(entry)}
      </p>
      {phase === 'unsent' && (
        <button type="button" className="link relative z-1 min-h-8" onClick={retry}>
          <Trans>
            Try again<span className="sr-only">, work by {worker}</span>
          </Trans>
        </button>
      )}
      {phase === 'waiting' && (
        <button type="button" className="link relative z-1 min-h-8" onClick={() => undo(work.id)}>
          <Trans>
            Undo<span className="sr-only">, work by {worker}</span>
          </Trans>
        </button>
      )}
    </div>
  )
}

function Waiting({ entry }: { entry: DecisionEntry }) {
  return DECISIONS[entry.decision.kind].waiting(formatNumber(useSecondsUntil(entry.commitsAt)))
}

function textOf({ phase, decision, error = '' }: DecisionEntry): string {
  const texts = DECISIONS[decision.kind]
  if (phase === 'refused') return texts.refused(error)
  if (phase === 'unsent') return t`Not sent yet: ${{ detail: error }}`
  return phase === 'sent' ? texts.sent : texts.sending
}
