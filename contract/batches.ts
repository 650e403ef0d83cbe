import * as z from 'zod/mini'
import { BATCH_PROBLEM_KINDS } from './batch-problems.ts'
import { endpoint } from './endpoint.ts'
import { REWARD_MAX, SLOTS_MAX } from './product.ts'
import { ItemPreview, WORKERS_PER_ITEM_MAX } from './projects.ts'
import { ById, Coins, Day, Id, line, Paging, Time, whole } from './shapes.ts'

export const BATCH_ROWS_MAX = 100_000
export const BATCH_COLUMNS_MAX = 100
/** The longest value of a row, in characters. */
export const BATCH_VALUE_MAX = 10_000
/** A file is uploaded in chunks of at most this size, in order. */
export const BATCH_CHUNK_BYTES = 262_144
export const BATCH_CHUNKS_MAX = 256
export const BATCH_BYTES_MAX = BATCH_CHUNK_BYTES * BATCH_CHUNKS_MAX
/** The files that a buyer can have at a time before they are paid. */
export const UNPAID_BATCHES_MAX = 10
/** The problems that a report lists. All are counted. */
export const BATCH_PROBLEMS_MAX = 1_000
/** The different pictures of a file that are requested, and the time after which the others are not. */
export const BATCH_PICTURES_MAX = 10_000
export const PICTURE_CHECK_MINUTES = 10
/** A file that is not paid is deleted after this time. */
export const UNPAID_BATCH_DAYS = 7
/** The rows of a checked file that can be previewed. */
export const BATCH_SAMPLES = 5

/** The states of a batch. A checked batch with errors needs another file. */
export const BATCH_STATES = ['uploading', 'checking', 'checked', 'funding', 'open', 'cancelled'] as const
export type BatchState = (typeof BATCH_STATES)[number]

/** What the items cost. `total` is `pay` with the marketplace's fee. */
export const BatchCost = z.object({
  items: z.int(),
  workersPerItem: z.int(),
  reward: Coins,
  pay: Coins,
  fee: Coins,
  total: Coins,
})
export type BatchCost = z.infer<typeof BatchCost>

/** `rowsRead`, then `picturesChecked` rise while the file is checked. `cost` is null until a check has found no errors. */
export const Batch = z.object({
  _id: Id,
  projectId: Id,
  projectVersion: z.int(),
  title: z.string(),
  fileName: z.string(),
  state: z.enum(BATCH_STATES),
  bytes: z.int(),
  rowsRead: z.int(),
  /** The different URLs in the picture columns: 0 until all rows are read, and where they have errors. */
  pictures: z.int(),
  /** Those that were requested so far. */
  picturesChecked: z.int(),
  items: z.int(),
  /** The items with known answers, from the columns `Golden.` and the name of a question. */
  goldenItems: z.int(),
  columns: z.array(z.string()),
  encoding: z.nullable(z.string()),
  /** The separator of a CSV file; null for JSON lines. */
  separator: z.nullable(z.string()),
  errors: z.int(),
  warnings: z.int(),
  cost: z.nullable(BatchCost),
  /** Items that are written while the batch is being funded. */
  itemsWritten: z.int(),
  /** Why the last funding was refused, also one that was scheduled. */
  fundingRefusal: z.nullable(z.string()),
  /** When a checked batch is paid automatically, with the last day and the cost that the buyer has seen; null: not scheduled. */
  scheduled: z.nullable(z.object({ postAt: Time, completion_date: Day, total: Coins })),
  /** The task that workers see, of an open batch. */
  taskId: z.nullable(Id),
  /** The workers that are paid for each item, with those of a top up. */
  workersPerItem: z.int(),
  /** The items that want the workers of the last top up, while it is in progress; otherwise null. */
  itemsToppedUp: z.nullable(z.int()),
  /** The last day of an open batch, and whether its task is closed. */
  completionDate: z.nullable(Day),
  isClosed: z.boolean(),
  createdAt: Time,
  checkedAt: z.nullable(Time),
})
export type Batch = z.infer<typeof Batch>

/** `row` is the number that a spreadsheet shows, the heading is row 1; null: the file as a whole. */
export const BatchProblem = z.object({
  row: z.nullable(z.int()),
  column: z.nullable(z.string()),
  kind: z.enum(BATCH_PROBLEM_KINDS),
  isError: z.boolean(),
  message: z.string(),
})
export type BatchProblem = z.infer<typeof BatchProblem>

export const batches = endpoint({
  method: 'GET',
  path: '/batches',
  summary: "The caller's batches, newest first",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  query: z.extend(Paging, { project: z.optional(Id), task: z.optional(Id) }),
  reply: z.array(Batch),
})

/** The name of a file as its batch has it: on one line, with single spaces. */
export const BatchFileName = line(200, 'Choose a file')

