import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type TopWorker, topWorkers } from '#contract/users.ts'
import { talent } from '#web/content/en.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { Section } from '#web/features/landing/section.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { IconArrowRight } from '#web/ui/icons.ts'
import { GridSkeleton } from '#web/ui/skeleton.tsx'

const WORKERS_SHOWN = 6

/** Renders the workers with the most coins, ranked. */
export function TalentPool() {
  const { data, error, refetch } = useQuery(queryOf(topWorkers, { query: { limit: WORKERS_SHOWN } }))
  return (
    <Section
      id="talent"
      title={talent.title}
      lead={talent.lead}
      action={
        <Link to="/all-worker" className="link inline-flex min-h-11 items-center gap-1">
          {talent.viewAll}
          <IconArrowRight size={18} aria-hidden />
        </Link>
      }
    >
      {error ? (
        <ErrorState message={errorMessage(error)} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <p className="text-dim">{talent.empty}</p>
      ) : data === undefined ? (
        <GridSkeleton cards={WORKERS_SHOWN} height="h-[98px]" />
      ) : (
        <ol className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {data.map((worker, index) => (
            <RankedWorker key={worker._id} worker={worker} rank={index + 1} />
          ))}
        </ol>
      )}
    </Section>
  )
}

const MEDALS = ['bg-[#ffca4f] text-[#4d2f00]', 'bg-[#dfe5e2] text-[#1b2421]', 'bg-[#f3b98a] text-[#4d2400]']

function RankedWorker({ worker, rank }: { worker: TopWorker; rank: number }) {
  return (
    <li className="card flex h-[98px] items-center gap-4 px-5">
      <span className="relative">
        <Avatar name={worker.name} image={worker.image} size={56} />
        <span
          className={`absolute -right-1 -bottom-1 grid size-6 place-items-center rounded-full border-2 border-surface text-xs font-heading ${MEDALS[rank - 1] ?? 'bg-canvas text-dim'}`}
        >
          <span className="sr-only">{t`Rank ${{ rank: formatNumber(rank) }}`}</span>
          <span aria-hidden>{formatNumber(rank)}</span>
        </span>
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-number">{worker.name}</p>
        <p className="truncate text-sm text-dim">{worker.email}</p>
      </div>
      <CoinAmount value={worker.coin} chip className="text-sm" />
    </li>
  )
}
