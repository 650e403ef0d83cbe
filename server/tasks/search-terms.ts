import { type Db, PIPELINED, queryOne } from '#server/database/database.ts'
import { wordsOf } from '#server/database/search-words.ts'

/** A beginning of so many words or more is looked up as a beginning. */
const WORDS_MAX = 64

// The index of words finds whole words several times as quickly as beginnings, of which it reads all that begin so.
const expand = queryOne<{ found: string | null }, [typed: string[]]>(
  'search_terms_expand',
  `select string_agg(
            coalesce(words, nullif(to_tsquery('simple', typed.word || ':*')::text, '')), ' & ' order by place) as found
     from unnest($1::text[]) with ordinality as typed(word, place)
     cross join lateral (
       select case when count(*) between 1 and ${WORDS_MAX} then
                '(' || string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || '''', ' | ') || ')'
              end as words
         from (select term as word from search_terms
                where term >= lower(typed.word) and term < lower(typed.word) || chr(1114111)
                limit ${WORDS_MAX + 1}) as beginning) as whole`,
  PIPELINED,
)

/** What a person typed, as a tsquery for tasks with words that begin so; null when there is no word in it. */
export async function searchTermsOf(db: Db, typed: string): Promise<string | null> {
  const words = wordsOf(typed)
  return words.length === 0 ? null : (await expand(db, words)).found
}
