import { createHash } from 'node:crypto'
import { DISPUTE_FILES_MAX_BYTES, type DisputeFile, type DisputeFileField } from '#contract/card-disputes.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { type Database, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { createPdf } from '#server/receipts/pdf/create-pdf.ts'
import { readReceipt } from '#server/receipts/read-receipt.ts'
import { receiptSheet } from '#server/receipts/receipt-sheet.ts'
import type { EvidenceFile } from './provider.ts'
import type { Cards } from './settle.ts'

/** What Stripe accepts together, with the receipt. */
const TOTAL_MAX_BYTES = 4.5 * 1024 * 1024

type FileRow = {
  field: DisputeFile['field']
  type: DisputeFile['type']
  bytes: number
  sha256: string
  provider_id: string
  added_at: string
  admin_id: string | null
  admin_name: string | null
}
const filesOf = query<FileRow, [disputeId: string]>(
  'dispute_files_of',
  `select field, type, bytes, sha256, provider_id, added_at, admins.id as admin_id, admins.name as admin_name
     from dispute_files left join users as admins on admins.id = added_by
    where dispute_id = $1
      and (submitted_at is not null
           or not exists (select from dispute_evidence as evidence where evidence.dispute_id = $1 and evidence.submitted_at is not null))
    order by field = 'receipt' desc, added_at`,
)
const requireOpen = query<never, [disputeId: string, adminId: string]>(
  'dispute_files_require_open',
  'select lock_open_evidence($1, $2)',
)
const add = query<
  never,
  [
    disputeId: string,
    field: string,
    type: string,
    bytes: number,
    sha256: string,
    providerId: string,
    adminId: string | null,
    totalMax: number,
  ]
>('dispute_file_add', 'select add_dispute_file($1, $2, $3, $4, $5, $6, $7, $8)')
const remove = query<never, [disputeId: string, field: string, adminId: string]>(
  'dispute_file_remove',
  'select remove_dispute_file($1, $2, $3)',
)

/** Returns the files of the evidence for a dispute: those to submit, or those that were submitted. */
export async function listDisputeFiles(database: Database, disputeId: string): Promise<DisputeFile[]> {
  return (await filesOf(database, disputeId)).map(present)
}

/**
 * Uploads a file to the provider and names it in the evidence, in place of the one before. The same content is uploaded once.
 * @throws Refusal `not_found`, `yourself`, `state_conflict`, `invalid_fields`, `payments_unavailable`.
 */
export async function addDisputeFile(
  context: Cards,
  disputeId: string,
  adminId: string,
  field: DisputeFileField,
  content: Buffer,
): Promise<DisputeFile[]> {
  const { database } = context
  await requireOpen(database, disputeId, adminId)
  const type = typeOf(content)
  if (type === undefined) throw new Refusal('invalid_fields.dispute_file', { field: 'file' })
  await uploadOnce(context, disputeId, adminId, field, { type, content }, DISPUTE_FILES_MAX_BYTES)
  return listDisputeFiles(database, disputeId)
}

/** Removes a file that an Admin added. @throws Refusal `not_found`, `yourself`, `state_conflict`. */
export async function removeDisputeFile(
  { database }: Cards,
  disputeId: string,
  adminId: string,
  field: DisputeFileField,
): Promise<DisputeFile[]> {
  await remove(database, disputeId, field, adminId)
  return listDisputeFiles(database, disputeId)
}

/** Makes the receipt of the payment as a PDF file, uploads it to the provider, and returns all files of the evidence. */
export async function prepareFiles(
  context: Cards,
  disputeId: string,
  paymentId: string,
  siteName: string,
): Promise<EvidenceFile[]> {
  const { database } = context
  // The provider's reviewers read it, not the user.
  const receipt = await readReceipt(database, paymentId, null, siteName, DEFAULT_LOCALE)
  const content = await createPdf(receiptSheet(receipt, 'UTC', DEFAULT_LOCALE))
  const file = { type: 'application/pdf', content } as const
  await uploadOnce(context, disputeId, null, 'receipt', file, TOTAL_MAX_BYTES)
  const files = await filesOf(database, disputeId)
  return files.map(({ field, provider_id: id }) => ({ field, id }))
}

async function uploadOnce(
  { database, cards }: Cards,
  disputeId: string,
  adminId: string | null,
  field: DisputeFile['field'],
  { type, content }: { type: DisputeFile['type']; content: Buffer },
  totalMax: number,
): Promise<void> {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const known = (await filesOf(database, disputeId)).find((file) => file.field === field)
  if (known?.sha256 === sha256) return
  if (content.length > totalMax) throw new Refusal('invalid_fields.dispute_files_size', { field: 'file' })
  const id = await cards.uploadEvidence({ name: `${field}.${EXTENSIONS[type]}`, type, content })
  await add(database, disputeId, field, type, content.length, sha256, id, adminId, totalMax)
}

const EXTENSIONS = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' } as const
const SIGNATURES: [DisputeFile['type'], Buffer][] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
]

/** Returns the type of a file by its first bytes. Its name and what the browser says of it are not trusted. */
function typeOf(content: Buffer): DisputeFile['type'] | undefined {
  return SIGNATURES.find(([, signature]) => content.subarray(0, signature.length).equals(signature))?.[0]
}

function present(row: FileRow): DisputeFile {
  const { field, type, bytes, added_at: date, admin_id: adminId, admin_name: admin } = row
  return { field, type, bytes, date, admin, adminId }
}
