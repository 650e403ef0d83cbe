import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type JobQueue, jobs, retryJob } from '#contract/jobs.ts'
import { waiting } from '#contract/waiting.ts'
import { FailedJobs } from '#web/features/jobs/failed-jobs.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatMilliseconds, formatNumber } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { invalidateEndpoints, queryOf } from '#web/lib/queries.ts'
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
      title={t`Background jobs`}
      subtitle={t`Queues and failed jobs, updated every ${{ period: formatMilliseconds(REFRESH_MS) }}`}
    >
      <div className="space-y-6">
        <FailedJobs
          jobs={data.troubled}
          title={({ queue, about }) => (about === '' ? queue : `${queue}: ${about}`)}
          action={(job) => <RetryButton id={job._id} />}
        />
        <section aria-labelledby="queues">
          <h2 id="queues" className="mb-3 text-lg">{t`Queues`}</h2>
          <ResponsiveList
            label={t`Queues`}
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
  const last = lastDoneAt === null ? null : formatTimeAgo(lastDoneAt)
  if (every === null) return last === null ? t`On demand, never run` : t`On demand, last ${last}`
  const interval = intervalText(every)
  return last === null ? t`${interval}, never run` : t`${interval}, last ${last}`
}

/** Returns how often a job runs, in the largest unit: "Every hour", "Every 15 minutes". */
function intervalText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const hours = Math.round(seconds / 3600)
  const days = Math.round(seconds / 86_400)
  if (seconds >= 86_400) return plural(days, { one: 'Every day', other: 'Every # days' })
  if (seconds >= 3600) return plural(hours, { one: 'Every hour', other: 'Every # hours' })
  if (seconds >= 60) return plural(minutes, { one: 'Every minute', other: 'Every # minutes' })
  return plural(Math.round(seconds), { one: 'Every second', other: 'Every # seconds' })
}

function QueueStatus({ queue: { waiting, active, failed } }: { queue: JobQueue }) {
  if (failed > 0)
    return <StatusBadge tone="error">{t`${{ count: formatNumber(failed) }} failed`}</StatusBadge>
  if (waiting + active > 0)
    return (
      <StatusBadge tone="warning">{t`${{ count: formatNumber(waiting + active) }} in progress`}</StatusBadge>
    )
  return <StatusBadge tone="success">{t`Idle`}</StatusBadge>
}

const COLUMNS: Column<JobQueue>[] = [
  { header: t`Queue`, cell: queueLabel },
  { header: t`Schedule`, cell: scheduleLabel },
  { header: t`Waiting`, cell: (queue) => formatNumber(queue.waiting), align: 'right' },
  { header: t`Running`, cell: (queue) => formatNumber(queue.active), align: 'right' },
  { header: t`State`, cell: (queue) => <QueueStatus queue={queue} /> },
]

function RetryButton({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call(retryJob, { params: { id } }),
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
    onSettled: () => invalidateEndpoints(queryClient, [jobs, waiting]),
  })
  return (
    <Button
      variant="default"
      loading={retry.isPending}
      leftSection={<IconRefresh size={18} aria-hidden />}
      onClick={() => retry.mutate()}
    >
      {t`Retry now`}
    </Button>
  )
}
