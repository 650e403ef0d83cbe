import { after } from 'node:test'

type Device = {
  isSubscribed: () => boolean
  /** Returns the endpoints of the subscriptions. */
  endpoints: () => string[]
  /** Lets the service worker of another language run: each language has one. */
  run: (worker: number) => void
  /** Removes the service workers, as where none can be registered. */
  unregister: () => void
}

/**
 * Gives the page what browsers have for notifications on a device, which the DOM of these tests lacks. `permission` is what
 * the user chooses when asked.
 */
export function installPush(permission: NotificationPermission): Device {
  const registrations = ['device', 'device-bn'].map(registrationAt)
  let running: number | undefined = 0
  const current = () => (running === undefined ? undefined : registrations[running])
  const serviceWorker = Object.assign(new EventTarget(), {
    register: async () => current(),
    getRegistration: async () => current(),
    getRegistrations: async () => registrations,
  })
  Object.defineProperty(serviceWorker, 'ready', { get: async () => current() ?? new Promise(() => {}) })
  const notification = {
    permission: 'default' as NotificationPermission,
    async requestPermission() {
      notification.permission = permission
      return permission
    },
  }
  const globals = { PushManager: class {}, Notification: notification }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { configurable: true, value })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker })
  after(() => {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })
  const endpoints = () => registrations.flatMap(({ state }) => state.subscription?.endpoint ?? [])
  return {
    isSubscribed: () => endpoints().length > 0,
    endpoints,
    run: (worker) => {
      running = worker
    },
    unregister: () => {
      running = undefined
    },
  }
}

/** Returns the registration of a service worker, whose subscription has an endpoint of its own. */
function registrationAt(path: string) {
  const state: { subscription: PushSubscription | null } = { subscription: null }
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  const endpoint = `https://push.example.com/${path}`
  const pushManager = {
    getSubscription: async () => state.subscription,
    async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      const unsubscribe = async () => {
        state.subscription = null
        return true
      }
      state.subscription = {
        endpoint,
        options: { applicationServerKey: Buffer.from(applicationServerKey, 'base64url') },
        unsubscribe,
        toJSON: () => ({ endpoint, keys }),
      } as unknown as PushSubscription
      return state.subscription
    },
  }
  return { pushManager, active: null, state }
}
