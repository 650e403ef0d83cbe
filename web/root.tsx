import './app.css'
import { t } from '@lingui/core/macro'
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { LiveUpdates } from '#web/features/live/live-updates.tsx'
import { useSiteName } from '#web/features/site/site.ts'
import { useAccountLanguage } from '#web/features/site/use-account-language.ts'
import banglaName from '#web/fonts/bangla-name.woff2?url'
import figtree from '#web/fonts/figtree-ascii.woff2?url'
import { onProofRequired } from '#web/lib/api.ts'
import { WAIT_FOR_BANGLA_FONT } from '#web/lib/bangla-font.ts'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { LOCALE, pagePath } from '#web/lib/locale.ts'
import { pageName } from '#web/lib/meta.ts'
import { prefetchOnIntent } from '#web/lib/prefetch.ts'
import { queryClient } from '#web/lib/queries.ts'
import { onSecondAttempt } from '#web/lib/second-attempt.ts'
import { SessionProvider } from '#web/lib/session.tsx'
import { cssVariables, theme } from '#web/theme.ts'
import { DialogHost } from '#web/ui/dialogs.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FullPageLoader, NeedsJavaScript } from '#web/ui/full-page-loader.tsx'
import { NavigationProgress } from '#web/ui/navigation-progress.tsx'
import { ToastHost } from '#web/ui/toasts.tsx'
import type { Route } from './+types/root'

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: pagePath('/manifest.webmanifest') },
]

/**
 * Marks the document of a user who was signed in before, until the session is known (web/app.css), and of one who saves
 * data or whose network is slow; all others preload the font (docs/decisions/0073-data-saver.md).
 */
const BEFORE_FIRST_PAINT = `{const d=document.documentElement.dataset
try{if(localStorage.getItem('returning'))d.returning=''}catch{}
const c=navigator.connection
if(c?.saveData||/2g|3g/.test(c?.effectiveType))d.saveData=''
else document.head.insertAdjacentHTML('beforeend','<link rel=preload as=font crossorigin href=${figtree}>')}`

/** The client of a build keeps the variables of the page (scripts/build/mantine-styles.ts). */
const VARIABLES = import.meta.env?.SSR || import.meta.env?.DEV ? cssVariables : undefined

/** English pages write the name of Bangla in 1 KB at most, instead of the font for texts in it. */
const FONT_OF_BANGLA_NAME = `@font-face{font-family:'Bangla Name';font-display:swap;
src:local('Noto Sans Bengali'),local('Nirmala UI'),url(${banglaName})}
html:not([data-save-data]) a[lang=bn]{font-family:'Bangla Name',sans-serif}`

/**
 * Reloads the page when a script or stylesheet fails to load before hydration (network failure or a deployment), up to
 * five times with exponential backoff. A page with a form that the user began to fill in is left as it is: the form works
 * without scripts (docs/decisions/0024-forms-before-scripts.md).
 */
const RETRY_PAGE_LOAD = `(()=>{
const reload=()=>{
for(const f of document.forms)for(const e of f.elements)if(e.value!==(e.defaultValue??e.value))return
location.reload()
}
const retry=()=>{
const d=document.documentElement.dataset,n=+sessionStorage.retries||0
if('ready'in d||'retrying'in d||n>4)return
d.retrying=''
sessionStorage.retries=n+1
setTimeout(()=>{if(navigator.onLine)reload();else addEventListener('online',reload)},1000<<n)
}
addEventListener('error',({target:t})=>{if(t.tagName==='SCRIPT'||t.rel==='stylesheet')retry()},true)
addEventListener('unhandledrejection',({reason:r})=>{if(/module/i.test(r))retry()})
})()`

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang={LOCALE} {...mantineHtmlProps}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e1412" media="(prefers-color-scheme: dark)" />
        <ColorSchemeScript defaultColorScheme="auto" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file */}
        <script dangerouslySetInnerHTML={{ __html: BEFORE_FIRST_PAINT }} />
        {LOCALE === 'bn' && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of the app
          <script dangerouslySetInnerHTML={{ __html: WAIT_FOR_BANGLA_FONT }} />
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file */}
        <script dangerouslySetInnerHTML={{ __html: RETRY_PAGE_LOAD }} />
        <meta property="og:site_name" content={pageName} />
        <Meta />
        {LOCALE === DEFAULT_LOCALE && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
          <style dangerouslySetInnerHTML={{ __html: FONT_OF_BANGLA_NAME }} />
        )}
        <Links />
      </head>
      <body>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={VARIABLES}
          withGlobalClasses={false}
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

const loadStepUp = () => import('#web/features/auth/step-up.tsx')
onProofRequired(async () => (await loadChunk(loadStepUp)).proveIdentity())
const loadSecondAttempt = () => import('#web/features/coins/second-attempt.tsx')
onSecondAttempt(async () => (await loadChunk(loadSecondAttempt)).askForSecondAttempt())

export default function App() {
  // Hydration is done. The browser tests wait for this mark.
  useEffect(() => {
    document.documentElement.dataset.ready = ''
    sessionStorage.removeItem('retries')
    nameStylesInPage()
    return prefetchOnIntent()
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Outlet />
        <AccountLanguage />
        <LiveUpdates />
        <DialogHost />
        <ToastHost />
        <NavigationProgress />
      </SessionProvider>
    </QueryClientProvider>
  )
}

/**
 * React Router adds a # to the URL of styles that code loaded later needs too, and that code looks for them without it: styles that are
 * in the page (scripts/build/postbuild.ts) would be loaded a second time.
 */
function nameStylesInPage(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-href$="#"]')) {
    const copy = link.cloneNode() as HTMLLinkElement
    delete copy.dataset.href
    copy.setAttribute('href', link.dataset.href?.replace(/#$/, '') ?? '')
    document.head.append(copy)
  }
}

function AccountLanguage() {
  useAccountLanguage()
  return null
}

/** Renders the loading state of pages that are not prerendered (docs/specification/screens.md). */
export function HydrateFallback() {
  return (
    <>
      <title>{useSiteName()}</title>
      <FullPageLoader>{t`Loading your experience...`}</FullPageLoader>
      <NeedsJavaScript />
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = isRouteErrorResponse(error) && error.status === 404
  return (
    <main className="page max-w-xl py-20">
      <title>{useSiteName()}</title>
      <ErrorState
        title={missing ? t`Page not found` : t`Something went wrong`}
        message={t`Reload the page, or go back to the home page.`}
        retry={() => location.reload()}
      />
    </main>
  )
}
