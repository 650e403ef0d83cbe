import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { tryAs } from '#contract/site.ts'
import { useSite } from '#web/features/site/site.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { CHOSEN_KEY } from '#web/lib/language-switch.ts'
import { LOCALE } from '#web/lib/locale.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { useSessionChange } from '#web/lib/session.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'

const ROLES = ['Worker', 'Buyer', 'Admin'] as const
type DemoRole = (typeof ROLES)[number]

/** Renders sign-in buttons for the demo users, if the demo is enabled. */
export function DemoSignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const change = useSessionChange()
  const [pendingRole, setPendingRole] = useState<DemoRole | null>(null)
  if (!useSite()?.demo) return null

  const signInAs = async (role: DemoRole) => {
    setPendingRole(role)
    // A demo user is everybody's: the visitor continues in the language of this page.
    sessionStorage.setItem(CHOSEN_KEY, LOCALE)
    try {
      await change(() => call(tryAs, { body: { role } }))
      onSignedIn()
    } catch (error) {
      void showMessage({ title: t`Login Failed`, text: errorMessage(error), tone: 'error' })
    } finally {
      setPendingRole(null)
    }
  }

  return (
    <section className="mt-6" aria-labelledby="demo">
      <h2 id="demo" className="text-base">{t`Try the demo`}</h2>
      <p className="mt-1 mb-3 text-sm text-dim">{t`All users and tasks in this demo are fictional.`}</p>
      <div className="grid gap-3 sm:grid-cols-3">
        {ROLES.map((role) => (
          <Button
            key={role}
            variant="default"
            px="sm"
            loading={pendingRole === role}
            disabled={pendingRole !== null && pendingRole !== role}
            onClick={() => void signInAs(role)}
          >
            {t`Try as ${{ role: ROLE_NAMES[role] }}`}
          </Button>
        ))}
      </div>
    </section>
  )
}
