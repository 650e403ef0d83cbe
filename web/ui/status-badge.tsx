import type { ReactNode } from 'react'

const CLASSES = {
  success: 'bg-soft text-on-soft',
  warning: 'bg-gold text-on-gold',
  error: 'bg-danger-soft text-danger',
  neutral: 'bg-line/70 text-ink',
}
export type Tone = keyof typeof CLASSES

/** Renders a status as text on a tint. The text carries the meaning; the color only supports it. */
export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex max-w-full shrink-0 items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-number wrap-normal sm:whitespace-nowrap ${CLASSES[tone]}`}
    >
      {children}
    </span>
  )
}
