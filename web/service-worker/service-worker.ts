import { clientsClaim } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { addPlugins, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkOnly } from 'workbox-strategies'
import { filesOfScreen, type Screen } from './screens.ts'

/** Set by scripts/build/service-worker.ts. */
declare const __PRECACHE__: { url: string; revision: string | null }[]
declare const __REVISION__: string
declare const __REVISION_HEADER__: string
declare const __SCREENS__: Screen[]
/** The pages of this build's language: the one that starts the app, and the one of screens that are not on the device. */
declare const __SHELL__: string
declare const __OFFLINE_PAGE__: string
/** The start of the dashboard's paths in this language. */
declare const __DASHBOARD__: string

const NETWORK_TIMEOUT_SECONDS = 10
const ASSETS_MAX = 400

/*
 * Screens of the dashboard whose code is on the device start from the shell of this build, except when a page is reloaded; a new build
 * installs its own meanwhile (docs/decisions/0096-slow-phones.md). Other pages come from the network; while there is none, the shell
 * is used for the screens whose code is on the device. Requests of the API are not touched, so that no cache here holds a user's
 * data (docs/decisions/0074-offline.md).
 */
precacheAndRoute(__PRECACHE__)

// During an upgrade an instance of the other version may send a page: the installation fails, and the browser tries it later.
addPlugins([
  {
    cacheWillUpdate: async ({ request: { url }, response }) => {
      const isOfRevision =
        !url.endsWith('.html') || response.headers.get(__REVISION_HEADER__) === __REVISION__
      return response.ok && isOfRevision ? response : null
    },
  },
])

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
    const shell = startsFromShell(request, url) && (await isOnDevice(url.pathname))
    const kept = shell ? await matchPrecache(__SHELL__) : undefined
    if (kept) return kept
    try {
      return await network.handle({ request, event })
    } catch {
      const page = (await isOnDevice(url.pathname)) ? __SHELL__ : __OFFLINE_PAGE__
      return (await matchPrecache(page)) ?? Response.error()
    }
  },
)

/** A reload asks for the current page, also where the framework reloads it because a script of this build no longer exists. */
function startsFromShell({ cache }: Request, { pathname }: URL): boolean {
  return pathname.startsWith(__DASHBOARD__) && cache !== 'no-cache' && cache !== 'reload'
}

/** Returns whether all code of a screen is cached. Without it the router would reload the page for ever. */
async function isOnDevice(pathname: string): Promise<boolean> {
  const files = filesOfScreen(__SCREENS__, pathname) ?? []
  const cached = await Promise.all(files.map((file) => caches.match(file)))
  return !cached.includes(undefined)
}

/** What this file uses of a service worker, whose types exclude those of a page. */
type Client = { url: string; focus(): Promise<unknown>; postMessage(message: object): void }
type Worker = {
  registration: ServiceWorkerRegistration
  clients: {
    claim(): Promise<void>
    matchAll(of: { type: 'window'; includeUncontrolled: true }): Promise<Client[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
}
type PushEvent = Event & { data: { json(): unknown }; waitUntil(work: Promise<unknown>): void }
type ClickEvent = Event & { notification: Notification; waitUntil(work: Promise<unknown>): void }
const worker = self as unknown as Worker

/** What server/push/send.ts sends. */
type Push = { title: string; body: string; route: string; tag: string; lang: string }

addEventListener('push', (unknown) => {
  const event = unknown as PushEvent
  const { title, body, route, tag, lang } = event.data.json() as Push
  const options = { body, tag, lang, icon: '/icon-192.png', data: { route } }
  event.waitUntil(worker.registration.showNotification(title, options))
})

addEventListener('notificationclick', (unknown) => {
  const event = unknown as ClickEvent
  event.notification.close()
  const { route } = event.notification.data as Pick<Push, 'route'>
  event.waitUntil(openPage(route))
})

/**
 * Opens a page in a window that shows the dashboard in the same language, whose router keeps what is being typed; otherwise in
 * a new one. The window may belong to the service worker of another language than the subscription.
 */
async function openPage(route: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [start = route] = /^.*?\/dashboard/.exec(route) ?? []
  const dashboard = windows.find(({ url }) => new URL(url).pathname.startsWith(start))
  if (dashboard === undefined) return void (await worker.clients.openWindow(route))
  dashboard.postMessage({ route })
  await dashboard.focus()
}

// Without this, Chromium may race a page's request against this worker, and show the network's error when that is first.
addEventListener('install', (event) => {
  const { addRoutes } = event as Event & { addRoutes?: (rules: object[]) => Promise<void> }
  void addRoutes?.call(event, [{ condition: { requestMode: 'navigate' }, source: 'fetch-event' }])
})

// A new build takes over at once: what it changes is only which shell is used offline.
void worker.skipWaiting()
clientsClaim()

// A page that was requested before this worker was active, and opened after it, was not among those it took over.
addEventListener('message', (unknown) => {
  const event = unknown as MessageEvent<{ type?: string }> & { waitUntil(work: Promise<unknown>): void }
  if (event.data.type === 'CLAIM') event.waitUntil(worker.clients.claim())
})
