import type { User } from '#contract/users.ts'
import { useWaiting } from '#web/features/waiting/use-waiting.ts'
import { type Draft, WaitingList } from '#web/features/waiting/waiting-list.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { readDraft } from '#web/lib/drafts.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'

/** Renders what waits for the user, at the top of their home. A worker's reservations have a list of their own below it. */
export function HomeOverview({ user }: { user: User }) {
  const { data, error, isLoading, refetch } = useWaiting()
  if (data === undefined) {
    if (isLoading) return <ListSkeleton rows={2} />
    return error && <ErrorState message={errorMessage(error)} retry={() => void refetch()} />
  }
  const rows = data.filter(({ kind }) => kind !== 'reservations')
  if (rows.length === 0 && data.length > 0) return null
  return <WaitingList waiting={rows} drafts={user.role === 'Buyer' ? draftsOf(user) : []} />
}

function draftsOf({ email }: User): Draft[] {
  const { task_title: title = '' } = readDraft<{ task_title?: string }>(`add-task ${email}`, {})
  return title.trim() === '' ? [] : [{ to: '/dashboard/add-task', name: title }]
}
