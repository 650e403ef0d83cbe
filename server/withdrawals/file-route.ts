import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/withdrawals.ts'
import type { RouteContext } from '#server/context.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'
import { hasNoWord, searchWords } from '#server/database/search-words.ts'
import { clientOf } from '#server/http/client.ts'
import { requireExportable, sendCsv } from '#server/http/csv-file.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { COLUMNS, type WithdrawalRow } from './queries.ts'

type FileRow = WithdrawalRow & {
  decided_by: string | null
  score: number | null
  payout_state: string | null
  reference: string | null
  transaction_id: string | null
}

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

type Filter = [status: contract.WithdrawalStatus, words: string | null]
const FILTER = `withdrawals.status = $1 and ($2::text is null or users.search @@ to_tsquery('simple', $2))`

const countOfFile = queryOne<{ requests: number }, Filter>(
  'withdrawals_file_count',
  `select count(*) as requests from withdrawals join users on users.id = withdrawals.worker_id where ${FILTER}`,
)

const rowsOfFile = (name: string, cursor: string, order: 'asc' | 'desc') =>
  query<FileRow, [...Filter, last: string | null, limit: number]>(
    name,
    `with requests as materialized (
       select ${COLUMNS}, withdrawals.decided_by as decider_id from withdrawals join users on users.id = withdrawals.worker_id
        where ${FILTER} and withdrawals.id ${cursor} order by withdrawals.id ${order} limit $4)
     select requests.*, (select name from users where id = decider_id) as decided_by,
            (select score from risk_assessments where withdrawal_id = requests.id) as score,
            latest.state as payout_state, latest.reference, latest.transaction_id
       from requests left join lateral (
         select state, reference, transaction_id from payouts
          where withdrawal_id = requests.id and state <> 'removed' order by attempt desc limit 1) as latest on true
      order by requests.id ${order}`,
  )
const oldestFirst = rowsOfFile('withdrawals_file_oldest', `> ${afterCursor('$3', 'uuid')}`, 'asc')
const newestFirst = rowsOfFile('withdrawals_file_newest', `< ${beforeCursor('$3', 'uuid')}`, 'desc')

/** Serves the withdrawal requests of a filter to Admins as a file. */
export function withdrawalFileRoute(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.withdrawalRequestsFile, async ({ db, query, viewer, request, reply }) => {
    const { status = 'pending', q = '' } = query
    const filter: Filter = [status, searchWords(q)]
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
function read(db: Db, filter: Filter, last: FileRow | null, limit: number): Promise<FileRow[]> {
  const list = filter[0] === 'pending' ? oldestFirst : newestFirst
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
    row.payment_system,
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
