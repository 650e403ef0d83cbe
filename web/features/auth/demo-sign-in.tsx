import { Button } from '@mantine/core'
import { useState } from 'react'
import { tryAs } from '#contract/site.ts'
import { useSite } from '#web/features/site/site.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { useSessionChange } from '#web/lib/session.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'

const ROLES = ['Worker', 'Buyer', 'Admin'] as const
type DemoRole = (typeof ROLES)[number]

/** Three doors into the demo world, where there is one. */
export function DemoSignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const change = useSessionChange()
  const [pendingRole, setPendingRole] = useState<DemoRole | null>(null)
  if (!useSite()?.demo) return null

  const signInAs = async (role: DemoRole) => {
    setPendingRole(role)
    try {
      await change(() => call(tryAs, { body: { role } }))
      onSignedIn()
    } catch (error) {
      void showMessage({ title: 'Login Failed', text: errorMessage(error), tone: 'error' })
    } finally {
      setPendingRole(null)
    }
  }

  return (
    <section className="mt-6" aria-labelledby="demo">
      <h2 id="demo" className="text-base">
        Look around without an account
      </h2>
      <p className="mt-1 mb-3 text-sm text-dim">This is a demo: everybody in it is made up.</p>
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
            Try as {role}
          </Button>
        ))}
      </div>
    </section>
  )
}
