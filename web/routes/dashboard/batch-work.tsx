import { t } from '@lingui/core/macro'
import { Link, useParams } from 'react-router'
import { WorkOnItems } from '#web/features/batches/work-on-items.tsx'
import { TaskLoader } from '#web/features/tasks/task-loader.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker'] }

/** Renders the work on the items of a batch's task, whose id is in the path. */
export default function BatchWork() {
  const { id = '' } = useParams()
  return (
    <TaskLoader id={id}>
      {(task) => (
        <Screen
          title={task.task_title}
          subtitle={
            <>
              {t`By ${{ buyer: task.buyer_name || t`Unknown` }}`} ·{' '}
              <Link to={`/dashboard/task-details/${id}`} className="link">{t`About this task`}</Link>
            </>
          }
        >
          <WorkOnItems key={id} task={task} />
        </Screen>
      )}
    </TaskLoader>
  )
}
