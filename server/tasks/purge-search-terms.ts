import { type Database, query, WHOLE_TABLE } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'

const BATCH = 500

// A transaction that wrote a term before it was remembered as unused may not have committed yet. None lasts this long.
const KEEP_UNUSED = '10 minutes'

const purge = query<{ term: string }, [keep: string, batch: number]>(
  'search_terms_purge',
  `with candidates as materialized (
     select term, ('''' || replace(replace(term, '\\', '\\\\'), '''', '''''') || '''')::tsquery as query
       from unused_search_terms where since < clock_time() - $1::interval
      order by since limit $2 for update skip locked),
   deleted as (
     delete from search_terms where term in (
       select term from candidates
        where not exists (select from tasks where closed_at is null and search @@ query)
          and not exists (select from tasks where closed_at is not null and deleted_at is null and search @@ query)))
   delete from unused_search_terms where term in (select term from candidates) returning term`,
  WHOLE_TABLE,
)

/** Deletes search terms that no task contains any more. Returns how many terms were checked. */
export async function purgeSearchTerms(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await purge(database, KEEP_UNUSED, batch)).length)
}
