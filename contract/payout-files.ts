import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Acknowledged, ById, Id, Inserted, line, storable, Time, Updated, Version } from './shapes.ts'

/** What a column of a payout file can hold. `fixed` is the column's own text, the same in every row. */
export const PAYOUT_FILE_FIELDS = [
  'amount',
  'currency',
  'dollars',
  'taka',
  'rate',
  'reference',
  'paymentSystem',
  'accountNumber',
  'holderName',
  'bankName',
  'branch',
  'routingNumber',
  'workerName',
  'workerEmail',
  'requestedOn',
  'withdrawal',
  'batch',
  'row',
  'fixed',
] as const
export type PayoutFileField = (typeof PAYOUT_FILE_FIELDS)[number]

export const PAYOUT_FILE_COLUMNS_MAX = 40

/**
 * `text` is the value of a `fixed` column. `asText` puts an apostrophe before the value, so that spreadsheets keep its
 * leading zeros; a portal that parses the file needs it off.
 */
export const PayoutFileColumn = z.object({
  header: line(80, 'Enter the heading of the column'),
  field: z.enum(PAYOUT_FILE_FIELDS),
  text: z
    .string()
    .check(storable, z.trim(), z.maxLength(100), z.regex(/^[^\p{Cc}]*$/u, 'Enter text on one line')),
  asText: z.boolean(),
})
export type PayoutFileColumn = z.infer<typeof PayoutFileColumn>

const Columns = z.array(PayoutFileColumn).check(
  z.minLength(1, 'Add at least one column'),
  z.maxLength(PAYOUT_FILE_COLUMNS_MAX, `At most ${PAYOUT_FILE_COLUMNS_MAX} columns`),
  z.refine(
    (columns) => new Set(columns.map(({ header }) => header)).size === columns.length,
    'Two columns have the same heading',
  ),
)

export const PayoutFileProfileEntry = z.object({
  name: line(60, 'Enter a name'),
  note: z.string().check(z.trim(), z.maxLength(500), z.regex(/^[^\p{Cc}]*$/u, 'Enter text on one line')),
  columns: Columns,
})

/** The columns of the file that a bank or a provider accepts, as the operator mapped them. */
export const PayoutFileProfile = z.extend(PayoutFileProfileEntry, {
  _id: Id,
  version: z.int(),
  changedBy: z.nullable(z.string()),
  changedById: z.nullable(Id),
  changedAt: Time,
})
export type PayoutFileProfile = z.infer<typeof PayoutFileProfile>

export const payoutFileProfiles = endpoint({
  method: 'GET',
  path: '/payout-file-profiles',
  summary: 'The column profiles of payout files, by name',
  access: { who: ['Admin'] },
  reply: z.array(PayoutFileProfile),
})

/** A new profile has an id of the client's choice and the `version` 0. */
export const savePayoutFileProfile = endpoint({
  method: 'PUT',
  path: '/payout-file-profiles/:id',
  summary: 'Create a column profile of payout files, or change the version that the caller has seen',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  body: z.extend(PayoutFileProfileEntry, { version: Version }),
  reply: Updated,
})

export const deletePayoutFileProfile = endpoint({
  method: 'DELETE',
  path: '/payout-file-profiles/:id',
  summary: 'Delete a column profile; files that were made with it stay',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  reply: Acknowledged,
})

/**
 * A file that was made of a payout batch. `poisha` is the total of its rows in taka, null where there are none. `stopped` are the
 * references of its payouts without an outcome that a freeze, a risk score or a dispute stops now.
 */
export const PayoutFile = z.object({
  _id: Id,
  profile: z.string(),
  sha256: z.string(),
  rows: z.int(),
  cents: z.int(),
  poisha: z.nullable(z.int()),
  exportedBy: z.string(),
  exportedById: Id,
  exportedAt: Time,
  stopped: z.array(z.string()),
})
export type PayoutFile = z.infer<typeof PayoutFile>

export const payoutFilesOfBatch = endpoint({
  method: 'GET',
  path: '/payout-batches/:id/files',
  summary: 'The files that were made of a payout batch, oldest first',
  access: { who: ['Admin'] },
  params: ById,
  reply: z.array(PayoutFile),
})

/** A payout batch that was exported with the same columns before keeps its first file. */
export const exportPayoutBatch = endpoint({
  method: 'POST',
  path: '/payout-batches/:id/files',
  summary: 'Make the file of a released payout batch',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 600, perNetwork: 6000 },
  params: ById,
  body: z.object({ profileId: Id }),
  reply: Inserted,
  status: 201,
})

/** The response is a file (text/csv, UTF-8), not JSON. Every download has the same bytes. */
export const payoutFileContent = endpoint({
  method: 'GET',
  path: '/payout-files/:id/csv',
  summary: 'Download a payout file',
  access: { who: ['Admin'], fresh: true },
  params: ById,
  reply: z.unknown(),
})
