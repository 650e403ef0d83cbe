import { type Locale, localePath } from '#contract/locales.ts'
import type { Route } from '#web/lib/prefetch.ts'
import type { Screen } from '#web/service-worker/screens.ts'

/** The routes of the framework's manifest by their ids. */
export type Routes = Record<string, Route>

/** Returns the screens with their files, without those of `shell`. */
export function screensOf(locale: Locale, routes: Routes, shell: ReadonlySet<string>): Screen[] {
  return Object.entries(routes)
    .filter(([, { path, index }]) => index || (path && !path.endsWith('*')))
    .map(([id, { path = '' }]) => ({
      paths: `^${localePath(locale, `/${path}`).replace(/:\w+/g, '[^/]+')}/?$`,
      files: filesOf(routes, id).filter((file) => !shell.has(file)),
    }))
}

/** Returns the files of a route and of the layouts around it. */
export function filesOf(routes: Routes, id: string): string[] {
  const files: string[] = []
  for (let route = routes[id]; route; route = routes[route.parentId ?? ''])
    files.push(route.module, ...(route.imports ?? []), ...(route.css ?? []))
  return [...new Set(files.map((file) => file.replace(/#$/, '')))]
}

export const HOME = 'routes/dashboard/profile'

/** The screens that are prerendered, and their routes (docs/decisions/0105-prerendered-dashboard.md). */
export const PRERENDERED_SCREENS = {
  '/dashboard': HOME,
  '/dashboard/available-task': 'routes/dashboard/available-task',
}

/** Returns the scripts of a route and of the layouts around it, each after those that it imports. */
export function scriptsInOrder(routes: Routes, id: string): string[] {
  const route = routes[id]
  if (route === undefined) return []
  const before = route.parentId === undefined ? [] : scriptsInOrder(routes, route.parentId)
  return [...new Set([...before, ...(route.imports ?? []), route.module])]
}
