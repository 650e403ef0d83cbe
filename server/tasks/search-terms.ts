import { type Db, PIPELINED, queryOne } from '#server/database/database.ts'
import { indexedSpellingsOf, wordsOf } from '#server/database/search-words.ts'

/** Prefixes that match more words than this are searched as prefixes instead of being expanded. */
const MAX_EXPANSIONS = 64

// The GIN index finds whole words several times faster than prefixes, for which it reads every matching word.
const expandPrefixes = queryOne<{ tsquery: string | null }, [spellingsOfWords: string[]]>(
  'search_terms_expand',
  `select string_agg(spellings, ' & ' order by place) as tsquery
     from (
       select place, '(' || string_agg(
                coalesce(words, nullif(to_tsquery('simple', typed.word || ':*')::text, '')), ' | ') || ')' as spellings
         from unnest($1::text[]) with ordinality as searched(spellings, place)
         cross join lateral string_to_table(spellings, ' ') as typed(word)
         cross join lateral (
           select case when count(*) between 1 and ${MAX_EXPANSIONS} then
                    '(' || string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || '''', ' | ') || ')'
                  end as words
             from (select term as word from search_terms
                    where term >= lower(typed.word) and term < lower(typed.word) || chr(1114111)
                    limit ${MAX_EXPANSIONS + 1}) as terms) as expanded
        group by place) as words`,
  PIPELINED,
)

/** Returns a tsquery for tasks whose words begin with the typed words, or null when there is no word in the text. */
export async function searchTermsOf(db: Db, typed: string): Promise<string | null> {
  const words = wordsOf(typed).map((word) => indexedSpellingsOf(word).join(' '))
  return words.length === 0 ? null : (await expandPrefixes(db, words)).tsquery
}
