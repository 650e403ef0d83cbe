import {
  fillTemplate,
  type ItemPreview,
  type Project,
  type ProjectContent,
  variablesOf,
} from '#contract/projects.ts'
import type { ProjectRow } from './queries.ts'

/** Returns the columns that a file of a project needs. */
export function columnsOf({ instructions, pictureColumns }: ProjectContent): string[] {
  return [...new Set([...variablesOf(instructions), ...pictureColumns])]
}

export function presentProject({ content, ...row }: ProjectRow): Project {
  return {
    ...content,
    _id: row.id,
    version: row.version,
    columns: columnsOf(content),
    createdAt: row.created_at,
    changedAt: row.changed_at,
    archivedAt: row.archived_at,
  }
}

export function presentListedProject({ content, ...row }: ProjectRow) {
  return {
    _id: row.id,
    title: content.title,
    version: row.version,
    reward: content.reward,
    workersPerItem: content.workersPerItem,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    archivedAt: row.archived_at,
  }
}

/** Returns an item of a project as a worker sees it. */
export function presentItem(content: ProjectContent, input: Readonly<Record<string, string>>): ItemPreview {
  const inputOf = (column: string) => (Object.hasOwn(input, column) ? (input[column] ?? '') : '')
  return {
    title: content.title,
    instructions: fillTemplate(content.instructions, input),
    pictures: content.pictureColumns
      .filter((column) => inputOf(column) !== '')
      .map((column) => ({ column, url: inputOf(column) })),
    examples: content.examples,
    form: content.form,
    reward: content.reward,
    missing: columnsOf(content).filter((column) => inputOf(column) === ''),
  }
}
