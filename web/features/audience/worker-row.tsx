import { t } from '@lingui/core/macro'
import { Button, NativeSelect } from '@mantine/core'
import type { MyWorker } from '#contract/my-workers.ts'
import type { Qualification } from '#contract/qualifications.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { IconCheck } from '#web/ui/icons.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { useWorkerActions } from './use-worker-actions.ts'

type Props = { worker: MyWorker; qualifications: readonly Qualification[] }

/** Renders a worker of the buyer: their record, qualifications, and what the buyer can do. */
export function WorkerRow({ worker, qualifications }: Props) {
  const { isBusy, toggleFavourite, block, unblock, setQualified } = useWorkerActions(worker)
  const { name, submitted, approved, rejected, lastAt, favourite } = worker
  const held = qualifications.filter(({ _id }) => worker.qualifications.includes(_id))
  // The button that revokes a qualification is removed with it, and the field that grants one with the last.
  const row = useFocusRecovery<HTMLElement>(worker.qualifications.length)
  const nameOf = (id: string) => qualifications.find(({ _id }) => _id === id)?.name ?? ''
  const others = qualifications.filter(({ _id }) => !worker.qualifications.includes(_id))
  return (
    <article ref={row} tabIndex={-1} aria-label={name} className="outline-none">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-nav wrap-anywhere">{name}</span>
            <span className="font-mono text-sm text-dim">{worker.worker}</span>
            {worker.block !== null && <StatusBadge tone="error">{t`Blocked`}</StatusBadge>}
          </p>
          <p className="mt-1 text-sm text-dim">
            {[
              t`${{ number: formatNumber(submitted) }} submitted`,
              t`${{ number: formatNumber(approved) }} approved`,
              t`${{ number: formatNumber(rejected) }} rejected`,
              t`last submission ${{ time: formatTimeAgo(lastAt) }}`,
            ].join(' · ')}
          </p>
          {worker.block !== null && (
            <p className="mt-1 text-sm wrap-anywhere">
              {t`Blocked ${{ time: formatDateTime(worker.block.since) }}: ${{ reason: worker.block.reason }}`}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            variant={favourite ? 'light' : 'default'}
            size="xs"
            leftSection={favourite && <IconCheck size={14} aria-hidden />}
            disabled={isBusy}
            aria-pressed={favourite}
            onClick={() => void toggleFavourite()}
          >
            {t`Favourite`}
            <span className="sr-only">: {name}</span>
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={isBusy}
            onClick={() => void (worker.block === null ? block() : unblock())}
          >
            {worker.block === null ? t`Block` : t`Unblock`}
            <span className="sr-only">: {name}</span>
          </Button>
        </div>
      </div>
      {worker.earned.length > 0 && (
        <p className="mt-1 text-sm text-dim">
          {worker.earned
            .map(({ qualification, right, answers }) => earnedText(nameOf(qualification), right, answers))
            .join(' · ')}
        </p>
      )}
      {qualifications.length > 0 && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          {held.map(({ _id, name: skill }) => (
            <Button
              key={_id}
              variant="light"
              size="xs"
              disabled={isBusy}
              aria-label={t`Revoke ${{ qualification: skill }} from ${{ worker: name }}`}
              onClick={() => void setQualified(_id, false)}
            >
              {skill} ×
            </Button>
          ))}
          {others.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label={t`Grant a qualification to ${{ worker: name }}`}
              disabled={isBusy}
              value=""
              data={[
                { value: '', label: t`Grant a qualification` },
                ...others.map(({ _id, name: skill }) => ({ value: _id, label: skill })),
              ]}
              onChange={(event) => {
                if (event.currentTarget.value !== '') void setQualified(event.currentTarget.value, true)
              }}
            />
          )}
        </div>
      )}
    </article>
  )
}

const earnedText = (qualification: string, right: number, answers: number) =>
  t`${qualification}: earned with ${{ right: formatNumber(right) }} of ${{ answers: formatNumber(answers) }}`
