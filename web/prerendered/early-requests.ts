/*
 * The inline script of the page that starts the app on every screen that is not prerendered. It requests at once what the
 * app requests only when its scripts run: the code of the screen, and on the dashboard the ID token and the user's record
 * (docs/decisions/0096-slow-phones.md). scripts/build/postbuild.ts builds it for each language.
 */

import type { EarlyResponses } from '#web/lib/early-responses.ts'
import { claimsOf } from '#web/lib/id-token-claims.ts'
import { PROVIDER_SIGN_IN_KEY } from '#web/lib/last-session.ts'

/** The paths of each screen, as a regular expression, and the places of its files in `__FILES__`. */
declare const __SCREENS__: [paths: string, files: number[]][]
declare const __FILES__: string[]
/** The URLs of the ID token and, followed by the email, of the user's record. */
declare const __TOKEN_URL__: string
declare const __USER_URL__: string
/** The start of the dashboard's paths in the language of the page. */
declare const __DASHBOARD__: string

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

function preload(href: string): void {
  const isStyle = href.endsWith('.css')
  const link = document.createElement('link')
  link.rel = isStyle ? 'preload' : 'modulepreload'
  if (isStyle) link.as = 'style'
  link.href = href
  document.head.append(link)
}

const { pathname } = location
if (pathname.startsWith(__DASHBOARD__)) request(__TOKEN_URL__, requestSession)
const screen = __SCREENS__.find(([paths]) => new RegExp(paths, 'i').test(pathname))
for (const file of screen?.[1] ?? []) preload(__FILES__[file] ?? '')
