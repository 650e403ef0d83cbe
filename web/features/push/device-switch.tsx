import { t } from '@lingui/core/macro'
import { Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Role } from '#contract/endpoint.ts'
import { errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/toasts.tsx'
import { canShowNotifications, isSubscribed, subscribeDevice, unsubscribeDevice } from './device.ts'

/** Renders the switch for notifications on this device; nothing where the browser has none. */
export function DeviceSwitch({ userId, role }: { userId: string; role: Role }) {
  const queryClient = useQueryClient()
  const queryKey = ['device-notifications', userId]
  const { data: isOn } = useQuery({
    queryKey,
    queryFn: () => isSubscribed(userId),
    enabled: canShowNotifications(),
  })
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      if (!on) return unsubscribeDevice()
      if (!(await subscribeDevice(userId))) void toast({ message: BLOCKED, tone: 'error' })
    },
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  if (isOn === undefined) return null
  return (
    <Switch
      classNames={{ body: 'min-w-0', labelWrapper: 'min-w-0' }}
      label={t`Notifications on this device`}
      description={
        role === 'Buyer'
          ? t`When a rejection is appealed or reviewed, before work is approved automatically, before deadlines and when your account is frozen, even while the app is closed.`
          : t`When work is approved or rejected, before a deadline, and when you are paid, even while the app is closed.`
      }
      checked={change.isPending ? change.variables : isOn}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}

const BLOCKED = t`Notifications are blocked. Allow them for this site in the settings of your browser.`
