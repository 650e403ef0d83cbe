import type { ProjectContent } from '#contract/projects.ts'
import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { Refusal } from '#server/http/refusal.ts'

export type ProjectRow = {
  id: string
  version: number
  content: ProjectContent
  created_at: string
  changed_at: string
  archived_at: string | null
}

// A lateral join: the version of each project by its key, whatever the planner knows about the tables.
const COLUMNS = `projects.id, projects.version, content, projects.created_at, changed_at, archived_at`
const CURRENT = `projects cross join lateral (
  select content, created_at as changed_at from project_versions
   where project_id = projects.id and version = projects.version limit 1) as current`

export const projectsOf = query<
  ProjectRow,
  [buyer: string, archived: boolean, before: string | null, limit: number]
>(
  'projects_of_buyer',
  `select ${COLUMNS} from ${CURRENT}
    where buyer_id = $1 and (archived_at is not null) = $2 and projects.id < ${beforeCursor('$3', 'uuid')}
    order by projects.id desc limit $4`,
  PIPELINED,
)

const ownProjectRow = query<ProjectRow, [id: string, buyer: string]>(
  'own_project',
  `select ${COLUMNS} from ${CURRENT} where projects.id = $1 and buyer_id = $2`,
)

/** @throws Refusal `not_found` for a project that does not exist or is another buyer's. */
export async function ownProject(db: Db, id: string, buyerId: string): Promise<ProjectRow> {
  const [row] = await ownProjectRow(db, id, buyerId)
  if (row === undefined) throw new Refusal('not_found.project')
  return row
}
