import { after } from 'node:test'

/**
 * Gives the page what browsers have for notifications on a device, which the DOM of these tests lacks. `permission` is what
 * the user chooses when asked.
 */
export function installPush(permission: NotificationPermission): { isSubscribed: () => boolean } {
  const state: { subscription: PushSubscription | null } = { subscription: null }
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  const endpoint = 'https://push.example.com/device'
  const pushManager = {
    getSubscription: async () => state.subscription,
    async subscribe() {
      const unsubscribe = async () => {
        state.subscription = null
        return true
      }
      state.subscription = {
        endpoint,
        unsubscribe,
        toJSON: () => ({ endpoint, keys }),
      } as unknown as PushSubscription
      return state.subscription
    },
  }
  const registration = { pushManager, active: null }
  const serviceWorker = Object.assign(new EventTarget(), {
    ready: Promise.resolve(registration),
    register: async () => registration,
    getRegistrations: async () => [registration],
  })
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
  return { isSubscribed: () => state.subscription !== null }
}
