import { pushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push-subscriptions.ts'
import { call } from '#web/lib/api.ts'
import { EARLIER_PUSH_OWNER, PUSH_OWNER } from '#web/lib/move-to-user-id.ts'

/** Whether this browser can show notifications while the app is closed. Safari can on iOS once the app is on the home screen. */
export const canShowNotifications = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** Returns whether this device shows a user's notifications. */
export async function isSubscribed(userId: string): Promise<boolean> {
  return localStorage.getItem(PUSH_OWNER) === userId && (await subscriptions()).length > 0
}

/**
 * Asks the user for permission and subscribes this device. Returns whether it shows notifications now; not when the user
 * refuses. Call it from a click, because browsers ask only then.
 * @throws when there is no service worker, the push service cannot be reached, or our server refuses.
 */
export async function subscribeDevice(userId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const subscription = await createSubscription()
  await end((await subscriptions()).filter(({ endpoint }) => endpoint !== subscription.endpoint))
  await store(subscription)
  forgetOwner()
  localStorage.setItem(PUSH_OWNER, userId)
  return true
}

/** Ends the notifications of this device, in the browser and on the server. */
export async function unsubscribeDevice(): Promise<void> {
  forgetOwner()
  await end(await subscriptions())
}

/** Ends the notifications of this device in the browser, after a sign-out has ended them on the server. */
export async function forgetDevice(): Promise<void> {
  forgetOwner()
  for (const subscription of await subscriptions()) await subscription.unsubscribe()
}

/**
 * Stores the subscription for the session that the app was opened in, with a new one where the browser or the server lost
 * it or where the server has another key. The subscription of another user of this browser ends.
 */
export async function renewSubscription(userId: string): Promise<void> {
  const owner = localStorage.getItem(PUSH_OWNER)
  if (owner === null || !canShowNotifications()) return
  if (owner !== userId) return unsubscribeDevice()
  if (Notification.permission !== 'granted') return forgetOwner()
  const { publicKey } = await call(pushKey, {})
  const found = await subscriptions()
  const current = found.find((subscription) => hasKey(subscription, publicKey))
  await end(found.filter((subscription) => subscription !== current))
  await store(current ?? (await createSubscription()))
}

function forgetOwner(): void {
  localStorage.removeItem(PUSH_OWNER)
  localStorage.removeItem(EARLIER_PUSH_OWNER)
}

/** Returns whether a subscription is for this key of the server, in base64url. */
function hasKey({ options }: PushSubscription, publicKey: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? [])
  const key = btoa(String.fromCharCode(...bytes))
  return key.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey
}

/**
 * Returns the subscriptions of this device. Each language has a service worker of its own, and the one that ran when the
 * notifications were switched on is subscribed. With two of them, each notification would be shown twice.
 */
async function subscriptions(): Promise<PushSubscription[]> {
  const registrations = await navigator.serviceWorker.getRegistrations()
  const found = await Promise.all(registrations.map(({ pushManager }) => pushManager.getSubscription()))
  return found.filter((subscription) => subscription !== null)
}

async function end(ended: PushSubscription[]): Promise<void> {
  for (const subscription of ended) {
    await subscription.unsubscribe()
    await call(unsubscribeFromPush, { body: { endpoint: subscription.endpoint } })
  }
}

async function createSubscription(): Promise<PushSubscription> {
  const { publicKey } = await call(pushKey, {})
  const registration = await activeRegistration()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await registration.pushManager.subscribe(options)
  } catch (error) {
    // Subscribed with an earlier key of the server.
    if ((error as Error).name !== 'InvalidStateError') throw error
    await (await registration.pushManager.getSubscription())?.unsubscribe()
    return registration.pushManager.subscribe(options)
  }
}

/**
 * Returns the registration whose service worker runs.
 * @throws when none was registered, because `ready` would wait for it for ever.
 */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.getRegistration()
  if (registration === undefined) throw new Error('No service worker is registered')
  return navigator.serviceWorker.ready
}

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await call(subscribeToPush, { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } })
}
