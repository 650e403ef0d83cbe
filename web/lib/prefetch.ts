import { matchPath } from 'react-router'
import { splitLocale } from '#contract/locales.ts'
import { LOCALE } from '#web/lib/locale.ts'

/** A route in the framework's manifest, which is a global of the page. */
export type Route = {
  parentId?: string
  path?: string
  index?: boolean
  module: string
  imports?: string[]
  css?: string[]
}
declare global {
  interface Window {
    __reactRouterManifest?: { routes: Record<string, Route>; version?: string }
  }
}

/**
 * Prefetches the code of a route without running it, so that the route opens at once and also offline. React Router's
 * own prefetching imports the modules, and when that fails it reloads the page that the user is on (docs/decisions/0009-prefetch.md).
 */
export function prefetchRoute(pathname: string): void {
  const routes = window.__reactRouterManifest?.routes ?? {}
  let route = Object.values(routes).find((candidate) => matches(candidate, pathname))
  while (route) {
    for (const href of [route.module, ...(route.imports ?? [])]) hint('modulepreload', href)
    // React Router adds a # to the URL of styles that code loaded later needs too.
    for (const href of route.css ?? []) hint('prefetch', href.replace(/#$/, ''), 'style')
    route = route.parentId === undefined ? undefined : routes[route.parentId]
  }
}

type Connection = { saveData?: boolean; effectiveType?: string }

function connection(): Connection | undefined {
  return (navigator as { connection?: Connection }).connection
}

/** Returns whether the user has asked the browser to save data (docs/decisions/0073-data-saver.md). */
export function savesData(): boolean {
  return connection()?.saveData === true
}

/** Prefetches a route when its link is hovered, touched or focused. Returns a function that removes the listeners. */
export function prefetchOnIntent(): () => void {
  const listen = ({ target }: Event) => {
    if (savesData()) return
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
    const { locale, path } = splitLocale(link?.pathname ?? '')
    if (link && locale === LOCALE) prefetchRoute(path)
  }
  const events = ['pointerover', 'focusin', 'touchstart']
  for (const event of events) document.addEventListener(event, listen, { passive: true })
  return () => {
    for (const event of events) document.removeEventListener(event, listen)
  }
}

/**
 * Returns whether the network is slow, or a user has asked the browser to save data: then nothing is loaded that the screen
 * does not need (docs/decisions/0073-data-saver.md). Browsers estimate the network as 3g below some 700 kbit/s.
 */
function isSlow(): boolean {
  return savesData() || /2g|3g/.test(connection()?.effectiveType ?? '')
}

/**
 * Runs each of `works` when the browser is idle, one in a slice, so that it can respond between them; nothing on a slow network.
 * Returns a cancel function.
 */
export function whenIdle(...works: (() => void)[]): () => void {
  if (isSlow()) return () => {}
  let idle = 0
  const runNext = () => {
    works.shift()?.()
    if (works.length > 0) schedule()
  }
  const schedule = () => {
    if ('requestIdleCallback' in window) idle = requestIdleCallback(runNext)
    else runNext()
  }
  const timer = setTimeout(schedule, 1500)
  return () => {
    clearTimeout(timer)
    if (idle !== 0) cancelIdleCallback(idle)
  }
}

function matches({ path, index }: Route, pathname: string): boolean {
  if (!path) return index === true && pathname === '/'
  return !path.endsWith('*') && matchPath(path, pathname) !== null
}

function hint(rel: 'modulepreload' | 'prefetch', href: string, as?: string): void {
  if (document.querySelector(`link[href="${href}"], link[href="${href}#"]`)) return
  const link = document.createElement('link')
  link.rel = rel
  link.href = href
  if (as) link.as = as
  document.head.append(link)
}
