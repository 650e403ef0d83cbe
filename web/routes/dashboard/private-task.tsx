import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from 'react-router'
import { openTaskLink } from '#contract/task-access.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { useFragment } from '#web/lib/fragment.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker'] }

/** Opens the link of a private task, and continues at the task. */
export default function PrivateTask() {
  const token = useFragment('token')
  const { data, error } = useQuery({
    queryKey: [...queryKeyOf(openTaskLink), token],
    queryFn: () => call(openTaskLink, { body: { token } }),
    retry: false,
    staleTime: 0,
  })
  if (data) return <Navigate replace to={`/dashboard/task-details/${data.taskId}`} />
  return (
    <Screen title={t`Private Task`}>
      {error === null ? (
        <ListSkeleton rows={2} />
      ) : (
        <EmptyState
          title={t`This link cannot be opened`}
          action={
            <Button component={Link} to="/dashboard/available-task" variant="default">
              {t`Available Tasks`}
            </Button>
          }
        >
          {errorMessage(error)}
        </EmptyState>
      )}
    </Screen>
  )
}
