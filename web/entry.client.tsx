import { StrictMode, startTransition, useLayoutEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import {
  type DataRouter,
  type UNSAFE_AssetsManifest,
  UNSAFE_createBrowserHistory,
  UNSAFE_FrameworkContext,
  type UNSAFE_RouteModules,
} from 'react-router'
import { HydratedRouter, RouterProvider } from 'react-router/dom'
import { createAppRouter } from '#web/lib/app-router.ts'
import { type ManifestRoute, type RouteModule, routesOf } from '#web/lib/route-modules.tsx'

/* Globals that the framework writes into every page. */
declare const __reactRouterManifest: UNSAFE_AssetsManifest & { routes: Record<string, ManifestRoute> }
declare const __reactRouterRouteModules: UNSAFE_RouteModules & Record<string, RouteModule>
declare const __reactRouterContext: {
  basename?: string
  isSpaMode: boolean
  future: Record<string, never>
  routeDiscovery: { mode: 'initial'; manifestPath: string }
}

/** Renders the app in a page that the framework has rendered: the one of its URL, or the one that stands for all screens. */
function App({ router }: { router: DataRouter }) {
  useLayoutEffect(() => {
    router.initialize()
    return () => router.dispose()
  }, [router])
  const { isSpaMode, future, routeDiscovery } = __reactRouterContext
  const context = {
    manifest: __reactRouterManifest,
    routeModules: __reactRouterRouteModules,
    future,
    ssr: false,
    isSpaMode,
    routeDiscovery,
  }
  // Two children, as `ServerRouter` has: ids of elements depend on it.
  return (
    <>
      <UNSAFE_FrameworkContext.Provider value={context}>
        <RouterProvider router={router} />
      </UNSAFE_FrameworkContext.Provider>
      {null}
    </>
  )
}

function createRouter(): DataRouter {
  const { basename, isSpaMode } = __reactRouterContext
  return createAppRouter({
    routes: routesOf(__reactRouterManifest.routes, __reactRouterRouteModules),
    history: UNSAFE_createBrowserHistory(),
    basename,
    isPrerendered: !isSpaMode,
  })
}

// While developing, the framework's own router replaces the modules of routes that change.
const app = import.meta.env.DEV ? <HydratedRouter /> : <App router={createRouter()} />
startTransition(() => {
  hydrateRoot(document, <StrictMode>{app}</StrictMode>)
})
