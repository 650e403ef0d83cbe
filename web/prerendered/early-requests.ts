/*
 * The inline script of the page that starts the app on every screen that is not prerendered. It requests at once what the
 * app requests only when its scripts run: the code of the screen, and on the dashboard the ID token and the user's record
 * (docs/decisions/0096-slow-phones.md). scripts/build/postbuild.ts builds it for each language. The list of screens is the
 * router's own, which is in the page too.
 */

import type { EarlyResponses } from '#web/lib/early-responses.ts'
import { claimsOf } from '#web/lib/id-token-claims.ts'
import { PROVIDER_SIGN_IN_KEY } from '#web/lib/last-session.ts'
import type { Route } from '#web/lib/prefetch.ts'

/** The URLs of the ID token and, followed by the email, of the user's record. */
declare const __TOKEN_URL__: string
declare const __USER_URL__: string
/** The start of all paths in the language of the page: empty in English. */
declare const __BASE__: string

const responses: EarlyResponses = new Map()
window.earlyResponses = responses

async function requestSession(): Promise<Response> {
  const response = await fetch(__TOKEN_URL__, { method: 'POST' })
  // Who comes back from a provider may not be registered yet.
  if (response.status === 200 && sessionStorage.getItem(PROVIDER_SIGN_IN_KEY) === null) {
    const { token } = (await response.clone().json()) as { token: string }
    const headers = { authorization: `Bearer ${token}`, 'accept-language': document.documentElement.lang }
    request(__USER_URL__ + encodeURIComponent(String(claimsOf(token).email)), (url) =>
      fetch(url, { headers }),
    )
  }
  return response
}

/** Keeps the response for the app, which handles a failure when it takes it. */
function request(url: string, send: (url: string) => Promise<Response>): void {
  const response = send(url)
  response.catch(() => {})
  responses.set(url, response)
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

if (location.pathname.startsWith(`${__BASE__}/dashboard`)) request(__TOKEN_URL__, requestSession)
const { routes = {} } = window.__reactRouterManifest ?? {}
let route = Object.values(routes).find(isShown)
while (route) {
  for (const file of [route.module, ...(route.imports ?? []), ...(route.css ?? [])]) preload(file)
  route = routes[route.parentId ?? '']
}
