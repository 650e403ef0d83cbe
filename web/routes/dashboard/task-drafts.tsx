import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { taskDrafts } from '#contract/task-drafts.ts'
import { DraftList } from '#web/features/tasks/draft-list.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
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
  const [search] = useSearchParams()
  const show = search.get('show')
  const drafts = data.filter(({ template }) => !template)
  const templates = data.filter(({ template }) => template)
  const scheduled = drafts.filter(({ postAt }) => postAt !== null)
  const add = (
    <Button component={Link} to="/dashboard/add-task" leftSection={<IconPlus size={18} aria-hidden />}>
      {t`Add New Task`}
    </Button>
  )
  return (
    <Screen
      title={t`Drafts and Templates`}
      subtitle={t`Tasks that are not posted yet. They cost nothing.`}
      action={data.length > 0 && add}
      width="narrow"
    >
      {data.length === 0 ? (
        <EmptyState title={t`No drafts or templates yet`} action={add}>
          {t`Save a task from its form to finish it later or to post it repeatedly.`}
        </EmptyState>
      ) : (
        <div className="space-y-6">
          <FilterLinks
            label={t`Filter by kind`}
            name="show"
            options={[
              { value: '', label: t`All ${{ count: formatNumber(data.length) }}` },
              { value: 'drafts', label: t`Drafts ${{ count: formatNumber(drafts.length) }}` },
              { value: 'scheduled', label: t`Scheduled ${{ count: formatNumber(scheduled.length) }}` },
              { value: 'templates', label: t`Templates ${{ count: formatNumber(templates.length) }}` },
            ]}
          />
          {show === 'scheduled' && (
            <DraftList title={t`Scheduled drafts`} drafts={scheduled} empty={t`No draft is scheduled.`} />
          )}
          {show !== 'scheduled' && show !== 'templates' && (
            <DraftList title={t`Drafts`} drafts={drafts} empty={t`No drafts.`} />
          )}
          {show !== 'scheduled' && show !== 'drafts' && (
            <DraftList
              title={t`Templates`}
              drafts={templates}
              empty={t`No templates. A template stays when you post a task from it.`}
            />
          )}
        </div>
      )}
    </Screen>
  )
}
