import { clientsClaim } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkOnly } from 'workbox-strategies'
import { filesOfScreen, type Screen } from './screens.ts'

/** Set by scripts/build/service-worker.ts. */
declare const __PRECACHE__: { url: string; revision: string | null }[]
declare const __SCREENS__: Screen[]
/** The pages of this build's language: the one that starts the app, and the one of screens that are not on the device. */
declare const __SHELL__: string
declare const __OFFLINE_PAGE__: string

const NETWORK_TIMEOUT_SECONDS = 10
const ASSETS_MAX = 400

/*
 * Pages come from the network; while there is none, the shell of this build is used for the screens whose code is on the
 * device. Requests of the API are not touched, so that no cache here holds a user's data (docs/decisions/0074-offline.md).
 */
precacheAndRoute(__PRECACHE__)

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({
    cacheName: 'assets',
    plugins: [new ExpirationPlugin({ maxEntries: ASSETS_MAX, purgeOnQuotaError: true })],
  }),
)

const network = new NetworkOnly({ networkTimeoutSeconds: NETWORK_TIMEOUT_SECONDS })
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin && request.mode === 'navigate' && filesOfScreen(__SCREENS__, url.pathname) !== undefined,
  async ({ request, event, url }) => {
    try {
      return await network.handle({ request, event })
    } catch {
      const page = (await isOnDevice(url.pathname)) ? __SHELL__ : __OFFLINE_PAGE__
      return (await matchPrecache(page)) ?? Response.error()
    }
  },
)

/** Returns whether all code of a screen is cached. Without it the router would reload the page for ever. */
async function isOnDevice(pathname: string): Promise<boolean> {
  const files = filesOfScreen(__SCREENS__, pathname) ?? []
  const cached = await Promise.all(files.map((file) => caches.match(file)))
  return !cached.includes(undefined)
}

// Without this, Chromium may race a page's request against this worker, and show the network's error when that is first.
addEventListener('install', (event) => {
  const { addRoutes } = event as Event & { addRoutes?: (rules: object[]) => Promise<void> }
  void addRoutes?.call(event, [{ condition: { requestMode: 'navigate' }, source: 'fetch-event' }])
})

// A new build takes over at once: what it changes is only which shell is used offline.
void (self as unknown as { skipWaiting(): Promise<void> }).skipWaiting()
clientsClaim()
