import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { projects } from '#contract/projects.ts'
import { ProjectTable } from '#web/features/projects/project-table.tsx'
import { infiniteQueryOf, keepPreviousRows } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

const STATES = [
  { value: '', label: t`In use` },
  { value: 'true', label: t`Archived` },
]

/** Renders the buyer's projects with the work on them, newest first; the archived ones with `?archived=true`. */
export default function Projects() {
  const [search] = useSearchParams()
  const [q, setQuery] = useSearchQuery()
  const isArchive = search.get('archived') === 'true'
  const query = useInfiniteQuery({
    ...infiniteQueryOf(projects, { query: { q: q || undefined, archived: isArchive ? 'true' : undefined } }),
    placeholderData: keepPreviousRows,
    staleTime: 0,
  })
  const listed = query.data?.pages.flatMap(({ reply }) => reply)

  if (listed?.length === 0 && q === '' && !isArchive) {
    return (
      <Screen title={t`Projects`} subtitle={t`One kind of work for many items of a file`}>
        <EmptyState
          title={t`No projects yet`}
          action={<NewProjectLink />}
        >{t`Do you have hundreds or thousands of pictures, texts or addresses to work through? Describe the work once, with questions to fill in. Then upload a CSV file with one item per row. Workers go through them one after another, and you get a table back.`}</EmptyState>
        <p className="mt-5 text-center text-sm">
          <Link to="/dashboard/projects?archived=true" className="link">{t`Archived projects`}</Link>
        </p>
      </Screen>
    )
  }
  return (
    <Screen
      title={isArchive ? t`Archived Projects` : t`Projects`}
      subtitle={t`One kind of work for many items of a file`}
      action={!isArchive && <NewProjectLink />}
    >
      <search className="filter-row">
        <FilterLinks label={t`Projects shown`} name="archived" options={STATES} />
        <SearchInput label={t`Search your projects`} value={q} onChange={setQuery} />
      </search>
      {listed === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={6} />} />
      ) : listed.length > 0 ? (
        <div className={query.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
          <ProjectTable projects={listed} />
          <LoadMore query={query} />
        </div>
      ) : q === '' ? (
        <EmptyState
          title={t`No archived projects`}
        >{t`You cannot upload files to an archived project. Its batches remain, and you can restore it.`}</EmptyState>
      ) : (
        <EmptyState
          title={t`No projects found`}
          action={
            <Button
              component={Link}
              to={isArchive ? '/dashboard/projects?archived=true' : '/dashboard/projects'}
              variant="default"
            >{t`Show all projects`}</Button>
          }
        >
          {t`No projects match your search.`}
        </EmptyState>
      )}
    </Screen>
  )
}

function NewProjectLink() {
  return (
    <Button
      component={Link}
      to="/dashboard/projects/new"
      leftSection={<IconPlus size={18} aria-hidden />}
    >{t`New project`}</Button>
  )
}
