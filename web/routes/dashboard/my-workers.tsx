import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { myWorkers } from '#contract/my-workers.ts'
import { qualifications } from '#contract/qualifications.ts'
import { QualificationList } from '#web/features/audience/qualification-list.tsx'
import { WorkerRow } from '#web/features/audience/worker-row.tsx'
import { BuyerNextStep } from '#web/features/tasks/buyer-next-step.tsx'
import { infiniteQueryOf, keepPreviousRows, queryOf } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

const STATES = [
  { value: '', label: t`All` },
  { value: 'favourite', label: t`Favourites` },
  { value: 'blocked', label: t`Blocked` },
] as const

/** Renders the workers who have worked for the buyer, with favourites, blocks and qualifications. */
export default function MyWorkers() {
  const [search] = useSearchParams()
  const [q, setQ] = useSearchQuery()
  const state = STATES.find(({ value }) => value === search.get('state'))?.value || undefined
  const qualification = search.get('qualification') || undefined
  const { data: own } = useSuspenseQuery({ ...queryOf(qualifications, {}), staleTime: 0 })
  const query = useInfiniteQuery({
    ...infiniteQueryOf(myWorkers, { query: { q: q || undefined, state, qualification } }),
    placeholderData: keepPreviousRows,
    staleTime: 0,
  })
  const workers = query.data?.pages.flatMap(({ reply }) => reply)
  const isFiltered = q !== '' || state !== undefined || qualification !== undefined
  const named = own.find(({ _id }) => _id === qualification)
  return (
    <Screen
      title={t`My Workers`}
      subtitle={t`Everyone who has worked for you, and their record with you`}
      action={
        <Button component="a" href="#qualifications" variant="default">
          {t`Qualifications`}
        </Button>
      }
      width="narrow"
    >
      <div className="space-y-5">
        <search className="filter-row">
          <FilterLinks label={t`Workers shown`} name="state" options={STATES} />
          <SearchInput label={t`Name or pseudonym`} value={q} onChange={setQ} />
        </search>
        {named !== undefined && (
          <p className="text-sm">
            {t`Only workers with ${{ name: named.name }}.`}{' '}
            <Link to="/dashboard/my-workers" className="link">{t`Show all workers`}</Link>
          </p>
        )}
        {workers === undefined ? (
          <QueryState query={query} skeleton={<ListSkeleton rows={6} />} />
        ) : workers.length === 0 ? (
          <EmptyState
            title={isFiltered ? t`No workers found` : t`No workers yet`}
            action={
              isFiltered ? (
                <Button
                  component={Link}
                  to="/dashboard/my-workers"
                  variant="default"
                >{t`Show all workers`}</Button>
              ) : (
                <BuyerNextStep />
              )
            }
          >
            {isFiltered
              ? t`No workers match.`
              : t`Workers are listed here a minute after their first submission to you.`}
          </EmptyState>
        ) : (
          <>
            <ul aria-label={t`Workers, most recent first`} className="card divide-y divide-line px-5 sm:px-6">
              {workers.map((worker) => (
                <li key={worker.worker} className="py-4">
                  <WorkerRow worker={worker} qualifications={own} />
                </li>
              ))}
            </ul>
            <LoadMore query={query} />
          </>
        )}
        <QualificationList qualifications={own} />
      </div>
    </Screen>
  )
}
