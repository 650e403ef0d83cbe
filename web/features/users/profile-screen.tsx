import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the heading of a user's home above its sections, or above a loader until the user is known. */
export function ProfileScreen({ children }: { children: ReactNode }) {
  return (
    <Screen title={t`Profile`} subtitle={t`Your coins, what to do next, and the statistics of your account.`}>
      {children}
    </Screen>
  )
}
