/*
 * The inline script of the pages that start the app on its screens. It requests at once what the app requests only when its
 * scripts run: on the dashboard the ID token, the user's record and what the layout, the user's home and the list of tasks show, and on
 * screens that are not prerendered, or on a slow network, their code (docs/decisions/0096-slow-phones.md). scripts/build/postbuild.ts builds it for each
 * language. The list of screens is the router's own, which is in the page too.
 */

import type { Role } from '#contract/endpoint.ts'
import type { EarlyResponses } from '#web/lib/early-responses.ts'
import { claimsOf } from '#web/lib/id-token-claims.ts'
import { PROVIDER_SIGN_IN_KEY, readLastSession } from '#web/lib/last-session.ts'
import type { Route } from '#web/lib/prefetch.ts'

/** The URLs of the ID token, of the configuration, and of what waits for the user. */
declare const __TOKEN_URL__: string
declare const __SITE_URL__: string
declare const __WAITING_URL__: string
/** The URLs of the user's record and notifications, with `@` for the email. */
declare const __USER_URL__: string
declare const __NOTIFICATIONS_URL__: string
/** The URL of the totals that the home of a role shows. An Admin's are requested by a part that is loaded later. */
declare const __STATS_URLS__: Partial<Record<Role, string>>
/** The URLs of a worker's tasks, of those that they see before others, and of what belongs to each of them. */
declare const __TASKS_URL__: string
declare const __FAVOURITES_URL__: string
declare const __TASK_STATES_URLS__: string[]
/** The scripts of a screen that is prerendered. */
declare const __SCRIPTS__: string[]
/** The start of all paths in the language of the page: empty in English. */
declare const __BASE__: string

const DASHBOARD = `${__BASE__}/dashboard`
const path = location.pathname.replace(/\/$/, '')
const isHome = path === DASHBOARD
const responses: EarlyResponses = new Map()
window.earlyResponses = responses

/** Requests the ID token, and with it the user's record and what is shown of them. */
async function requestSession(): Promise<Response> {
  const response = await fetch(__TOKEN_URL__, { method: 'POST' })
  // Who comes back from a provider may not be registered yet.
  if (response.status !== 200 || sessionStorage.getItem(PROVIDER_SIGN_IN_KEY) !== null) return response
  const { token } = (await response.clone().json()) as { token: string }
  const email = String(claimsOf(token).email)
  const headers = { authorization: `Bearer ${token}`, 'accept-language': document.documentElement.lang }
  // The app gets a response after `before`, which may request what the app requests then.
  const get = <Body>(url: string, before?: (body: Body) => unknown) =>
    request(
      url.replace('@', () => encodeURIComponent(email)),
      async (url) => {
        const response = await fetch(url, { headers })
        if (before && response.ok)
          await response
            .clone()
            .json()
            .then(before)
            .catch(() => {})
        return response
      },
    )
  const tasksUrl = showsNewestTasks() ? __TASKS_URL__ : undefined
  const getShown = (role: Role) => {
    void get(__WAITING_URL__)
    void get(__NOTIFICATIONS_URL__)
    const stats = isHome ? __STATS_URLS__[role] : undefined
    if (stats) void get(stats)
    if (tasksUrl && role === 'Worker') void get(__FAVOURITES_URL__)
  }
  const last = readLastSession()
  if (last?.userData && last.user.email === email) {
    // The app starts with this user and does not wait for the record. It requests the states for the list that it has saved.
    void get(__USER_URL__)
    if (tasksUrl) void get(tasksUrl)
    getShown(last.userData.role)
    return response
  }
  let isWorker = false
  const record = get(__USER_URL__, ({ role }: { role: Role }) => {
    isWorker = role === 'Worker'
    getShown(role)
  })
  if (tasksUrl)
    void get(tasksUrl, async (tasks: { _id: string }[]) => {
      await record
      if (!isWorker || tasks.length === 0) return
      const query = new URLSearchParams({ tasks: tasks.map(({ _id }) => _id).join() })
      for (const url of __TASK_STATES_URLS__) void get(`${url}?${query}`)
    })
  return response
}

/** Returns whether the screen is the list of tasks as it is without a filter (web/features/tasks/task-filter.tsx). */
function showsNewestTasks(): boolean {
  const sort = localStorage.getItem('preference task-sort') ?? 'newest'
  return path === `${DASHBOARD}/available-task` && location.search === '' && sort === 'newest'
}

/** Returns whether the browser estimates the network as slow (web/lib/prefetch.ts). */
function isSlow(): boolean {
  const { connection } = navigator as { connection?: { effectiveType?: string } }
  return /2g|3g/.test(connection?.effectiveType ?? '')
}

/** Keeps the response for the app, which handles a failure when it takes it. */
function request(url: string, send: (url: string) => Promise<Response>): Promise<Response> {
  const response = send(url)
  response.catch(() => {})
  responses.set(url, response)
  return response
}

/** Returns whether a route is the screen at the path of the page. */
function isShown({ path = '', index }: Route): boolean {
  if (!index && (path === '' || path.endsWith('*'))) return false
  const pattern = path.replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${__BASE__}/${pattern}/?$`, 'i').test(location.pathname)
}

function preload(file: string): void {
  // React Router adds a # to the URL of styles that code loaded later needs too.
  const href = file.replace(/#$/, '')
  if (document.querySelector(`link[href^="${href}"]`)) return
  const isStyle = href.endsWith('.css')
  const link = document.createElement('link')
  link.rel = isStyle ? 'preload' : 'modulepreload'
  if (isStyle) link.as = 'style'
  link.href = href
  document.head.append(link)
}

if (location.pathname.startsWith(DASHBOARD)) {
  void request(__TOKEN_URL__, requestSession)
  void request(__SITE_URL__, (url) => fetch(url))
}
// On a slow network the scripts of a prerendered screen are on their way while its page arrives.
if (isSlow()) for (const file of __SCRIPTS__) preload(file)
const { routes = {} } = window.__reactRouterManifest ?? {}
// The page has the styles of the root in it.
const stylesInPage = new Set(routes.root?.css)
let route = Object.values(routes).find(isShown)
while (route) {
  const styles = (route.css ?? []).filter((file) => !stylesInPage.has(file))
  for (const file of [route.module, ...(route.imports ?? []), ...styles]) preload(file)
  route = routes[route.parentId ?? '']
}
