import type { WorkLanguage } from '#contract/audience.ts'
import { type Db, query } from '#server/database/database.ts'

const languagesRow = query<{ languages: WorkLanguage[] }, [worker: string]>(
  'languages_of_worker',
  'select languages from worker_languages where worker_id = $1',
)
const setLanguagesStatement = query<never, [worker: string, languages: readonly string[]]>(
  'set_worker_languages',
  'select set_worker_languages($1, $2)',
)

/** Returns the languages that a worker has entered. */
export async function languagesOf(db: Db, workerId: string): Promise<WorkLanguage[]> {
  const [row] = await languagesRow(db, workerId)
  return row?.languages ?? []
}

/** Replaces the languages that a worker has entered. Returns them. */
export async function setLanguages(
  db: Db,
  workerId: string,
  languages: readonly WorkLanguage[],
): Promise<WorkLanguage[]> {
  await setLanguagesStatement(db, workerId, [...new Set(languages)].toSorted())
  return languagesOf(db, workerId)
}
