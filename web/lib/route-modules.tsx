import type { ComponentType, ReactNode } from 'react'
import type { RouteObject } from 'react-router'
import type { Route } from '#web/lib/prefetch.ts'

/** A route of the framework's manifest. */
export type ManifestRoute = Route & { clientLoaderModule?: string }
/** What the file of a route exports. */
export type RouteModule = {
  default?: ComponentType
  handle?: unknown
  clientLoader?: (input: unknown) => unknown
  Layout?: ComponentType<{ children: ReactNode }>
  ErrorBoundary?: ComponentType
  HydrateFallback?: ComponentType
}
type Modules = Record<string, RouteModule | undefined>

/** Returns the routes of the app. Those whose module is not in `modules` load it and add it there, where `Links` and `Meta` read it. */
export function routesOf(manifest: Record<string, ManifestRoute>, modules: Modules): RouteObject[] {
  const childrenOf = (parentId: string | undefined): RouteObject[] =>
    Object.entries(manifest)
      .filter(([, route]) => route.parentId === parentId)
      .map(([id, route]) => {
        const module = modules[id]
        const { path } = route
        const load = async () => {
          const loaded = await loadModule(route)
          modules[id] = loaded
          return partsOf(loaded)
        }
        const parts = module ? partsOf(module) : { loader: loaderOf(route), lazy: load }
        if (route.index) return { id, path, index: true, ...parts }
        return { id, path, children: childrenOf(id), ...parts }
      })
  return childrenOf(undefined)
}

/** Returns a route's parts. Only the root has a layout, which also surrounds its error and the page that loads. */
function partsOf({
  default: Screen,
  handle,
  clientLoader,
  Layout,
  ErrorBoundary,
  HydrateFallback,
}: RouteModule) {
  if (!Layout) return { Component: Screen, handle, loader: clientLoader }
  const within = (Part?: ComponentType) =>
    Part && (
      <Layout>
        <Part />
      </Layout>
    )
  return {
    element: within(Screen),
    errorElement: within(ErrorBoundary),
    hydrateFallbackElement: within(HydrateFallback),
  }
}

function loaderOf({ clientLoaderModule }: ManifestRoute) {
  if (clientLoaderModule === undefined) return undefined
  return async (input: unknown) =>
    ((await importOrReload(clientLoaderModule)) as RouteModule).clientLoader?.(input)
}

async function loadModule({ module, css = [] }: ManifestRoute): Promise<RouteModule> {
  const [loaded] = await Promise.all([importOrReload(module), ...css.map(loadStyles)])
  return loaded as RouteModule
}

/** Imports a module. After a deployment it may be missing: then the page is loaded again, and the app continues where it was going. */
async function importOrReload(url: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ url)
  } catch (error) {
    console.error(`${url} could not be loaded, reloading the page`, error)
    location.reload()
    return new Promise(() => {})
  }
}

/** Loads styles before the screen that needs them. `Links` then renders the element that keeps them. */
async function loadStyles(href: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  await new Promise((resolve) => {
    link.onload = resolve
    link.onerror = resolve
    document.head.append(link)
  })
  link.remove()
}
