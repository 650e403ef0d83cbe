import { type Db, query } from '#server/database/database.ts'
import { afterCursor } from '#server/database/keyset.ts'
import type { StoredAgreement, StoredSummary } from './store-agreement.ts'

export type AgreementRow = {
  number: number
  input: Record<string, string>
  answers: number
  share: number | null
  questions: StoredAgreement[]
}
export type AgreementSummaryRow = {
  is_due: boolean
  computed_at: string | null
  answers: number
  questions: StoredSummary[]
}
export type BatchWorkerRow = {
  worker_id: string
  worker: string
  answers: number
  golden_answers: number
  golden_right: number
  compared: number
  agreeing: number
  error_rates: (number | null)[]
  score: number | null
  is_golden: boolean | null
}

const ITEMS = `select number, ordered_fields(input, (select columns from batches where id = $1)) as input, answers, share, questions
   from (select number, answers, share, questions from item_agreement where batch_id = $1 and number > $2::bigint`
const INPUT = `order by number limit $3) as page
   cross join lateral (select input from batch_items where batch_id = $1 and batch_items.number = page.number limit 1) as item
  order by number`

const itemAgreements = query<AgreementRow, [batch: string, after: number, limit: number]>(
  'item_agreements',
  `${ITEMS} ${INPUT}`,
)
const disagreeingItems = query<AgreementRow, [batch: string, after: number, limit: number]>(
  'disagreeing_items',
  `${ITEMS} and share < 1 ${INPUT}`,
)

/** Returns the agreement of one item, if it has been computed and, with `isDisagreeing`, its answers differ. */
export async function agreementOfItem(db: Db, batchId: string, item: number, isDisagreeing: boolean) {
  const rows = await agreementOfItems(db, batchId, { isDisagreeing, after: item - 1, limit: 1 })
  return rows.filter(({ number }) => number === item)
}

/** Returns the agreement of the items of a batch after one of them, or only of those on which answers differ. */
export const agreementOfItems = (
  db: Db,
  batchId: string,
  { isDisagreeing, after, limit }: { isDisagreeing: boolean; after: number; limit: number },
) => (isDisagreeing ? disagreeingItems : itemAgreements)(db, batchId, after, limit)

export const agreementSummaryOf = query<AgreementSummaryRow, [batch: string]>(
  'batch_agreement_summary',
  `select state <> 'computed' as is_due, computed_at, answers, questions from batch_agreement where batch_id = $1`,
)

export const workersOfBatch = query<
  BatchWorkerRow,
  [batch: string, buyer: string, after: string | null, scoreAfter: number, limit: number]
>(
  'workers_of_batch',
  `select worker_id, worker_pseudonym($2, worker_id) as worker, answers, golden_answers, golden_right, compared, agreeing, error_rates,
          score::float8, is_golden
     from (select * from batch_workers where batch_id = $1 and worker_id > ${afterCursor('$3', 'uuid')}
            order by worker_id limit $5) as page
    cross join lateral worker_score(project_id, worker_id, $4)
    order by worker_id`,
)
