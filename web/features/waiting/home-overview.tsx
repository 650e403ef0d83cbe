import { t } from '@lingui/core/macro'
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
  return <WaitingList waiting={rows} drafts={draftsOf(user)} />
}

/** Renders one line when nothing waits for the user. First steps are shown instead of it. */
export function NothingWaiting({ user }: { user: User }) {
  const { data } = useWaiting()
  if (data === undefined || data.length + draftsOf(user).length > 0) return null
  return <p className="card p-4 text-dim sm:px-5">{t`Nothing is waiting for you.`}</p>
}

function draftsOf({ _id, role }: User): Draft[] {
  if (role !== 'Buyer') return []
  const { task_title: title = '' } = readDraft<{ task_title?: string }>(`add-task ${_id}`, {})
  return title.trim() === '' ? [] : [{ to: '/dashboard/add-task', name: title }]
}
