import type { ReactNode } from 'react'

type Props = {
  id: string
  title: string
  lead?: string
  /** A link or button beside the heading. */
  action?: ReactNode
  /** Uses the canvas color as background, to separate it from the sections beside it. */
  tinted?: boolean
  children: ReactNode
}

/** Renders a section of the landing page. */
export function Section({ id, title, lead, action, tinted = false, children }: Props) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`py-16 lg:py-22 ${tinted ? 'bg-canvas' : ''}`}
    >
      <div className="page">
        <div className="mb-8 flex flex-wrap items-end justify-between gap-4">
          <div>
            <h2 id={`${id}-title`} className="text-section">
              {title}
            </h2>
            {lead && <p className="mt-2 max-w-2xl text-dim">{lead}</p>}
          </div>
          {action}
        </div>
        {children}
      </div>
    </section>
  )
}
