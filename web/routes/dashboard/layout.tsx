import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useMatches } from 'react-router'
import type { Role } from '#contract/endpoint.ts'
import { siteInfo } from '#web/content/site-info.en.ts'
import { registerServiceWorker } from '#web/features/offline/register-service-worker.ts'
import { useOfflineData } from '#web/features/offline/use-offline-data.ts'
import { useDeviceNotifications } from '#web/features/push/use-device-notifications.ts'
import { hasStoredDecisions } from '#web/features/review/decision-store.ts'
import { DashboardShortcuts } from '#web/features/shortcuts/dashboard-shortcuts.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { DashboardHeader } from '#web/features/site/dashboard-header.tsx'
import { Forbidden } from '#web/features/site/forbidden.tsx'
import { LanguageOffer } from '#web/features/site/language-offer.tsx'
import { DrawerUser, Sidebar } from '#web/features/site/sidebar.tsx'
import { linksOf } from '#web/features/site/sidebar-links.ts'
import { useSiteName } from '#web/features/site/site.ts'
import { UnsentNotice } from '#web/features/submissions/unsent-notice.tsx'
import { ProfileScreen } from '#web/features/users/profile-screen.tsx'
import { formatBadge, useWaitingCounts } from '#web/features/waiting/use-waiting.ts'
import { acceptBanglaDigits } from '#web/lib/bangla-digits.ts'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'
import { dropEarlyResponses } from '#web/lib/early-responses.ts'
import { prefetchRoute, whenIdle } from '#web/lib/prefetch.ts'
import { useSession } from '#web/lib/session.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { prefetchDialogs } from '#web/ui/dialogs.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FullPageLoader, NeedsJavaScript, PageLoader } from '#web/ui/full-page-loader.tsx'
import { IconX } from '#web/ui/icons.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { MainContent } from '#web/ui/main-content.tsx'
import { ModalPanel } from '#web/ui/modal-panel.tsx'
import { TabTitle } from '#web/ui/screen.tsx'
import { ScreenSkeleton } from '#web/ui/skeleton.tsx'
import { SkipLink } from '#web/ui/skip-link.tsx'
import { prefetchToasts } from '#web/ui/toasts.tsx'

const CompleteProfile = lazyComponent(() => import('#web/features/auth/complete-profile.tsx'))

/**
 * Restricts a route to roles: `export const handle: ScreenHandle = { roles: ['Buyer'] }`. A screen with `rendersBeforeUser` is
 * prerendered, is rendered until the user is known too, and does not suspend.
 */
export type ScreenHandle = { roles: readonly Role[]; rendersBeforeUser?: true }

/**
 * Renders the layout of every dashboard screen. It renders screens only for a registered user, and handles the loading
 * and error states of their data, so that screens render only the loaded state. Until the user is known it renders what
 * does not depend on them, which is also what is prerendered (docs/decisions/0105-prerendered-dashboard.md). A screen for other
 * roles is replaced by a notice; the server enforces access in any case.
 */
