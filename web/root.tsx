import './app.css'
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import { Live } from '#web/features/live/live.tsx'
import figtree from '#web/fonts/figtree-ascii.woff2?url'
import { prefetchOnIntent } from '#web/lib/prefetch.ts'
import { queries } from '#web/lib/queries.ts'
import { SessionProvider } from '#web/lib/session.tsx'
import { cssVariables, theme } from '#web/theme.ts'
import { DialogHost } from '#web/ui/dialogs.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FullPageLoader } from '#web/ui/full-page-loader.tsx'
import { NavigationProgress } from '#web/ui/navigation-progress.tsx'
import { ToastHost } from '#web/ui/toasts.tsx'
import type { Route } from './+types/root'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: figtree, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

const REMEMBERED = `try{if(localStorage.getItem('returning'))document.documentElement.dataset.returning=''}catch{}`

/**
 * A script or a stylesheet that the page needs to begin did not come: the line broke, or a new version is just being
 * installed. The page is loaded anew, a few times, waiting longer each time.
 */
const BEGIN_AGAIN = `(()=>{
const again=()=>{
const d=document.documentElement.dataset,n=+sessionStorage.again||0
if('ready'in d||'again'in d||n>4)return
d.again=''
sessionStorage.again=n+1
setTimeout(()=>{if(navigator.onLine)location.reload();else addEventListener('online',()=>location.reload())},1000<<n)
}
addEventListener('error',({target:t})=>{if(t.tagName==='SCRIPT'||t.rel==='stylesheet')again()},true)
addEventListener('unhandledrejection',({reason:r})=>{if(/module/i.test(r))again()})
})()`

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e1412" media="(prefers-color-scheme: dark)" />
        <ColorSchemeScript defaultColorScheme="auto" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file */}
        <script dangerouslySetInnerHTML={{ __html: REMEMBERED }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file */}
        <script dangerouslySetInnerHTML={{ __html: BEGIN_AGAIN }} />
        <Meta />
        <Links />
      </head>
      <body>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          deduplicateInlineStyles
        >
          {children}
        </MantineProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function App() {
  // From here on the page answers to a person, and to the browser tests.
  useEffect(() => {
    document.documentElement.dataset.ready = ''
    sessionStorage.removeItem('again')
    return prefetchOnIntent()
  }, [])
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <Outlet />
        <Live />
        <DialogHost />
        <ToastHost />
        <NavigationProgress />
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** Every page that is not public shows this while authentication loads (docs/specification/screens.md). */
export function HydrateFallback() {
  return (
    <>
      <title>Tallywork</title>
      <FullPageLoader>Loading your experience...</FullPageLoader>
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = isRouteErrorResponse(error) && error.status === 404
  return (
    <main className="page max-w-xl py-20">
      <title>Tallywork</title>
      <ErrorState
        title={missing ? 'This page does not exist' : 'Something went wrong on this page'}
        message="Nothing you did is lost. Load the page again, or go back to the start page."
        retry={() => location.reload()}
      />
    </main>
  )
}
