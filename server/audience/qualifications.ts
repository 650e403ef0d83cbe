import { v7 as newId } from 'uuid'
import { QUALIFICATIONS_MAX, type Qualification } from '#contract/qualifications.ts'
import { type Db, PIPELINED, query, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

type QualificationRow = {
  id: string
  name: string
  description: string
  workers: number
  test_project: string | null
  test_answers_min: number | null
  test_percent_min: number | null
  project_title: string | null
  created_at: string
}
type Content = { name: string; description: string }

type Test = { project: string; answersMin: number; percentMin: number }

const COLUMNS = `id, name, description, created_at, test_project, test_answers_min, test_percent_min,
  (select content->>'title' from projects join project_versions on project_id = projects.id and project_versions.version = projects.version
    where projects.id = test_project) as project_title,
  (select count(*) from qualified_workers where qualification_id = qualifications.id) as workers`

/** Returns a buyer's qualifications by name. There are at most QUALIFICATIONS_MAX. */
const qualificationRows = query<QualificationRow, [buyer: string]>(
  'qualifications_of_buyer',
  `select ${COLUMNS} from qualifications where buyer_id = $1 order by lower(name)`,
  PIPELINED,
)
const ownQualificationRow = query<QualificationRow, [id: string, buyer: string]>(
  'own_qualification',
  `select ${COLUMNS} from qualifications where id = $1 and buyer_id = $2`,
)
const createStatement = query<
  never,
  [id: string, buyer: string, name: string, description: string, max: number]
>('create_qualification', 'select create_qualification($1, $2, $3, $4, $5)')
const changeStatement = query<never, [id: string, buyer: string, name: string, description: string]>(
  'change_qualification',
  'select change_qualification($1, $2, $3, $4)',
)
const setTestStatement = query<
  never,
  [id: string, buyer: string, project: string | null, answersMin: number | null, percentMin: number | null]
>('set_qualification_test', 'select set_qualification_test($1, $2, $3, $4, $5)')
const setWorkersStatement = queryOne<
  { changed: number },
  [id: string, buyer: string, pseudonyms: readonly string[], qualified: boolean]
>('set_qualified_workers', 'select set_qualified_workers($1, $2, $3, $4) as changed')

export type OwnQualificationRow = {
  id: string
  name: string
  description: string
  buyer_id: string
  buyer_name: string
  since: string
}
/** Returns the qualifications that a worker has, newest first, at most 200. */
export const qualificationsOfWorker = query<OwnQualificationRow, [worker: string]>(
  'qualifications_of_worker',
  `with page as materialized (
     select qualification_id, created_at from qualified_workers
      where worker_id = $1 order by created_at desc, qualification_id desc limit 200)
   select qualification_id as id, granted.name, description, buyer_id, users.name as buyer_name, page.created_at as since
     from page
    cross join lateral (select name, description, buyer_id from qualifications where id = qualification_id limit 1) as granted
     join users on users.id = buyer_id
    order by page.created_at desc, qualification_id desc`,
)

/** Returns a buyer's qualifications by name. */
export async function qualificationsOfBuyer(db: Db, buyerId: string): Promise<Qualification[]> {
  return (await qualificationRows(db, buyerId)).map(present)
}

/**
 * Creates a qualification of a buyer with this name and description, and returns it.
 * @throws Refusal `state_conflict` above QUALIFICATIONS_MAX, or for a name that the buyer has used.
 */
export async function createQualification(
  db: Db,
  buyerId: string,
  { name, description }: Content,
): Promise<Qualification> {
  const id = newId()
  await createStatement(db, id, buyerId, name, description, QUALIFICATIONS_MAX)
  return ownQualification(db, id, buyerId)
}

/**
 * Changes name and description of a buyer's qualification, and returns it.
 * @throws Refusal `not_found`, `state_conflict` for a name that the buyer has used.
 */
export async function changeQualification(
  db: Db,
  id: string,
  buyerId: string,
  { name, description }: Content,
): Promise<Qualification> {
  await changeStatement(db, id, buyerId, name, description)
  return ownQualification(db, id, buyerId)
}

/**
 * Deletes a buyer's qualification.
 * @throws Refusal `not_found`, `state_conflict` while an open task requires it.
 */
export const deleteQualification = query<never, [id: string, buyer: string]>(
  'delete_qualification',
  'select delete_qualification($1, $2)',
)

/**
 * Sets how workers earn a qualification; null: they do not. Those who have passed the test earn it at once.
 * @throws Refusal `not_found` for a qualification or a project that is not the buyer's own.
 */
export async function setQualificationTest(
  db: Db,
  id: string,
  buyerId: string,
  test: Test | null,
): Promise<Qualification> {
  await setTestStatement(
    db,
    id,
    buyerId,
    test?.project ?? null,
    test?.answersMin ?? null,
    test?.percentMin ?? null,
  )
  return ownQualification(db, id, buyerId)
}

/** Grants a qualification to workers, or revokes it. Returns how many changed. @throws Refusal `not_found`. */
export async function setQualifiedWorkers(
  db: Db,
  id: string,
  buyerId: string,
  { workers, qualified }: { workers: string[]; qualified: boolean },
): Promise<number> {
  return (await setWorkersStatement(db, id, buyerId, workers, qualified)).changed
}

async function ownQualification(db: Db, id: string, buyerId: string): Promise<Qualification> {
  const [row] = await ownQualificationRow(db, id, buyerId)
  if (row === undefined) throw new Refusal('not_found.qualification')
  return present(row)
}

function present(row: QualificationRow): Qualification {
  const { id, name, description, workers, created_at } = row
  return { _id: id, name, description, workers, test: testOf(row), createdAt: created_at }
}

function testOf(row: QualificationRow): Qualification['test'] {
  const { test_project, test_answers_min, test_percent_min, project_title } = row
  if (test_project === null || test_answers_min === null || test_percent_min === null) return null
  return {
    project: test_project,
    projectTitle: project_title ?? '',
    answersMin: test_answers_min,
    percentMin: test_percent_min,
  }
}
