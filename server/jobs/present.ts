import type { FailedJobRow } from './pg-boss.ts'

export function presentFailedJob(row: FailedJobRow) {
  const { data, output } = row
  const about = typeof data?.template === 'string' ? `${data.template} to ${data.to}` : aboutOf(data)
  return {
    _id: row.id,
    queue: row.name,
    state: row.state,
    about,
    reason: typeof output?.message === 'string' ? output.message : 'It did not finish in time.',
    attempts: row.retry_count + 1,
    time: row.at,
    nextAt: row.state === 'retry' ? row.start_after : null,
  }
}

/** A job's data in a few words; sealed links are not part of it. */
function aboutOf(data: Record<string, unknown> | null): string {
  if (data === null) return ''
  return Object.entries(data)
    .filter(([key]) => key !== 'sealedLink')
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    .join(', ')
}
