import type { ReactNode } from 'react'

type Props = {
  title: string
  subtitle?: ReactNode
  /** The one primary action of the screen. */
  action?: ReactNode
  children: ReactNode
  /** `narrow` for forms and reading. */
  width?: 'full' | 'narrow'
}

/** A screen of the dashboard: its heading, its one action, its content. Also names the browser's tab. */
export function Screen({ title, subtitle, action, children, width = 'full' }: Props) {
  return (
    <div className={width === 'narrow' ? 'mx-auto max-w-3xl' : 'mx-auto max-w-[80rem]'}>
      <title>{`${title} · Tallywork`}</title>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-title" lang={languageOf(title)}>
            {title}
          </h1>
          {subtitle && <p className="mt-1 text-dim">{subtitle}</p>}
        </div>
        {action}
      </div>
      {children}
    </div>
  )
}

/** A title may be a person's own words: Bengali is set, and read aloud, as Bengali. */
function languageOf(text: string): string | undefined {
  return /\p{Script=Bengali}/u.test(text) ? 'bn' : undefined
}
