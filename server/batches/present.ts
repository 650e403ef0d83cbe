import * as bangla from '#contract/batch-problems.bn.ts'
import * as english from '#contract/batch-problems.en.ts'
import { isBatchError } from '#contract/batch-problems.ts'
import type { Batch, BatchCost, BatchProblem } from '#contract/batches.ts'
import type { ReservedItem } from '#contract/items.ts'
import type { Locale } from '#contract/locales.ts'
import { feeOf } from '#contract/product.ts'
import type { Config } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { presentItem } from '#server/projects/present.ts'
import type { ItemRow, ReservedItemRow } from './items.ts'
import type { BatchRow, StoredProblem } from './queries.ts'

export function presentBatch(row: BatchRow, config: Config, locale: Locale): Batch {
  return {
    _id: row.id,
    projectId: row.project_id,
    projectVersion: row.project_version,
    title: row.content.title,
    fileName: row.file_name,
    state: row.state,
    bytes: row.bytes,
    rowsRead: row.rows_read,
    pictures: row.pictures,
    picturesChecked: row.pictures_checked,
    items: row.items,
    goldenItems: row.golden_items,
    columns: row.columns,
    encoding: row.encoding,
    separator: row.separator,
    errors: row.errors,
    warnings: row.warnings,
    cost: row.checked_at !== null && row.errors === 0 ? costOf(row, config) : null,
    itemsWritten: row.items_written,
    fundingRefusal: row.funding_refusal && Refusal.of(row.funding_refusal).in(locale).message,
    scheduled: scheduledPayment(row),
    taskId: row.task_id,
    workersPerItem: row.content.workersPerItem + row.added_workers,
    itemsToppedUp: row.raising_workers > 0 ? row.raised_items : null,
    completionDate: row.task_completion_date,
    isClosed: row.is_closed ?? false,
    createdAt: row.created_at,
    checkedAt: row.checked_at,
  }
}

function scheduledPayment({ state, post_at, completion_date, agreed_total }: BatchRow): Batch['scheduled'] {
  if (state !== 'checked' || post_at === null || completion_date === null || agreed_total === null)
    return null
  return { postAt: post_at, completion_date, total: agreed_total }
}

/** Returns what a batch costs now, or what was paid for an open one. */
function costOf(row: BatchRow, { taskFeePercent }: Config): BatchCost {
  const { items, content, state, agreed_total } = row
  const workersPerItem = content.workersPerItem + row.added_workers
  const pay = items * workersPerItem * content.reward
  const fee = state === 'open' && agreed_total !== null ? agreed_total - pay : feeOf(pay, taskFeePercent)
  return { items, workersPerItem, reward: content.reward, pay, fee, total: pay + fee }
}

const TEXTS = { en: english, bn: bangla }

export function presentProblem(
  { row, column, kind, parameter }: StoredProblem,
  locale: Locale,
): BatchProblem {
  const message = TEXTS[locale].BATCH_PROBLEM_TEXTS[kind](parameter)
  return { row, column, kind, isError: isBatchError(kind), message }
}

/** Returns the rows of the report's CSV file, the headings first. */
export function reportRows(problems: StoredProblem[], locale: Locale): string[][] {
  const { headings, error, warning } = TEXTS[locale].BATCH_REPORT
  return [
    headings,
    ...problems
      .map((problem) => presentProblem(problem, locale))
      .map(({ row, column, isError, message }) => [
        row === null ? '' : String(row),
        column ?? '',
        isError ? error : warning,
        message,
      ]),
  ]
}

/** Returns an item as a worker sees it. */
export function presentItemContent({ content, input }: ItemRow) {
  const { missing: _, ...item } = presentItem(content, input)
  return item
}

export function presentReservedItem(row: ReservedItemRow): ReservedItem {
  return {
    ...presentItemContent(row),
    taskId: row.task_id,
    number: row.number,
    expiresAt: row.expires_at,
  }
}
