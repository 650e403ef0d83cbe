import { allTask } from '#contract/tasks.ts'
import { lists } from '#web/content/en.ts'
import { TaskBrowser } from '#web/features/tasks/task-browser.tsx'
import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ title: lists.tasks.title, description: lists.tasks.description })

/** Every task, for anybody. */
export default function AllTask() {
  return (
    <div className="page py-10 lg:py-14">
      <h1 className="text-section">{lists.tasks.title}</h1>
      <p className="mt-2 mb-6 text-dim">{lists.tasks.lead}</p>
      <TaskBrowser endpoint={allTask} />
    </div>
  )
}
