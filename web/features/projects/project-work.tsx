import { plural, t } from '@lingui/core/macro'
import { type ListedProject, PROJECT_WORK_MAX } from '#contract/projects.ts'
import { formatNumber } from '#web/lib/format.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Renders how far the paid work of a project is, as a bar and in words, and the files that wait for the buyer. */
export function ProjectWork({ work }: Pick<ListedProject, 'work'>) {
  const { slots, done, pending, reserved, unpaidBatches, failedBatches } = work
  const widthOf = (count: number) => ({ width: `${Math.min(100, (count / slots) * 100)}%` })
  const facts = [
    t`${{ done: formatNumber(done) }} of ${{ all: formatNumber(slots) }} done`,
    ...(reserved > 0 ? [t`${{ count: atMost(reserved) }} in progress`] : []),
  ]
  return (
    <span className="block text-xs text-dim">
      {slots > 0 && (
        <>
          <span aria-hidden className="mb-1.5 flex h-1.5 overflow-hidden rounded-full bg-line">
            <span className="bg-fill" style={widthOf(done)} />
            <span className="bg-fill/60" style={widthOf(pending)} />
            <span className="bg-fill/25" style={widthOf(reserved)} />
          </span>
          {pending > 0 && (
            <span className="font-number text-ink">
              {t`${{ count: atMost(pending) }} to review`}
              {' · '}
            </span>
          )}
          {facts.join(' · ')}
        </>
      )}
      {slots === 0 && unpaidBatches + failedBatches === 0 && t`No work yet`}
      {unpaidBatches + failedBatches > 0 && (
        <span className={`flex flex-wrap gap-1.5 ${slots > 0 ? 'mt-1.5' : ''}`}>
          {unpaidBatches > 0 && (
            <StatusBadge tone="warning">
              {plural(unpaidBatches, { one: '# file ready to pay', other: '# files ready to pay' })}
            </StatusBadge>
          )}
          {failedBatches > 0 && (
            <StatusBadge tone="error">
              {plural(failedBatches, { one: '# file has errors', other: '# files have errors' })}
            </StatusBadge>
          )}
        </span>
      )}
    </span>
  )
}

/** Returns a count that stops at PROJECT_WORK_MAX. */
const atMost = (count: number) =>
  count < PROJECT_WORK_MAX ? formatNumber(count) : `${formatNumber(PROJECT_WORK_MAX)}+`
