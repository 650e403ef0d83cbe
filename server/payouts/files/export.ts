import { createHash } from 'node:crypto'
import { v7 as newId } from 'uuid'
import type { PayoutFile, PayoutFileColumn } from '#contract/payout-files.ts'
import { type Db, MANY_ROWS, query, queryOne } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'
import { writeCsv } from '#server/http/csv-file.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type PayoutFileRow, payoutFileRows } from './file-rows.ts'

const profileById = query<{ name: string; columns: PayoutFileColumn[] }, [id: string]>(
  'payout_file_profile_by_id',
  'select name, columns from payout_file_profiles where id = $1',
)
const rowsOfBatch = query<PayoutFileRow, [batchId: string]>(
  'payout_file_rows',
  `select payouts.reference, payouts.batch_id, payouts.withdrawal_id, payouts.payment_system, payouts.account_number,
          payouts.holder_name, payouts.bank_name, payouts.branch, payouts.routing_number, request.worker_name,
          request.worker_email, request.requested_on, payouts.cents, payouts.poisha,
          case when payouts.poisha is not null then (
            select trim_scale(rate)::text from exchange_rates
             where id = (select exchange_rate_id from payout_batches where id = $1)) end as rate
     from payouts cross join lateral (
            select users.name as worker_name, users.email as worker_email, withdrawals.requested_on
              from withdrawals join users on users.id = withdrawals.worker_id
             where withdrawals.id = payouts.withdrawal_id limit 1) as request
    where payouts.batch_id = $1 and payouts.state = 'sent' order by payouts.withdrawal_id`,
)
const failStoppedPayouts = query<never, [batchId: string, adminId: string]>(
  'fail_stopped_payouts',
  'select fail_stopped_payouts($1, $2)',
  MANY_ROWS,
)
type NewFile = {
  id: string
  batch: string
  admin: string
  profile: string
  columns: string
  content: Buffer
  sha256: string
  rows: number
  cents: number
  poisha: number | null
}
const storeFile = sqlFunction<NewFile, string | null>(
  'export_payout_batch',
  ['id', 'batch', 'admin', 'profile', 'columns', 'content', 'sha256', 'rows', 'cents', 'poisha'],
  MANY_ROWS,
)
const ATTEMPTS = 5

/**
 * Makes the file of a released payout batch with a profile's columns and returns its id. Payouts that were stopped after the
 * release fail, and are not in it. A payout batch that was exported with the same columns before keeps its first file.
 * @throws Refusal `not_found`, `payout_batch_not_found`, `yourself` for an Admin with a payout of their own in it,
 * `state_conflict` for a payout batch that is not released, has outcomes or a provider, or whose payouts were stopped: all of
 * them, or one after its first file.
 */
export async function exportPayoutBatch(
  db: Db,
  batchId: string,
  adminId: string,
  profileId: string,
): Promise<string> {
  const [profile] = await profileById(db, profileId)
  if (profile === undefined) throw new Refusal('not_found.payout_file_profile')
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await failStoppedPayouts(db, batchId, adminId)
    const file = writeFile(profile.columns, await rowsOfBatch(db, batchId))
    const { name, columns } = profile
    const id = await storeFile(db, {
      id: newId(),
      batch: batchId,
      admin: adminId,
      profile: name,
      columns: JSON.stringify(columns),
      ...file,
    })
    if (id !== null) return id
  }
  throw new Error(`the payouts of batch ${batchId} changed during ${ATTEMPTS} exports`)
}

function writeFile(columns: PayoutFileColumn[], rows: PayoutFileRow[]) {
  const content = writeCsv(payoutFileRows(columns, rows))
  const inTaka = rows.filter(({ poisha }) => poisha !== null)
  return {
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
    rows: rows.length,
    cents: rows.reduce((sum, { cents }) => sum + cents, 0),
    poisha: inTaka.length === 0 ? null : inTaka.reduce((sum, { poisha }) => sum + Number(poisha), 0),
  }
}

type FileRow = {
  id: string
  profile: string
  sha256: string
  row_count: number
  cents: number
  poisha: number | null
  exported_at: string
  exported_by: string
  admin_name: string
  stopped: string[]
}
export const filesOfPayoutBatch = query<FileRow, [batchId: string]>(
  'payout_files_of_batch',
  `select files.id, files.profile, files.sha256, files.row_count, files.cents, files.poisha, files.exported_at,
          files.exported_by, users.name as admin_name,
          (select coalesce(array_agg(reference order by withdrawal_id), '{}') from payouts
            where batch_id = $1 and case when state = 'sent' then is_payout_stopped(withdrawal_id) end) as stopped
     from payout_files as files join users on users.id = files.exported_by
    where files.batch_id = $1 order by files.exported_at, files.id`,
  MANY_ROWS,
)
export const downloadFile = queryOne<
  { content: Buffer; profile: string; batch_id: string },
  [id: string, adminId: string]
>('download_payout_file', 'select content, profile, batch_id from download_payout_file($1, $2)')

export function presentFile(row: FileRow): PayoutFile {
  return {
    _id: row.id,
    profile: row.profile,
    sha256: row.sha256,
    rows: row.row_count,
    cents: row.cents,
    poisha: row.poisha,
    exportedBy: row.admin_name,
    exportedById: row.exported_by,
    exportedAt: row.exported_at,
    stopped: row.stopped,
  }
}
