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

/** The title of the browser tab, in which `%s` is the title of the screen: "(3) %s · Tallywork". */
export const TabTitle = createContext('%s')

/**
 * Renders a screen of the dashboard: heading, primary action, content. Also sets the document title. Its content is laid out
 * by the width of the screen in rem (`@2xl:`), so that enlarged text has the layout of a narrow window.
 */
export function Screen({ title, subtitle, action, children, width = 'full' }: Props) {
  const tabTitle = useContext(TabTitle)
  return (
    <div className={`@container mx-auto ${width === 'narrow' ? 'max-w-3xl' : 'max-w-[80rem]'}`}>
      <title>{tabTitle.replace('%s', () => title)}</title>
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
