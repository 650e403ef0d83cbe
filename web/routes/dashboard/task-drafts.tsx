import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { taskDrafts } from '#contract/task-drafts.ts'
import { DraftList } from '#web/features/tasks/draft-list.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the buyer's drafts and templates: open, rename and delete them. */
export default function TaskDrafts() {
  const { data } = useSuspenseQuery({
    ...queryOf(taskDrafts, {}),
    staleTime: 0,
    // A scheduled draft is deleted when it is posted.
    refetchInterval: ({ state }) => state.data?.some(({ postAt }) => postAt !== null) === true && 30_000,
  })
  const add = (
    <Button component={Link} to="/dashboard/add-task" leftSection={<IconPlus size={18} aria-hidden />}>
      Add New Task
    </Button>
  )
  return (
    <Screen
      title="Drafts and Templates"
      subtitle="Tasks that are not posted yet. They cost nothing."
      action={data.length > 0 && add}
      width="narrow"
    >
      {data.length === 0 ? (
        <EmptyState title="No drafts or templates yet" action={add}>
          Save a task from its form to finish it later, or to post it again and again.
        </EmptyState>
      ) : (
        <div className="space-y-6">
          <DraftList title="Drafts" drafts={data.filter(({ template }) => !template)} empty="No drafts." />
          <DraftList
            title="Templates"
            drafts={data.filter(({ template }) => template)}
            empty="No templates. A template stays when you post a task from it."
          />
        </div>
      )}
    </Screen>
  )
}
