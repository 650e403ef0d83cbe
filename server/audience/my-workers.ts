import { v7 as newId } from 'uuid'
import { BLOCKS_MAX, type MyWorker } from '#contract/my-workers.ts'
import { type Db, query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'

export type MyWorkerRow = {
  worker_id: string
  pseudonym: string
  name: string
  submitted: number
  approved: number
  rejected: number
  last_at: string
  favourite: boolean
  block_reason: string | null
  blocked_at: string | null
  qualifications: string[]
  earned: MyWorker['earned']
}

type Filter = {
  q?: string | undefined
  state?: 'favourite' | 'blocked' | undefined
  qualification?: string | undefined
}

// The workers of one buyer are read in their order until a page is filled.
const myWorkerRows = query<
  MyWorkerRow,
  [
    buyer: string,
    words: string | null,
    state: string | null,
    qualification: string | null,
    at: string | null,
    id: string | null,
    limit: number,
  ]
>(
  'my_workers',
  `select worked.worker_id, pseudonym, users.name, submitted, approved, rejected, last_at,
          exists (select from favourite_workers as favourite
                   where favourite.buyer_id = $1 and favourite.worker_id = worked.worker_id) as favourite,
          block.reason as block_reason, block.created_at as blocked_at,
          array(select qualification_id from qualified_workers join qualifications on qualifications.id = qualification_id
                 where buyer_id = $1 and qualified_workers.worker_id = worked.worker_id order by qualification_id) as qualifications,
          (select coalesce(jsonb_agg(jsonb_build_object('qualification', qualification_id, 'right', earned_right, 'answers', earned_answers)
                                     order by qualification_id), '[]')
             from qualified_workers join qualifications on qualifications.id = qualification_id
            where buyer_id = $1 and qualified_workers.worker_id = worked.worker_id and earned_answers is not null) as earned
     from buyer_workers as worked join users on users.id = worked.worker_id
     left join worker_blocks as block
       on block.buyer_id = $1 and block.worker_id = worked.worker_id and block.ended_at is null
    where worked.buyer_id = $1 and users.deleted_at is null
      and ($2::text is null or position(normalize(lower($2)) in normalize(lower(users.name))) > 0 or lower(pseudonym) = lower($2))
      and ($3::text is distinct from 'blocked' or block.id is not null)
      and ($3::text is distinct from 'favourite' or exists (
            select from favourite_workers as favourite
             where favourite.buyer_id = $1 and favourite.worker_id = worked.worker_id))
      and ($4::uuid is null or exists (
            select from qualified_workers as qualified
             where qualification_id = $4 and qualified.worker_id = worked.worker_id))
      and (last_at, worked.worker_id) < (${beforeCursor('$5', 'timestamptz')}, ${beforeCursor('$6', 'uuid')})
    order by last_at desc, worked.worker_id desc limit $7`,
)
/** Returns a page of the workers who have worked for a buyer, the last one first. */
export function myWorkers(
  db: Db,
  buyerId: string,
  { q, state, qualification }: Filter,
  [at, id]: readonly (string | number | null)[],
  limit: number,
): Promise<MyWorkerRow[]> {
  const words = q?.trim() ? q.trim() : null
  const after = [(at ?? null) as string | null, (id ?? null) as string | null] as const
  return myWorkerRows(db, buyerId, words, state ?? null, qualification ?? null, ...after, limit)
}

/**
 * Makes a worker, by their pseudonym, a favourite of a buyer or no longer one.
 * @throws Refusal `not_found` for a worker who has not worked for the buyer.
 */
export const setFavouriteWorker = query<never, [buyer: string, pseudonym: string, favourite: boolean]>(
  'set_favourite_worker',
  'select set_favourite_worker($1, $2, $3)',
)

const blockStatement = query<
  never,
  [id: string, buyer: string, pseudonym: string, reason: string, max: number]
>('block_worker', 'select block_worker($1, $2, $3, $4, $5)')

/**
 * Blocks a worker, by their pseudonym, from a buyer's tasks for a reason.
 * @throws Refusal `not_found`, `state_conflict` above BLOCKS_MAX blocks.
 */
export async function blockWorker(db: Db, buyerId: string, worker: string, reason: string): Promise<void> {
  await blockStatement(db, newId(), buyerId, worker, reason, BLOCKS_MAX)
}

/**
 * Ends a buyer's block of a worker, by their pseudonym.
 * @throws Refusal `not_found` for a worker who has not worked for the buyer.
 */
export const unblockWorker = query<never, [buyer: string, pseudonym: string]>(
  'unblock_worker',
  'select unblock_worker($1, $2)',
)

/** Ends a block as an Admin. @throws Refusal `not_found`, `yourself` when the Admin is the buyer or the worker of the block. */
export const liftBlock = query<never, [block: string, admin: string, reason: string]>(
  'lift_block',
  'select lift_block($1, $2, $3)',
)

export function presentMyWorker(row: MyWorkerRow): MyWorker {
  return {
    worker: row.pseudonym,
    name: row.name,
    submitted: row.submitted,
    approved: row.approved,
    rejected: row.rejected,
    lastAt: row.last_at,
    favourite: row.favourite,
    block:
      row.block_reason === null || row.blocked_at === null
        ? null
        : { reason: row.block_reason, since: row.blocked_at },
    qualifications: row.qualifications,
    earned: row.earned,
  }
}
