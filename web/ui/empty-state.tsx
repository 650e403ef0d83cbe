import type { ReactNode } from 'react'

type Props = {
  title: string
  /** One sentence that helps. */
  children?: ReactNode
  /** A button or a link to the next step. */
  action?: ReactNode
}

/** Renders the empty state of a list: an illustration, a title, a sentence and an action. */
export function EmptyState({ title, children, action }: Props) {
  return (
    <div className="card flex flex-col items-center px-6 py-14 text-center">
      <Illustration />
      <h2 className="mt-5 text-lg">{title}</h2>
      {children && <p className="mt-1 max-w-sm text-dim">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

/** Renders the drawing of a sheet and a coin. */
export function Illustration() {
  const plus = (x: number, y: number) => (
    <path d={`M${x - 5} ${y}h10M${x} ${y - 5}v10`} stroke="var(--mantine-color-anchor)" strokeWidth="2.5" />
  )
  return (
    <svg viewBox="0 0 148 104" width="148" height="104" aria-hidden="true" fill="none" strokeLinecap="round">
      <ellipse cx="72" cy="96" rx="58" ry="7" fill="var(--mantine-color-line)" />
      <rect
        x="29"
        y="20"
        width="76"
        height="70"
        rx="13"
        fill="var(--mantine-color-surface)"
        stroke="var(--mantine-color-default-border)"
        strokeWidth="2"
      />
      <path d="M43 42h36M43 56h48M43 70h26" stroke="var(--mantine-color-line)" strokeWidth="6" />
      <circle cx="103" cy="27" r="22" fill="#f5a300" />
      <circle cx="103" cy="27" r="17.5" fill="#ffca4f" />
      <path d="m94.5 28 6 6 11.5-12.5" stroke="#784900" strokeWidth="4.5" strokeLinejoin="round" />
      {plus(13, 40)}
      {plus(133, 66)}
    </svg>
  )
}
