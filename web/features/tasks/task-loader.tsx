import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type TaskDetails, taskDetails } from '#contract/tasks.ts'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { OnlineOnly } from '#web/ui/skeleton.tsx'

const LISTS = {
  Worker: { to: '/dashboard/available-task', label: t`View available tasks` },
  Buyer: { to: '/dashboard/my-task', label: t`View my tasks` },
  Admin: { to: '/dashboard/manage-task', label: t`View all tasks` },
}

type Props = {
  id: string
  /** For a form that starts from the task: explains that it belongs to another buyer, and waits for its present text. */
  own?: boolean
  /** What is rendered below the message that the task was not found. */
  notFound?: ReactNode
  children: (task: TaskDetails) => ReactNode
}

/** Loads a task and renders `children` with it; renders the loading and not-found states otherwise. */
export function TaskLoader({ id, own = false, notFound, children }: Props) {
  const { email, role } = useUserData()
  const query = useQuery({ ...queryOf(taskDetails, { params: { id } }), staleTime: 0 })
  const { data: task, error } = query
  const [openedAt] = useState(Date.now)
  // An earlier reply may lack what another device changed since.
  const isCurrent = !own || query.dataUpdatedAt >= openedAt

  const list = LISTS[role]
  if (task && own && task.buyer !== email) {
    return (
      <Screen title={t`Task`} width="narrow">
        <EmptyState
          title={t`This is another buyer's task`}
          action={<LinkButton to={list.to}>{list.label}</LinkButton>}
        >
          {t`You can only change and copy your own tasks.`}
        </EmptyState>
      </Screen>
    )
  }
  // A task that was deleted may still be in an earlier reply.
  const isNotFound = error instanceof ApiError && [400, 404, 422].includes(error.status)
  if (task && isCurrent && !isNotFound) return children(task)
  if (error === null) {
    return (
      <OnlineOnly>
        <p role="status" className="delayed-fade-in py-24 text-center text-dim">{t`Loading task...`}</p>
      </OnlineOnly>
    )
  }
  return (
    <Screen title={t`Task`} width="narrow">
      {isNotFound ? (
        <>
          <EmptyState title={t`Task not found!`} action={<LinkButton to={list.to}>{list.label}</LinkButton>}>
            {t`The buyer may have deleted it.`}
          </EmptyState>
          {notFound}
        </>
      ) : (
        <ErrorState
          title={t`Task not found!`}
          message={errorMessage(error)}
          retry={() => void query.refetch()}
        />
      )}
    </Screen>
  )
}