export const createBatch = endpoint({
  method: 'POST',
  path: '/projects/:id/batches',
  summary: 'Begin the upload of a CSV or JSON lines file for a project',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({ fileName: BatchFileName }),
  reply: Batch,
  status: 201,
  errors: ['state_conflict'],
})

const paddingOf = (base64: string) => (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
const bytesOf = (base64: string) => (base64.length / 4) * 3 - paddingOf(base64)

/** The chunks are numbered from 0. A chunk can be sent again, so an interrupted upload continues where it stopped. */
export const uploadChunk = endpoint({
  method: 'PUT',
  path: '/batches/:id/chunks/:number',
  summary: 'Upload a chunk of the file of a batch, in base64',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: z.object({
    id: Id,
    number: z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/)),
      z.pipe(z.transform(Number), z.int().check(z.maximum(BATCH_CHUNKS_MAX - 1))),
    ),
  }),
  body: z.object({
    content: z.base64('Choose a file').check(
      z.minLength(1, 'Choose a file'),
      z.maxLength(Math.ceil(BATCH_CHUNK_BYTES / 3) * 4, 'This chunk is too large'),
      z.refine((content) => bytesOf(content) <= BATCH_CHUNK_BYTES, 'This chunk is too large'),
    ),
  }),
  reply: z.object({ bytes: z.int() }),
  idempotency: 'own',
  errors: ['state_conflict'],
})

/** `bytes` is the size of the whole file: an upload that lacks a chunk is refused. */
export const checkBatch = endpoint({
  method: 'POST',
  path: '/batches/:id/check',
  summary: 'End the upload and check every row and picture in the background; nothing is paid',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({ bytes: whole(1, BATCH_BYTES_MAX) }),
  reply: Batch,
  status: 202,
  errors: ['state_conflict'],
})

export const batch = endpoint({
  method: 'GET',
  path: '/batches/:id',
  summary: "One of the caller's batches, with its progress and cost",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: Batch,
})

export const batchProblems = endpoint({
  method: 'GET',
  path: '/batches/:id/problems',
  summary: 'The first 1,000 problems of the file of a batch, by row and column',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: z.array(BatchProblem),
})

/** The response is a file (text/csv, UTF-8), not JSON. */
export const batchReport = endpoint({
  method: 'GET',
  path: '/batches/:id/problems/csv',
  summary: 'The problems of the file of a batch as a CSV file',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: z.unknown(),
})

export const batchPreview = endpoint({
  method: 'GET',
  path: '/batches/:id/preview',
  summary: 'The first five items of a checked batch as a worker sees them',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: z.array(ItemPreview),
})

const Funding = z.object({ completion_date: Day, total: whole(1, SLOTS_MAX * REWARD_MAX * 2) })

/**
 * `total` is the cost that the buyer has seen. The items are written in the background; the coins move when all are there, whole
 * or not at all.
 */
export const fundBatch = endpoint({
  method: 'POST',
  path: '/batches/:id/funding',
  summary: 'Fund a checked batch: its task is posted when all items are written',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: Funding,
  reply: Batch,
  status: 202,
  errors: ['state_conflict', 'email_not_verified', 'account_frozen', 'deadline_passed'],
})

/**
 * Without a `scheduled` payment it is cancelled. At that time the batch is funded as by `POST /batches/:id/funding`; its coins move
 * then, and not before. A payment that is refused is not tried again.
 */
export const scheduleBatch = endpoint({
  method: 'PUT',
  path: '/batches/:id/schedule',
  summary: 'Set the time at which a checked batch is paid and posted, or null for none',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({ scheduled: z.nullable(z.extend(Funding, { postAt: Time })) }),
  reply: Batch,
  errors: ['state_conflict', 'email_not_verified', 'deadline_passed'],
})

/**
 * `workersPerItem` is the number afterwards, so that a repeated request adds nothing; `total` is the cost that the buyer has seen.
 * The coins move at once, whole or not at all, and the items are offered to further workers within seconds.
 */
export const topUpBatch = endpoint({
  method: 'PUT',
  path: '/batches/:id/workers',
  summary: 'Add workers to every item of an open batch; their whole cost moves at once',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({
    workersPerItem: whole(1, WORKERS_PER_ITEM_MAX),
    total: whole(1, SLOTS_MAX * REWARD_MAX * 2),
  }),
  reply: Batch,
  errors: [
    'state_conflict',
    'account_frozen',
    'task_not_found',
    'task_closed',
    'deadline_passed',
    'insufficient_coins',
  ],
})

export const cancelBatch = endpoint({
  method: 'POST',
  path: '/batches/:id/cancel',
  summary: 'Cancel a batch that is not paid; its file is deleted',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  reply: Batch,
  errors: ['state_conflict'],
})
