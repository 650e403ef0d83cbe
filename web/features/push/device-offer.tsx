import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#web/lib/api.ts'
import { PlainButton } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { canShowNotifications, subscribeDevice } from './device.ts'

const DECLINED_KEY = 'push-offer-declined'

/** Offers notifications on this device to a worker whose work is being reviewed, until they choose. */
export function DeviceOffer({ userId }: { userId: string }) {
  const [isOpen, setIsOpen] = useState(isUndecided)
  const decline = () => {
    localStorage.setItem(DECLINED_KEY, '1')
    setIsOpen(false)
  }
  const accept = useMutation({
    mutationFn: () => subscribeDevice(userId),
    onSuccess: (isOn) => {
      if (!isOn) return decline()
      setIsOpen(false)
      void toast({ message: t`Notifications are on for this device.` })
    },
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
  })
  if (!isOpen) return null
  return (
    <section
      aria-labelledby="push-offer"
      className="card mb-5 flex flex-wrap items-center gap-x-6 gap-y-3 p-4 sm:p-5"
    >
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="push-offer" className="text-lg">{t`Know when you are paid`}</h2>
        <p className="text-sm text-dim">{t`Get a notification on this device when your work is approved, even while the app is closed.`}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <PlainButton
          onClick={() => accept.mutate()}
          disabled={accept.isPending}
        >{t`Turn on notifications`}</PlainButton>
        <PlainButton variant="default" onClick={decline}>{t`Not now`}</PlainButton>
      </div>
    </section>
  )
}

const isUndecided = () =>
  canShowNotifications() &&
  Notification.permission === 'default' &&
  localStorage.getItem(DECLINED_KEY) === null
