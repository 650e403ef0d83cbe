import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { projects } from '#contract/projects.ts'
import type { Reply } from '#web/lib/api.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the buyer's projects, newest first; the archived ones with `?archived=true`. */
export default function Projects() {
  const [search] = useSearchParams()
  const isArchive = search.get('archived') === 'true'
  const query = useSuspenseInfiniteQuery({
    ...infiniteQueryOf(projects, { query: isArchive ? { archived: 'true' } : {} }),
    staleTime: 0,
  })
  const listed = query.data.pages.flatMap(({ reply }) => reply)
  const add = (
    <Button
      component={Link}
      to="/dashboard/projects/new"
      leftSection={<IconPlus size={18} aria-hidden />}
    >{t`New project`}</Button>
  )
  return (
    <Screen
      title={isArchive ? t`Archived Projects` : t`Projects`}
      subtitle={t`One kind of work for many items of a file`}
      action={!isArchive && listed.length > 0 && add}
      width="narrow"
    >
      {listed.length > 0 ? (
        <>
          <ul aria-label={t`Projects, newest first`} className="card divide-y divide-line px-5 sm:px-6">
            {listed.map((project) => (
              <li key={project._id} className="py-4">
                <ProjectRow project={project} />
              </li>
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      ) : isArchive ? (
        <EmptyState
          title={t`No archived projects`}
        >{t`An archived project takes no files. Its batches stay, and it can be brought back.`}</EmptyState>
      ) : (
        <EmptyState
          title={t`No projects yet`}
          action={add}
        >{t`Do you have hundreds or thousands of pictures, texts or addresses to work through? Describe the work once, with questions to fill in. Then upload a CSV file with one item per row. Workers go through them one after another, and you get a table back.`}</EmptyState>
      )}
      <p className="mt-5 text-center text-sm">
        {isArchive ? (
          <Link to="/dashboard/projects" className="link">{t`All projects`}</Link>
        ) : (
          <Link to="/dashboard/projects?archived=true" className="link">{t`Archived projects`}</Link>
        )}
      </p>
    </Screen>
  )
}

function ProjectRow({ project }: { project: Reply<typeof projects>[number] }) {
  const { _id, title, reward, workersPerItem, version, changedAt } = project
  return (
    <>
      <Link
        to={`/dashboard/projects/${_id}`}
        className="line-clamp-2 leading-snug font-number wrap-anywhere no-underline hover:underline"
      >
        {title}
      </Link>
      <p className="mt-1 text-sm text-dim">
        {[
          t`${{ coins: formatCoins(reward) }} per item`,
          plural(workersPerItem, { one: '# worker per item', other: '# workers per item' }),
          t`version ${{ version: formatNumber(version) }}`,
          t`changed ${{ time: formatTimeAgo(changedAt) }}`,
        ].join(' · ')}
      </p>
    </>
  )
}
