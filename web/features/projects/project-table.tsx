import { plural, t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { ListedProject } from '#contract/projects.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx'
import { ProjectWork } from './project-work.tsx'

/** Renders projects with the work on them: a table, or cards on a narrow screen. */
export function ProjectTable({ projects }: { projects: ListedProject[] }) {
  return (
    <DataTable
      label={t`Projects, newest first`}
      rows={projects}
      rowKey={({ _id }) => _id}
      columns={COLUMNS}
      renderCard={(project) => <ProjectCard project={project} />}
    />
  )
}

const COLUMNS: DataColumn<ListedProject>[] = [
  {
    header: t`Project`,
    width: 'min-w-44',
    cell: (project) => (
      <>
        <ProjectLink project={project} />
        <span className="mt-0.5 block text-xs text-dim">{termsOf(project)}</span>
      </>
    ),
  },
  { header: t`Answers`, width: 'min-w-48', cell: ({ work }) => <ProjectWork work={work} /> },
  {
    header: t`Items`,
    align: 'right',
    cell: ({ work }) =>
      work.batches > 0 && (
        <>
          <span className="tabular-nums">{formatNumber(work.items)}</span>
          <span className="block text-xs whitespace-nowrap text-dim">{batchesText(work.batches)}</span>
        </>
      ),
  },
  {
    header: t`In escrow`,
    align: 'right',
    cell: ({ work }) => work.slots > 0 && <CoinAmount value={work.escrow} />,
  },
  {
    header: t`Last activity`,
    width: 'px-3',
    cell: ({ activeAt }) => <span className="whitespace-nowrap text-dim">{formatTimeAgo(activeAt)}</span>,
  },
]

function ProjectCard({ project }: { project: ListedProject }) {
  const { work, activeAt } = project
  const facts = [
    ...(work.items > 0 ? [plural(work.items, { one: '# item', other: '# items' })] : []),
    work.batches > 0 ? batchesText(work.batches) : t`No work yet`,
    formatTimeAgo(activeAt),
  ]
  return (
    <article>
      <h2 className="text-base tracking-normal">
        <ProjectLink project={project} />
      </h2>
      <p className="mt-0.5 text-sm text-dim">{termsOf(project)}</p>
      {work.batches > 0 && (
        <div className="mt-2">
          <ProjectWork work={work} />
        </div>
      )}
      <p className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-dim">
        <span>{facts.join(' · ')}</span>
        {work.escrow > 0 && <span>{t`${{ coins: formatCoins(work.escrow) }} in escrow`}</span>}
      </p>
    </article>
  )
}

function ProjectLink({ project: { _id, title } }: { project: ListedProject }) {
  return (
    <Link
      to={`/dashboard/projects/${_id}`}
      className="line-clamp-2 leading-snug font-number wrap-anywhere no-underline hover:underline"
    >
      {title}
    </Link>
  )
}

const batchesText = (count: number) => plural(count, { one: '# batch', other: '# batches' })

function termsOf({ reward, workersPerItem }: ListedProject): string {
  return [
    t`${{ coins: formatCoins(reward) }} per item`,
    plural(workersPerItem, { one: '# worker per item', other: '# workers per item' }),
  ].join(' · ')
}
