import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { endSession, sessions, signOutEverywhere } from '#contract/sessions.ts'
import { SessionRow } from '#web/features/auth/session-row.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useSessionEnd } from '#web/lib/session.tsx'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'

/** Renders the user's active sessions, with a button to end each. */
export function Sessions() {
  const { data } = useSuspenseQuery(queryOf(sessions, {}))
  const endThisSession = useSessionEnd()
  const signOutAll = async () => {
    const confirmed = await confirm({
      title: t`Sign out everywhere?`,
      text: t`You will be signed out on every device, including this one.`,
      confirmLabel: t`Sign out everywhere`,
      danger: true,
    })
    if (!confirmed) return
    try {
      await endThisSession(() => call(signOutEverywhere, {}))
    } catch (error) {
      await showMessage({ title: t`Could not sign out`, text: errorMessage(error), tone: 'error' })
    }
  }
  return (
    <section className="card p-5 sm:p-6" aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sessions" className="text-lg">{t`Active sessions`}</h2>
        <Button variant="default" onClick={() => void signOutAll()}>{t`Sign out everywhere`}</Button>
      </div>
      <ul className="mt-4 divide-y divide-line">
        {data.map((session) => (
          <SessionRow
            key={session._id}
            session={session}
            end={() => call(endSession, { params: { id: session._id } })}
            list={sessions}
          />
        ))}
      </ul>
    </section>
  )
}
