import { v7 as newId } from 'uuid'
import { closedFields } from '#contract/answer-form.ts'
import { PROJECTS_MAX, type ProjectContent } from '#contract/projects.ts'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { patternProblem } from './pattern.ts'
import { ownProject, type ProjectRow } from './queries.ts'

const createStatement = query<never, [id: string, buyer: string, content: string, max: number]>(
  'create_project',
  'select create_project($1, $2, $3, $4)',
)
const changeStatement = query<never, [id: string, buyer: string, version: number, content: string]>(
  'change_project',
  'select change_project($1, $2, $3, $4)',
)
const setArchivedStatement = query<never, [id: string, buyer: string, archived: boolean, max: number]>(
  'set_project_archived',
  'select set_project_archived($1, $2, $3, $4)',
)

/**
 * Creates a project of a buyer from its texts and answer form, and returns its row.
 * @throws Refusal `invalid_fields` for a pattern that is not valid or approval of what cannot be compared, `state_conflict` above PROJECTS_MAX projects.
 */
export async function createProject(db: Db, buyerId: string, content: ProjectContent): Promise<ProjectRow> {
  requireValidContent(content)
  const id = newId()
  await createStatement(db, id, buyerId, JSON.stringify(content), PROJECTS_MAX)
  return ownProject(db, id, buyerId)
}

/**
 * Changes a project of which the caller has seen `version`.
 * @throws Refusal `not_found`, `invalid_fields` as `createProject`, `state_conflict` for another version.
 */
export async function changeProject(
  db: Db,
  id: string,
  buyerId: string,
  { version, ...content }: ProjectContent & { version: number },
): Promise<ProjectRow> {
  requireValidContent(content)
  await changeStatement(db, id, buyerId, version, JSON.stringify(content))
  return ownProject(db, id, buyerId)
}

/**
 * Archives a buyer's project, or restores it, and returns its row.
 * @throws Refusal `not_found`, `state_conflict` above PROJECTS_MAX projects.
 */
export async function setProjectArchived(
  db: Db,
  id: string,
  buyerId: string,
  { isArchived }: { isArchived: boolean },
): Promise<ProjectRow> {
  await setArchivedStatement(db, id, buyerId, isArchived, PROJECTS_MAX)
  return ownProject(db, id, buyerId)
}

function requireValidContent({ form, quality, workersPerItem }: ProjectContent): void {
  if ((quality?.approveShare ?? null) !== null) {
    const message =
      closedFields(form).length === 0
        ? 'Add a question with options: other answers are not compared'
        : 'Let at least two workers answer each item'
    if (closedFields(form).length === 0 || workersPerItem < 2)
      throw new Refusal('invalid_fields.validation', {
        params: { message },
        fields: { 'quality.approveShare': message },
      })
  }
  for (const [index, field] of form.fields.entries()) {
    const problem = field.type === 'text' && field.pattern !== undefined && patternProblem(field.pattern)
    if (!problem) continue
    const fields = { [`form.fields.${index}.pattern`]: problem }
    throw new Refusal('invalid_fields.validation', { params: { message: problem }, fields })
  }
}
