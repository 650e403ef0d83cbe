import { Button } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { endSession, sessions, signOutEverywhere } from '#contract/auth.ts'
import { call, errorMessage, type Reply } from '#web/lib/api.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useSessionChange } from '#web/lib/session.tsx'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** Renders the user's active sessions, with a button to end each. */
export function Sessions() {
  const { data } = useSuspenseQuery(queryOf(sessions, {}))
  const change = useSessionChange()
  const signOutAll = async () => {
    const confirmed = await confirm({
      title: 'Sign out everywhere?',
      text: 'You will be signed out on every device, including this one.',
      confirmLabel: 'Sign out everywhere',
      danger: true,
    })
    if (!confirmed) return
    try {
      await change(() => call(signOutEverywhere, {}))
    } catch (error) {
      await showMessage({ title: 'Could not sign out', text: errorMessage(error), tone: 'error' })
    }
  }
  return (
    <section className="card p-5 sm:p-6" aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sessions" className="text-lg">
          Active sessions
        </h2>
        <Button variant="default" onClick={() => void signOutAll()}>
          Sign out everywhere
        </Button>
      </div>
      <ul className="mt-4 divide-y divide-line">
        {data.map((session) => (
          <SessionRow key={session._id} session={session} />
        ))}
      </ul>
    </section>
  )
}

function SessionRow({ session }: { session: Reply<typeof sessions>[number] }) {
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: () => call(endSession, { params: { id: session._id } }),
    onSuccess: () => toast({ message: `Signed out of ${session.device}.` }),
    onError: (error) =>
      showMessage({ title: 'Could not end the session', text: errorMessage(error), tone: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeyOf(sessions) }),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-4">
      <div className="min-w-0">
        <p className="font-nav">{session.device}</p>
        <p className="text-sm text-dim">
          {session.network} ·{' '}
          <time dateTime={session.seenAt} title={formatDateTime(session.seenAt)}>
            Last active {formatTimeAgo(session.seenAt)}
          </time>
        </p>
      </div>
      {session.current ? (
        <StatusBadge tone="success">This device</StatusBadge>
      ) : (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          Sign out<span className="sr-only"> {session.device}</span>
        </Button>
      )}
    </li>
  )
}
