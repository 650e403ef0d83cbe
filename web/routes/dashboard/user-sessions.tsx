import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { endUserSession, endUserSessions, userSessions } from '#contract/sessions.ts'
import { SessionRow } from '#web/features/auth/session-row.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { confirm, showError } from '#web/ui/dialogs.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { toast } from '#web/ui/toasts.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders a user's sessions, for an Admin to end. */
export default function UserSessions() {
  const { id = '' } = useParams()
  const { user, sessions } = useSuspenseQuery(queryOf(userSessions, { params: { id } })).data
  const { name } = user
  const queryClient = useQueryClient()

  async function endAll(): Promise<void> {
    const confirmed = await confirm({
      title: t`Sign ${name} out everywhere?`,
      text: t`They will be signed out on every device and have to sign in again.`,
      confirmLabel: t`Sign out everywhere`,
      danger: true,
    })
    if (!confirmed) return
    try {
      const { ended } = await call(endUserSessions, { params: { id } })
      void toast({ message: plural(ended, { one: '# session ended.', other: '# sessions ended.' }) })
    } catch (error) {
      await showError(t`Error`, t`The sessions could not be ended.`, errorMessage(error))
    } finally {
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(userSessions) })
    }
  }

  return (
    <Screen
      title={t`Sessions of ${name}`}
      subtitle={user.email}
      width="narrow"
      action={
        <Button color="red" variant="light" onClick={() => void endAll()}>{t`Sign out everywhere`}</Button>
      }
    >
      {sessions.length === 0 ? (
        <EmptyState title={t`No active sessions`}>{t`${name} is not signed in on any device.`}</EmptyState>
      ) : (
        <ul className="card divide-y divide-line px-5 sm:px-6">
          {sessions.map((session) => (
            <SessionRow
              key={session._id}
              session={session}
              end={() => call(endUserSession, { params: { id, sessionId: session._id } })}
              list={userSessions}
            />
          ))}
        </ul>
      )}
      <p className="mt-5">
        <Link to={`/dashboard/manage-users/${id}`} className="link">
          {t`Everything about ${name}`}
        </Link>
      </p>
    </Screen>
  )
}
