import { type Database, query } from '#server/database/database.ts'
import type { Agreement, QuestionAgreement } from './agreement.ts'
import type { EncodedAnswers } from './compute-agreement.ts'

/** Items that are written in one transaction. */
const ITEMS_PER_WRITE = 1_000
/** Above every item number. */
const LAST_ITEM = 2_147_483_647

/** The agreement on one question of an item as it is stored: see QuestionAgreement of contract/batch-agreement.ts. */
export type StoredAgreement = [
  answers: number,
  majority: number,
  share: number,
  estimate: number,
  probability: number,
]
/** The summary of a question as it is stored. */
export type StoredSummary = QuestionAgreement['summary']

const storeItems = query<never, [batch: string, after: number, through: number, items: string]>(
  'store_item_agreement',
  'select store_item_agreement($1, $2, $3, $4)',
)
const storeWorkers = query<never, [batch: string, workers: string]>(
  'store_worker_agreement',
  'select store_worker_agreement($1, $2)',
)
const resetWorkers = query<never, [batch: string, except: readonly string[]]>(
  'reset_worker_agreement',
  'select reset_worker_agreement($1, $2)',
)
const endAgreement = query<never, [batch: string, answers: number, questions: string]>(
  'end_agreement',
  'select end_agreement($1, $2, $3)',
)

/** Stores the agreement of a batch: ITEMS_PER_WRITE items or workers at a time, then the summary. */
export async function storeAgreement(
  database: Database,
  batchId: string,
  answers: EncodedAnswers,
  agreement: Agreement,
): Promise<void> {
  const { itemNumbers, workerIds } = answers
  const answersOfItem = countsOf(answers.items, itemNumbers.length)
  for (let first = 0, after = 0; first === 0 || first < itemNumbers.length; first += ITEMS_PER_WRITE) {
    const numbers = itemNumbers.slice(first, first + ITEMS_PER_WRITE)
    const items = numbers.map((number, place) => ({
      number,
      answers: answersOfItem[first + place],
      ...itemOf(agreement.questions, first + place),
    }))
    const through = first + ITEMS_PER_WRITE >= itemNumbers.length ? LAST_ITEM : (numbers.at(-1) ?? LAST_ITEM)
    await storeItems(database, batchId, after, through, JSON.stringify(items))
    after = through
  }
  const answersOfWorker = countsOf(answers.workers, workerIds.length)
  for (let first = 0; first < workerIds.length; first += ITEMS_PER_WRITE) {
    const workers = workerIds.slice(first, first + ITEMS_PER_WRITE).map((id, place) => ({
      worker_id: id,
      answers: answersOfWorker[first + place],
      compared: agreement.compared[first + place],
      agreeing: agreement.agreeing[first + place],
      // JSON has null for NaN.
      error_rates: agreement.questions.map(({ errorRates }) => rounded(errorRates[first + place] as number)),
    }))
    await storeWorkers(database, batchId, JSON.stringify(workers))
  }
  await resetWorkers(database, batchId, workerIds)
  const summaries = agreement.questions.map(({ summary }): StoredSummary => summary)
  await endAgreement(database, batchId, answers.items.length, JSON.stringify(summaries))
}

function itemOf(questions: readonly QuestionAgreement[], item: number) {
  const compared = questions.filter(({ votes }) => (votes[item] as number) > 1)
  const share = Math.min(...compared.map((question) => question.share[item] as number))
  return {
    share: compared.length === 0 ? null : share,
    questions: questions.map(
      (question): StoredAgreement => [
        question.votes[item] as number,
        question.majority[item] as number,
        rounded(question.share[item] as number),
        question.estimate[item] as number,
        rounded(question.probability[item] as number),
      ],
    ),
  }
}

function countsOf(places: Int32Array, length: number): number[] {
  const counts = new Array<number>(length).fill(0)
  for (const place of places) counts[place] = (counts[place] ?? 0) + 1
  return counts
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000
