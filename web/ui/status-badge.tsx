import type { ReactNode } from 'react'

const LOOKS = {
  good: 'bg-soft text-on-soft',
  waiting: 'bg-gold text-on-gold',
  bad: 'bg-danger-soft text-danger',
  quiet: 'bg-line/70 text-ink',
}
export type Tone = keyof typeof LOOKS

/** A state in words on a tint; the words carry the meaning, the colour only helps. */
export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-number whitespace-nowrap ${LOOKS[tone]}`}
    >
      {children}
    </span>
  )
}
