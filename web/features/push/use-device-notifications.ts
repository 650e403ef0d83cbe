import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { splitLocale } from '#contract/locales.ts'
import { onSignedOut } from '#web/lib/sign-out-hooks.ts'
import { forgetDevice, renewSubscription } from './device.ts'

/** Keeps this device's subscription while the user is signed in, and opens the page of a notification that is clicked. */
export function useDeviceNotifications(userId: string | undefined): void {
  const navigate = useNavigate()

  useEffect(() => {
    if (userId === undefined) return
    // Without a connection, the next start of the app renews it.
    void renewSubscription(userId).catch(() => {})
    return onSignedOut(() => void forgetDevice().catch(() => {}))
  }, [userId])

  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    const open = ({ data }: MessageEvent<{ route?: string }>) => {
      if (data.route !== undefined) void navigate(splitLocale(data.route).path)
    }
    navigator.serviceWorker.addEventListener('message', open)
    return () => navigator.serviceWorker.removeEventListener('message', open)
  }, [navigate])
}
