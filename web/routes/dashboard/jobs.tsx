import { Button } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FailedJob, type JobQueue, jobs, retryJob } from '#contract/jobs.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatDateTime, formatNumber, formatTimeAgo, pluralize } from '#web/lib/format.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconRefresh } from '#web/ui/icons.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toasts.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const EVERY_MS = 15_000

/** What happens by itself: what waits, what runs, and what needs a person. */
export default function Jobs() {
  const { data } = useSuspenseQuery({ ...queryOf(jobs, {}), refetchInterval: EVERY_MS, staleTime: 0 })
  return (
    <Screen title="Background jobs" subtitle="Queues and failed jobs, updated every 15 seconds">
      <div className="space-y-6">
        <section aria-labelledby="troubled">
          <h2 id="troubled" className="mb-3 text-lg">
            Failed jobs
          </h2>
          {data.troubled.length === 0 ? (
            <EmptyState title="Nothing has failed.">Failed jobs are retried and listed here.</EmptyState>
          ) : (
            <ul aria-label="Failed jobs" className="space-y-3">
              {data.troubled.map((job) => (
                <li key={job._id}>
                  <Troubled job={job} />
                </li>
              ))}
            </ul>
          )}
        </section>
        <section aria-labelledby="queues">
          <h2 id="queues" className="mb-3 text-lg">
            Queues
          </h2>
          <ResponsiveList
            label="Queues"
            rows={data.queues}
            rowKey={(queue) => queue.name}
            columns={COLUMNS}
            renderCard={(queue) => (
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="font-number">{nameOf(queue)}</span>
                <State queue={queue} />
                <span className="basis-full text-sm text-dim">{rhythm(queue)}</span>
              </div>
            )}
          />
        </section>
      </div>
    </Screen>
  )
}

const nameOf = ({ name }: JobQueue) => name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())

function rhythm({ every, lastDoneAt }: JobQueue): string {
  const last = lastDoneAt === null ? 'never run' : `last ${formatTimeAgo(lastDoneAt)}`
  return every === null ? `On demand, ${last}` : `Every ${formatInterval(every)}, ${last}`
}

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** "hour", "15 minutes": what "every" goes before. */
function formatInterval(seconds: number): string {
  const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? [1, 'second']
  const many = Math.round(seconds / size)
  return many === 1 ? unit : pluralize(many, unit)
}

function State({ queue: { waiting, active, failed } }: { queue: JobQueue }) {
  if (failed > 0) return <StatusBadge tone="error">{formatNumber(failed)} failed</StatusBadge>
  if (waiting + active > 0)
    return <StatusBadge tone="warning">{formatNumber(waiting + active)} in progress</StatusBadge>
  return <StatusBadge tone="success">Idle</StatusBadge>
}

const COLUMNS: Column<JobQueue>[] = [
  { header: 'Queue', cell: nameOf },
  { header: 'Schedule', cell: rhythm },
  { header: 'Waiting', cell: (queue) => formatNumber(queue.waiting), align: 'right' },
  { header: 'Running', cell: (queue) => formatNumber(queue.active), align: 'right' },
  { header: 'State', cell: (queue) => <State queue={queue} /> },
]

function Troubled({ job }: { job: FailedJob }) {
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call(retryJob, { params: { id: job._id } }),
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeyOf(jobs) }),
  })
  return (
    <article className="card p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="min-w-0 text-base font-number break-words">
          {job.queue}
          {job.about && `: ${job.about}`}
        </h3>
        <StatusBadge tone={job.state === 'failed' ? 'error' : 'warning'}>
          {job.state === 'failed' ? 'Failed' : 'Retrying'}
        </StatusBadge>
      </div>
      <p className="mt-2 break-words">{job.reason}</p>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-dim">
          {pluralize(job.attempts, 'attempt')},{' '}
          {job.nextAt ? `next ${formatDateTime(job.nextAt)}` : `last ${formatDateTime(job.time)}`}
        </p>
        <Button
          variant="default"
          loading={retry.isPending}
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={() => retry.mutate()}
        >
          Retry now
        </Button>
      </div>
    </article>
  )
}
