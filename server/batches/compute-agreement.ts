import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type ClosedField, closedFields } from '#contract/answer-form.ts'
import type { ProjectContent } from '#contract/projects.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { afterCursor } from '#server/database/keyset.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import type { Agreement, AgreementInput } from './agreement.ts'
import { closedNames, codeOf } from './closed-answers.ts'
import { CONTENT } from './queries.ts'
import { storeAgreement } from './store-agreement.ts'

/** Answers that are read at a time. */
const PAGE_ROWS = 2_000
/** A computation takes some seconds for 100,000 answers. */
const TIMEOUT_MS = 300_000
const MEMORY_MAX_MB = 1_024

type GivenRow = { number: number; worker_id: string; given: (string | string[] | null)[] }
/** The answers of a batch as numbers, with the item numbers and the workers behind them. */
export type EncodedAnswers = AgreementInput & { itemNumbers: number[]; workerIds: string[] }

// Every item and each worker of a large batch is written, so that it waits a millisecond per answer, and half a minute at least.
const dueAgreements = query<{ id: string }, [limit: number]>(
  'batches_to_compare',
  `select batch_id as id from batch_agreement
    where state <> 'computed'
      and (computed_at is null or computed_at < clock_time() - greatest(interval '30 seconds', answers * interval '1 millisecond'))
    order by batch_id limit $1`,
)
const beginAgreement = queryOne<{ begun: boolean }, [batch: string]>(
  'begin_agreement',
  'select begin_agreement($1) as begun',
)
const batchToCompare = queryOne<{ task_id: string; content: ProjectContent }, [batch: string]>(
  'batch_to_compare',
  `select task_id, ${CONTENT} from batches where id = $1`,
)
const givenAnswers = query<
  GivenRow,
  [task: string, names: string[], item: number, worker: string | null, limit: number]
>(
  'answers_to_compare',
  `select item_number as number, worker_id,
          (select jsonb_agg(answers -> name order by place) from unnest($2::text[]) with ordinality as asked(name, place)) as given
     from submissions
    where task_id = $1 and item_number is not null and status <> 'rejected'
      and (item_number, worker_id) > ($3::int, ${afterCursor('$4', 'uuid')})
    order by item_number, worker_id limit $5`,
  { timeoutMs: 10_000 },
)

/** Computes the agreement of batches with new answers, one after another. Returns their number. An interrupted one starts again. */
export function computeDueAgreements(database: Database): Promise<number> {
  return processDueRows(database, dueAgreements, (id) => computeOne(database, id), 1)
}

async function computeOne(database: Database, id: string): Promise<boolean> {
  if (!(await beginAgreement(database, id)).begun) return false
  const { task_id: taskId, content } = await batchToCompare(database, id)
  const answers = await encodeAnswers(database, taskId, closedFields(content.form), closedNames(content.form))
  const { itemNumbers: _, workerIds: __, ...input } = answers
  await storeAgreement(database, id, answers, await computeInThread(input))
  return true
}

/** Reads the answers of a task to the questions with options. Work whose rejection is final does not count. */
async function encodeAnswers(
  database: Database,
  taskId: string,
  fields: readonly ClosedField[],
  names: string[],
): Promise<EncodedAnswers> {
  const [items, workers]: number[][] = [[], []]
  const codes: number[][] = fields.map(() => [])
  const itemNumbers: number[] = []
  const workerPlaces = new Map<string, number>()
  for (let rows: GivenRow[] = [], last: GivenRow | undefined; ; last = rows.at(-1)) {
    rows = await givenAnswers(database, taskId, names, last?.number ?? 0, last?.worker_id ?? null, PAGE_ROWS)
    for (const { number, worker_id: worker, given } of rows) {
      if (itemNumbers.at(-1) !== number) itemNumbers.push(number)
      if (!workerPlaces.has(worker)) workerPlaces.set(worker, workerPlaces.size)
      items?.push(itemNumbers.length - 1)
      workers?.push(workerPlaces.get(worker) ?? 0)
      for (const [place, field] of fields.entries()) codes[place]?.push(codeOf(field, given[place]))
    }
    if (rows.length < PAGE_ROWS) break
  }
  return {
    questions: fields.map(({ type, options }) => ({
      options: options.length,
      isMultiple: type === 'choices',
    })),
    items: Int32Array.from(items ?? []),
    workers: Int32Array.from(workers ?? []),
    codes: codes.map((each) => Float64Array.from(each)),
    itemCount: itemNumbers.length,
    workerCount: workerPlaces.size,
    itemNumbers,
    workerIds: [...workerPlaces.keys()],
  }
}

/** Computes in a thread of its own, so that requests are served meanwhile. @throws Error above its limits of time and memory. */
async function computeInThread(input: AgreementInput): Promise<Agreement> {
  const thread = new Worker(new URL('./agreement-thread.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  })
  try {
    const [agreement] = await once(thread, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return agreement as Agreement
  } finally {
    await thread.terminate()
  }
}
