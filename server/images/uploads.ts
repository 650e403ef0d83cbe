import { createHash } from 'node:crypto'
import { UPLOADS_MAX } from '#contract/uploads.ts'
import { type Database, type Db, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { Refusal } from '#server/http/refusal.ts'
import { invalidImage } from './picture.ts'

const KEEP = '1 day'
const BATCH = 500

type UploadRow = { id: string; size: number; received: number }
type Stored = { size: number; received: number; sha256: string; reply: unknown }

const deleteOldest = query<never, [owner: string, sha256: string, size: number, max: number]>(
  'uploads_delete_oldest',
  `delete from uploads where id = any (array(
     select id from (
       select id, row_number() over (order by created_at desc, id) as place
         from uploads where owner = $1 and reply is null and not (sha256 = $2 and size = $3)) as others
      where place >= $4))`,
)
const insertUpload = query<UploadRow, [owner: string, sha256: string, size: number]>(
  'uploads_begin',
  `insert into uploads (owner, sha256, size) values ($1, $2, $3)
   -- A complete one keeps its age: its response would outlive the picture, which is deleted while nothing uses it.
   on conflict on constraint uploads_of_file do update
      set created_at = case when uploads.reply is null then clock_time() else uploads.created_at end
   returning id, size, received`,
)
const appendPart = query<
  { size: number; received: number; appended: boolean },
  [owner: string, id: string, offset: number, bytes: Buffer]
>('uploads_append', 'select size, received, appended from append_to_upload($1, $2, $3, $4)')
const uploadById = query<Stored, [owner: string, id: string]>(
  'uploads_by_id',
  'select size, received, sha256, reply from uploads where owner = $1 and id = $2',
)
const partsOf = query<{ bytes: Buffer }, [id: string]>(
  'upload_parts_of',
  'select bytes from upload_parts where upload_id = $1 order by start',
)
const setReply = query<never, [id: string, reply: string]>(
  'uploads_finish',
  `with parts as (delete from upload_parts where upload_id = $1)
   update uploads set reply = $2::jsonb where id = $1`,
)
const deleteUpload = query<never, [id: string]>('uploads_delete', 'delete from uploads where id = $1')
const purgeBatch = query<{ id: string }, [keep: string, limit: number]>(
  'uploads_purge',
  `delete from uploads where id = any (array(
     select id from uploads where created_at < clock_time() - $1::interval limit $2))
   returning id`,
)

/** Begins an upload, or returns the one that the user has of the same file. Beyond `UPLOADS_MAX` the oldest is deleted. */
export async function beginUpload(
  database: Database,
  owner: string,
  { sha256, size }: { sha256: string; size: number },
): Promise<UploadRow> {
  await deleteOldest(database, owner, sha256, size, UPLOADS_MAX)
  const [upload] = await insertUpload(database, owner, sha256, size)
  if (upload === undefined) throw new Error('an upload was not stored')
  return upload
}

/**
 * Appends a part that begins at `offset`.
 * @throws Refusal `not_found`; `state_conflict` where the part does not continue the upload or is longer than its rest.
 */
export async function appendToUpload(
  db: Db,
  owner: string,
  id: string,
  offset: number,
  bytes: Buffer,
): Promise<UploadRow> {
  if (bytes.length === 0) throw new Refusal('invalid_request.upload_part')
  const [upload] = await appendPart(db, owner, id, offset, bytes)
  if (upload === undefined) throw new Refusal('not_found')
  if (!upload.appended)
    throw new Refusal('state_conflict.upload_offset', { params: { received: upload.received } })
  return { id, size: upload.size, received: upload.received }
}

/**
 * Returns the reply that `store` makes of a complete upload's file, and the same reply when it is requested again. `store`
 * reads the file when there is room for it. A file
 * that is not a picture or not the one that was announced is deleted.
 * @throws Refusal `not_found`; `state_conflict` for an incomplete upload; `invalid_image`.
 */
export async function finishUpload<Reply>(
  database: Database,
  owner: string,
  id: string,
  store: (read: () => Promise<Buffer>) => Promise<Reply>,
): Promise<Reply> {
  const [upload] = await uploadById(database, owner, id)
  if (upload === undefined) throw new Refusal('not_found')
  if (upload.reply !== null) return upload.reply as Reply
  if (upload.received < upload.size)
    throw new Refusal('state_conflict.upload_offset', { params: { received: upload.received } })
  try {
    const reply = await store(async () => {
      const file = Buffer.concat((await partsOf(database, id)).map(({ bytes }) => bytes))
      if (createHash('sha256').update(file).digest('hex') !== upload.sha256) throw invalidImage()
      return file
    })
    await setReply(database, id, JSON.stringify(reply))
    return reply
  } catch (error) {
    // A request at the same time may have finished it, and deleted its parts.
    const [current] = await uploadById(database, owner, id)
    if (current?.reply) return current.reply as Reply
    if (error instanceof Refusal && error.code === 'invalid_image') await deleteUpload(database, id)
    throw error
  }
}

/** Deletes uploads that were begun a day ago, complete ones too. Returns how many. */
export function purgeUploads(db: Db): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await purgeBatch(db, KEEP, batch)).length)
}
