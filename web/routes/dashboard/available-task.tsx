import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { tasksForFavourites } from '#contract/task-access.ts'
import { taskListWorker } from '#contract/tasks.ts'
import { TasksForFavourites } from '#web/features/audience/tasks-for-favourites.tsx'
import { ReservationStrip } from '#web/features/reservations/reservation-strip.tsx'
import { TaskBrowser } from '#web/features/tasks/task-browser.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker'], rendersBeforeUser: true }

/** Renders the tasks that a worker can apply for; until the user is known, the search above a skeleton. */
export default function AvailableTask() {
  const isWorker = useSession().userData?.role === 'Worker'
  const favourites = useQuery({ ...queryOf(tasksForFavourites, {}), staleTime: 0, enabled: isWorker })
  return (
    <Screen
      title={t`Available Tasks`}
      subtitle={t`Pick a task, submit your work and get paid when it is approved`}
    >
      <div className="mb-5 empty:hidden">{isWorker && <ReservationStrip />}</div>
      <TaskBrowser
        endpoint={taskListWorker}
        isReady={isWorker}
        isFirstLoading={favourites.isLoading}
        first={<TasksForFavourites tasks={favourites.data ?? []} />}
      />
    </Screen>
  )
}
