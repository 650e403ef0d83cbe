import { type Db, query, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

type TaskLink = { token: string | null; workers: number }

const taskLinkRow = query<TaskLink, [task: string, buyer: string]>(
  'task_link',
  `select token, (select count(*) from task_link_uses where task_id = tasks.id) as workers
     from tasks left join task_links on task_id = tasks.id
    where tasks.id = $1 and buyer_id = $2 and deleted_at is null and listed_from = 'infinity'`,
)
const revokeStatement = query<never, [task: string, buyer: string, renew: boolean]>(
  'revoke_task_link',
  'select revoke_task_link($1, $2, $3)',
)
const openStatement = queryOne<{ task_id: string }, [token: string, worker: string]>(
  'open_task_link',
  'select open_task_link($1, $2) as task_id',
)

/** Returns the link of a buyer's own private task. @throws Refusal `task_not_found` for any other task. */
export async function taskLinkOf(db: Db, taskId: string, buyerId: string): Promise<TaskLink> {
  const [link] = await taskLinkRow(db, taskId, buyerId)
  if (link === undefined) throw new Refusal('task_not_found')
  return link
}

/** Revokes the link of a private task and, with `renew`, makes another. @throws Refusal `task_not_found`. */
export async function revokeTaskLink(
  db: Db,
  taskId: string,
  buyerId: string,
  { renew }: { renew: boolean },
): Promise<TaskLink> {
  await revokeStatement(db, taskId, buyerId, renew)
  return taskLinkOf(db, taskId, buyerId)
}

/** Gives a worker access to the task of a link. Returns its id. @throws Refusal `not_found` for a link that was revoked. */
export async function openTaskLink(db: Db, token: string, workerId: string): Promise<string> {
  return (await openStatement(db, token, workerId)).task_id
}
