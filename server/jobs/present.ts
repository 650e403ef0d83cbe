import type { NotificationMailJob } from './mail-jobs.ts'
import type { FailedJobRow } from './pg-boss.ts'

export function presentFailedJob(row: FailedJobRow) {
  const { data, output } = row
  const about = typeof data?.template === 'string' ? `${data.template} to ${data.to}` : describeJob(data)
  return {
    _id: row.id,
    queue: row.name,
    state: row.state,
    about,
    reason: typeof output?.message === 'string' ? output.message : 'The job timed out.',
    attempts: row.retry_count + 1,
    time: row.at,
    nextAt: row.state === 'retry' ? row.start_after : null,
  }
}

function describeJob(data: Record<string, unknown> | null): string {
  if (!Array.isArray(data?.emails)) return describeData(data)
  return (data as NotificationMailJob).emails
    .map(({ kind, notifications }) => `${kind} ${notifications.join(', ')}`)
    .join('; ')
}

/** Describes a job's data. Encrypted links are omitted. */
function describeData(data: Record<string, unknown> | null): string {
  if (data === null) return ''
  return Object.entries(data)
    .filter(([key]) => key !== 'sealedLink')
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    .join(', ')
}
