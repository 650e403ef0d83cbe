import { createContext, type ReactNode, useContext } from 'react'

type Props = {
  title: string
  subtitle?: ReactNode
  /** The primary action of the screen. */
  action?: ReactNode
  children: ReactNode
  /** `narrow` for forms and long texts. */
  width?: 'full' | 'narrow'
}

/** What stands before the title of every screen in the browser's tab: "(3) ", or nothing. */
export const TitlePrefix = createContext('')

/** Renders a screen of the dashboard: heading, primary action, content. Also sets the document title. */
export function Screen({ title, subtitle, action, children, width = 'full' }: Props) {
  const prefix = useContext(TitlePrefix)
  return (
    <div className={width === 'narrow' ? 'mx-auto max-w-3xl' : 'mx-auto max-w-[80rem]'}>
      <title>{`${prefix}${title} · Tallywork`}</title>
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

/** Returns `bn` for Bengali text, so that user-written titles are typeset and read aloud correctly. */
function languageOf(text: string): string | undefined {
  return /\p{Script=Bengali}/u.test(text) ? 'bn' : undefined
}
