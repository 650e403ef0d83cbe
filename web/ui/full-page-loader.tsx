import { t } from '@lingui/core/macro'

/** Renders a spinner with a text on the whole page. */
export function FullPageLoader({ children }: { children: string }) {
  return (
    <div className="grid min-h-dvh place-items-center bg-body" role="status">
      <Spinner>{children}</Spinner>
    </div>
  )
}

/** Renders a spinner with a text below the heading of a screen. */
export function PageLoader({ children }: { children: string }) {
  return (
    <div className="grid place-items-center py-20" role="status">
      <Spinner>{children}</Spinner>
    </div>
  )
}

function Spinner({ children }: { children: string }) {
  return (
    <div className="flex flex-col items-center gap-4">
      <span className="spinner" />
      <p className="text-dim">{children}</p>
    </div>
  )
}

/** Renders what a screen says in a browser without JavaScript. */
export function NeedsJavaScript() {
  return (
    <noscript>
      <p className="fixed inset-x-0 bottom-10 text-center">{t`This screen needs JavaScript.`}</p>
    </noscript>
  )
}