export default function DashboardLayout() {
  const { user, userData, loading, signOuts, refetchUser, refetchUserIfStale } = useSession()
  const location = useLocation()
  const siteName = useSiteName()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [signOutsBefore] = useState(signOuts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a known user opens the dashboard
  useEffect(() => {
    if (user) refetchUserIfStale()
  }, [])

  const role = userData?.role
  const { total, byScreen } = useWaitingCounts(role)
  useEffect(() => role && whenIdle(...prefetchesOf(role)), [role])

  const userId = userData?._id
  useEffect(() => {
    if (userId === undefined) return
    const resume = () => {
      if (!hasStoredDecisions(userId)) return
      void loadChunkWithRetry(() => import('#web/features/review/use-decision-queue.ts')).then(
        ({ resumeDecisions }) => resumeDecisions(userId),
      )
    }
    resume()
    addEventListener('online', resume)
    return () => removeEventListener('online', resume)
  }, [userId])

  const email = userData?.email
  const isRestored = useOfflineData(email)
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isRestored) void registerServiceWorker(queryClient)
  }, [isRestored, queryClient])
  useDeviceNotifications(userId)
  useEffect(acceptBanglaDigits, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next screen loads what is current
  useEffect(() => dropEarlyResponses, [location.pathname])

  const handle = useMatches()
    .map((match) => match.handle as ScreenHandle | undefined)
    .findLast((candidate) => candidate !== undefined)
  const isLoading = loading || (email !== undefined && !isRestored)
  // Screens are rendered in slices, so that the browser can respond between them.
  const isShown = useDeferredValue(!isLoading && Boolean(userData))
  if (!isLoading && user === null) {
    // Who signs in after a sign-out may be somebody else, and did not ask for this screen.
    const from = signOuts === signOutsBefore ? location : undefined
    return <Navigate to="/login" replace state={{ from }} />
  }
  if (!isLoading && userData === null) {
    return (
      <main>
        <Suspense fallback={<FullPageLoader>{t`Loading your experience...`}</FullPageLoader>}>
          <CompleteProfile />
        </Suspense>
      </main>
    )
  }
  if (!isLoading && userData === undefined) {
    return (
      <main className="page max-w-xl py-20">
        <ErrorState
          message={t`Your account could not be loaded. Check your connection and try again.`}
          retry={() => void refetchUser()}
        />
      </main>
    )
  }

  const shown = isShown && !isLoading ? (userData ?? null) : null
  // A boundary that changes before it is hydrated is rendered again, and what was typed in it is lost.
  const Boundary = handle?.rendersBeforeUser ? Fragment : ScreenBoundary
  const isScreenShown = shown !== null || handle?.rendersBeforeUser
  return (
    <div className="min-h-dvh bg-canvas">
      <meta name="description" content={siteInfo.tagline} />
      <SkipLink />
      <DashboardHeader user={shown} openMenu={() => setIsMenuOpen(true)} />
      {shown && <DashboardShortcuts role={shown.role} />}
      <div className="lg:grid lg:grid-cols-[max(256px,min(16rem,28vw))_minmax(0,1fr)]">
        <aside className="sticky top-[68px] hidden h-[calc(100dvh-68px)] overflow-y-auto border-r border-line bg-surface p-3 lg:block">
          {shown && <Sidebar user={shown} counts={byScreen} />}
        </aside>
        {shown && (
          <ModalPanel label={t`Menu`} opened={isMenuOpen} onClose={() => setIsMenuOpen(false)}>
            <div className="flex min-h-full flex-col p-4">
              <div className="mb-4 flex items-center justify-between">
                <Brand />
                <IconButton data-variant="subtle" label={t`Close`} onClick={() => setIsMenuOpen(false)}>
                  <IconX size={20} aria-hidden />
                </IconButton>
              </div>
              <DrawerUser user={shown} />
              <div className="flex flex-1 flex-col">
                <Sidebar user={shown} counts={byScreen} onNavigate={() => setIsMenuOpen(false)} />
              </div>
            </div>
          </ModalPanel>
        )}
        <MainContent className="min-w-0 px-4 py-6 sm:px-6 lg:p-8">
          {isScreenShown ? (
            <>
              {shown && <UnsentNotice userId={shown._id} />}
              <ErrorBoundary key={location.pathname}>
                <Boundary>
                  <TabTitle value={`${total === 0 ? '' : `(${formatBadge(total)}) `}%s · ${siteName}`}>
                    {shown && handle && !handle.roles.includes(shown.role) ? (
                      <Forbidden roles={handle.roles} role={shown.role} />
                    ) : (
                      <Outlet />
                    )}
                  </TabTitle>
                </Boundary>
              </ErrorBoundary>
              {shown === null && <NeedsJavaScript />}
            </>
          ) : (
            <LoadingScreen />
          )}
        </MainContent>
      </div>
      <LanguageOffer />
    </div>
  )
}

function ScreenBoundary({ children }: { children: ReactNode }) {
  return <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
}

/** Renders what is known of a screen before its user is: the heading of the one that is prerendered. */
function LoadingScreen() {
  const loader = (
    <>
      <PageLoader>{t`Loading your experience...`}</PageLoader>
      <NeedsJavaScript />
    </>
  )
  const { pathname } = useLocation()
  return /^\/dashboard\/?$/.test(pathname) ? <ProfileScreen>{loader}</ProfileScreen> : loader
}

/** Returns what prefetches the role's screens, dialogs and toasts, so that they open at once and also offline. */
function prefetchesOf(role: Role): (() => void)[] {
  const screens = linksOf(role).map(({ to }) => to)
  if (role === 'Worker') screens.push('/dashboard/task-details/:id')
  if (role === 'Buyer') screens.push('/dashboard/update-task/:id')
  return [...screens.map((path) => () => prefetchRoute(path)), prefetchDialogs, prefetchToasts]
}
