import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/payouts.ts'
import type { RouteContext } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { requireExportable, sendCsv } from '#server/http/csv-file.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { presentPayoutBatch } from './present.ts'
import {
  type PayoutBatchFilterParams,
  type PayoutBatchRow,
  payoutBatchesNewestFirst,
  totalsOfPayoutBatches,
} from './queries.ts'

const HEADING = [
  'Batch',
  'State',
  'Created',
  'Created by',
  'Checked by',
  'Released',
  'Released by',
  'Not sent',
  'Sent',
  'Unknown',
  'Paid',
  'Failed',
  'Removed',
  'Coins',
  'Dollars',
]

/** Serves the payout batches to Admins, with their sums and as a file. */
export function payoutBatchTableRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.listPayoutBatches, async ({ db, query, reply }) => {
    const rows = await page(
      reply,
      query,
      ['id'],
      ([before], count) => payoutBatchesNewestFirst(db, ...filterOf(query), before as string | null, count),
      (row) => [row.id],
    )
    return rows.map(presentPayoutBatch)
  })

  serve(app, context, contract.payoutBatchTotals, ({ db, query }) =>
    totalsOfPayoutBatches(db, ...filterOf(query)),
  )

  serve(app, context, contract.payoutBatchesFile, async ({ db, query, viewer, request, reply }) => {
    const { batches } = await totalsOfPayoutBatches(db, ...filterOf(query))
    requireExportable(batches)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'payouts')
    return sendCsv(reply, {
      name: 'payout-batches.csv',
      heading: HEADING,
      read: (last: PayoutBatchRow | null, limit) =>
        payoutBatchesNewestFirst(db, ...filterOf(query), last?.id ?? null, limit),
      cells: cellsOf,
    })
  })
}

function filterOf({ state, from, to }: contract.PayoutBatchFilter): PayoutBatchFilterParams {
  return [state ?? null, from ?? null, to ?? null]
}

function cellsOf(row: PayoutBatchRow): (string | number)[] {
  const { counts, ...batch } = presentPayoutBatch(row)
  return [
    batch._id,
    batch.state,
    batch.createdAt,
    batch.createdBy?.name ?? '',
    batch.checkedBy?.name ?? '',
    batch.releasedAt ?? '',
    batch.releasedBy?.name ?? '',
    counts.queued,
    counts.sent,
    counts.unknown,
    counts.confirmed,
    counts.failed,
    counts.removed,
    batch.coins,
    (batch.cents / 100).toFixed(2),
  ]
}
