import { Button } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type JobQueue, jobs, retryJob } from '#contract/jobs.ts'
import { FailedJobs } from '#web/features/jobs/failed-jobs.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatDuration, formatNumber, pluralize } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { IconRefresh } from '#web/ui/icons.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toasts.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const REFRESH_MS = 15_000

/** Renders the background jobs: failed jobs and the state of each queue. */
export default function Jobs() {
  const { data } = useSuspenseQuery({ ...queryOf(jobs, {}), refetchInterval: REFRESH_MS, staleTime: 0 })
  return (
    <Screen
      title="Background jobs"
      subtitle={`Queues and failed jobs, updated every ${formatDuration(REFRESH_MS)}`}
    >
      <div className="space-y-6">
        <FailedJobs
          jobs={data.troubled}
          title={({ queue, about }) => (about === '' ? queue : `${queue}: ${about}`)}
          action={(job) => <RetryButton id={job._id} />}
        />
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
                <span className="font-number">{queueLabel(queue)}</span>
                <QueueStatus queue={queue} />
                <span className="basis-full text-sm text-dim">{scheduleLabel(queue)}</span>
              </div>
            )}
          />
        </section>
      </div>
    </Screen>
  )
}

const queueLabel = ({ name }: JobQueue) =>
  name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())

function scheduleLabel({ every, lastDoneAt }: JobQueue): string {
  const last = lastDoneAt === null ? 'never run' : `last ${formatTimeAgo(lastDoneAt)}`
  return every === null ? `On demand, ${last}` : `Every ${formatInterval(every)}, ${last}`
}

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** Returns an interval to follow "every": "hour", "15 minutes". */
function formatInterval(seconds: number): string {
  const [size, unit] = UNITS.find(([unitSeconds]) => seconds >= unitSeconds) ?? [1, 'second']
  const amount = Math.round(seconds / size)
  return amount === 1 ? unit : pluralize(amount, unit)
}

function QueueStatus({ queue: { waiting, active, failed } }: { queue: JobQueue }) {
  if (failed > 0) return <StatusBadge tone="error">{formatNumber(failed)} failed</StatusBadge>
  if (waiting + active > 0)
    return <StatusBadge tone="warning">{formatNumber(waiting + active)} in progress</StatusBadge>
  return <StatusBadge tone="success">Idle</StatusBadge>
}

const COLUMNS: Column<JobQueue>[] = [
  { header: 'Queue', cell: queueLabel },
  { header: 'Schedule', cell: scheduleLabel },
  { header: 'Waiting', cell: (queue) => formatNumber(queue.waiting), align: 'right' },
  { header: 'Running', cell: (queue) => formatNumber(queue.active), align: 'right' },
  { header: 'State', cell: (queue) => <QueueStatus queue={queue} /> },
]

function RetryButton({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call(retryJob, { params: { id } }),
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeyOf(jobs) }),
  })
  return (
    <Button
      variant="default"
      loading={retry.isPending}
      leftSection={<IconRefresh size={18} aria-hidden />}
      onClick={() => retry.mutate()}
    >
      Retry now
    </Button>
  )
}
