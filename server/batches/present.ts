import { batchProblemText, isBatchError } from '#contract/batch-problems.en.ts'
import type { Batch, BatchCost, BatchProblem } from '#contract/batches.ts'
import { feeOf } from '#contract/product.ts'
import type { Config } from '#server/config.ts'
import type { BatchRow, StoredProblem } from './queries.ts'

export function presentBatch(row: BatchRow, config: Config): Batch {
  return {
    _id: row.id,
    projectId: row.project_id,
    projectVersion: row.project_version,
    title: row.content.title,
    fileName: row.file_name,
    state: row.state,
    bytes: row.bytes,
    rowsRead: row.rows_read,
    items: row.items,
    columns: row.columns,
    encoding: row.encoding,
    separator: row.separator,
    errors: row.errors,
    warnings: row.warnings,
    cost: row.state === 'checked' && row.errors === 0 ? costOf(row, config) : null,
    createdAt: row.created_at,
    checkedAt: row.checked_at,
  }
}

function costOf(
  { items, content: { workersPerItem, reward } }: BatchRow,
  { taskFeePercent }: Config,
): BatchCost {
  const pay = items * workersPerItem * reward
  const fee = feeOf(pay, taskFeePercent)
  return { items, workersPerItem, reward, pay, fee, total: pay + fee }
}

export function presentProblem({ row, column, kind, parameter }: StoredProblem): BatchProblem {
  return { row, column, kind, isError: isBatchError(kind), message: batchProblemText(kind, parameter) }
}
