import type { FastifyInstance } from 'fastify'
import { PAYMENT_SYSTEM_NAMES } from '#contract/amounts.en.ts'
import * as contract from '#contract/withdrawals.ts'
import type { RouteContext } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { hasNoWord, searchWords } from '#server/database/search-words.ts'
import { clientOf } from '#server/http/client.ts'
import { requireExportable, sendCsv } from '#server/http/csv-file.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { countOfFile, type FileFilter, type FileRow, fileNewestFirst, fileOldestFirst } from './queries.ts'

const HEADING = [
  'Request',
  'Requested',
  'Worker',
  'Email',
  'User id',
  'Coins',
  'Dollars',
  'Payment system',
  'Account number',
  'Status',
  'Decided',
  'Decided by',
  'Reason',
  'Risk score',
  'Payout',
  'Reference',
  'Transaction',
]

/** Serves the withdrawal requests of a filter to Admins as a file. */
export function withdrawalFileRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.withdrawalRequestsFile, async ({ db, query, viewer, request, reply }) => {
    const { status = 'pending', q = '' } = query
    const filter: FileFilter = [status, searchWords(q)]
    const findsNothing = hasNoWord(q)
    const { requests: count } = findsNothing ? { requests: 0 } : await countOfFile(db, ...filter)
    requireExportable(count)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'withdrawals')
    return sendCsv(reply, {
      name: 'withdrawal-requests.csv',
      heading: HEADING,
      read: async (last: FileRow | null, limit) => (findsNothing ? [] : read(db, filter, last, limit)),
      cells: cellsOf,
    })
  })
}

/** Returns the requests after `last` in the order of the list: pending ones oldest first, others newest first. */
function read(db: Db, filter: FileFilter, last: FileRow | null, limit: number): Promise<FileRow[]> {
  const list = filter[0] === 'pending' ? fileOldestFirst : fileNewestFirst
  return list(db, ...filter, last?.id ?? null, limit)
}

function cellsOf(row: FileRow): (string | number)[] {
  return [
    row.id,
    row.created_at,
    row.worker_name,
    row.worker_email,
    row.worker_id,
    row.coins,
    (row.amount_cents / 100).toFixed(2),
    PAYMENT_SYSTEM_NAMES[row.payment_system],
    row.account_number,
    row.status,
    row.decided_at ?? '',
    row.decided_by ?? '',
    row.reason,
    row.score ?? '',
    row.payout_state ?? '',
    row.reference ?? '',
    row.transaction_id ?? '',
  ]
}
