import { allTask } from '#contract/tasks.ts'
import { publicLists } from '#web/content/en.ts'
import { TaskBrowser } from '#web/features/tasks/task-browser.tsx'
import { pageMeta } from '#web/lib/meta.ts'

export const meta = () =>
  pageMeta({ title: publicLists.tasks.title, description: publicLists.tasks.description })

/** Renders the public list of tasks. */
export default function AllTask() {
  return (
    <div className="page py-10 lg:py-14">
      <h1 className="text-section">{publicLists.tasks.title}</h1>
      <p className="mt-2 mb-6 text-dim">{publicLists.tasks.lead}</p>
      <TaskBrowser endpoint={allTask} />
    </div>
  )
}
