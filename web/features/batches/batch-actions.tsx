import { t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import type { Batch } from '#contract/batches.ts'
import { useTaskChanges } from '#web/features/tasks/use-task-changes.tsx'
import { IconCalendar, IconPlus } from '#web/ui/icons.ts'

/** Renders what a buyer can do with an open batch in a list: add workers to its items, and move its deadline. */
export function BatchActions({ batch }: { batch: Batch }) {
  const { addBatchWorkers, moveBatchDeadline } = useTaskChanges()
  const { fileName: file } = batch
  return (
    <span className="flex gap-1.5">
      <ActionIcon
        size="calc(36px)"
        aria-label={t`Add workers to ${file}`}
        title={t`Add workers`}
        onClick={() => void addBatchWorkers(batch)}
      >
        <IconPlus size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size="calc(36px)"
        aria-label={t`Change the deadline of ${file}`}
        title={t`Change deadline`}
        onClick={() => void moveBatchDeadline(batch)}
      >
        <IconCalendar size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
    </span>
  )
}
