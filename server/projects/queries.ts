import { PROJECT_WORK_MAX, type ProjectContent } from '#contract/projects.ts'
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

export type ListedProjectRow = {
  id: string
  version: number
  title: string
  reward: number
  workers_per_item: number
  created_at: string
  changed_at: string
  archived_at: string | null
  active_at: string
  batches: number
  unpaid_batches: number
  failed_batches: number
  items: number
  slots: number
  done: number
  escrow: number
  reserved: number
  pending: number
}

/** Returns SQL that counts rows of the tasks of a project's batches, up to PROJECT_WORK_MAX. */
const countOf = (table: string, condition: string) => `(select count(*) from (
  select from batches join ${table} on ${table}.task_id = batches.task_id
   where batches.project_id = page.id and ${condition} limit ${PROJECT_WORK_MAX}) as counted)`

// The slots done are those that the escrow no longer holds the pay of (server/batches/progress.sql). The agreement of a batch is
// computed soon after its last answer: no index has the last submission of a task. The condition of pending work has that of its index.
export const projectsOf = query<
  ListedProjectRow,
  [buyer: string, archived: boolean, words: string | null, before: string | null, limit: number]
>(
  'projects_of_buyer',
  `with page as materialized (
     select projects.id, projects.version, projects.created_at, changed_at, archived_at, content->>'title' as title,
            (content->>'reward')::int as reward, (content->>'workersPerItem')::int as workers_per_item
       from ${CURRENT}
      where buyer_id = $1 and (archived_at is not null) = $2
        and ($3::text is null or position(normalize(lower($3)) in normalize(lower(content->>'title'))) > 0)
        and projects.id < ${beforeCursor('$4', 'uuid')}
      order by projects.id desc limit $5)
   select page.*, work.*, greatest(changed_at, archived_at, work.worked_at) as active_at,
          ${countOf('reservations', 'ended_at is null')} as reserved,
          ${countOf('submissions', `status = 'pending' and status not in ('approved', 'rejected')`)} as pending
     from page cross join lateral (
       select count(*) filter (where batches.state <> 'cancelled') as batches,
              count(*) filter (where batches.state = 'checked' and errors = 0) as unpaid_batches,
              count(*) filter (where batches.state = 'checked' and errors > 0) as failed_batches,
              coalesce(sum(batches.items) filter (where batches.state = 'open'), 0) as items,
              coalesce(sum(tasks.slots), 0) as slots,
              coalesce(sum(tasks.slots - balance / tasks.reward), 0)::bigint as done,
              coalesce(sum(balance), 0)::bigint as escrow,
              max(greatest(batches.created_at, checked_at, tasks.created_at,
                (select computed_at from batch_agreement where batch_id = batches.id))) as worked_at
         from batches left join tasks on tasks.id = batches.task_id
         left join ledger_accounts on ledger_accounts.id = tasks.escrow_id
        where batches.project_id = page.id) as work
    order by page.id desc`,
  PIPELINED,
)

const ownProjectRow = query<ProjectRow, [id: string, buyer: string]>(
  'own_project',
  `select ${COLUMNS} from ${CURRENT} where projects.id = $1 and buyer_id = $2`,
)

/**
 * Returns a buyer's project by its id.
 * @throws Refusal `not_found` for a project that does not exist or is another buyer's.
 */
export async function ownProject(db: Db, id: string, buyerId: string): Promise<ProjectRow> {
  const [row] = await ownProjectRow(db, id, buyerId)
  if (row === undefined) throw new Refusal('not_found.project')
  return row
}
