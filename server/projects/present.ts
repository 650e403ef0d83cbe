import {
  fillTemplate,
  type ItemPreview,
  type ListedProject,
  type Project,
  type ProjectContent,
  variablesOf,
} from '#contract/projects.ts'
import type { ListedProjectRow, ProjectRow } from './queries.ts'

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

export function presentListedProject(row: ListedProjectRow): ListedProject {
  return {
    _id: row.id,
    title: row.title,
    version: row.version,
    reward: row.reward,
    workersPerItem: row.workers_per_item,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    archivedAt: row.archived_at,
    activeAt: row.active_at,
    work: {
      batches: row.batches,
      unpaidBatches: row.unpaid_batches,
      failedBatches: row.failed_batches,
      items: row.items,
      slots: row.slots,
      reserved: row.reserved,
      pending: row.pending,
      done: row.done,
      escrow: row.escrow,
    },
  }
}

/** Returns an item of a project as a worker sees it. */
export function presentItem(content: ProjectContent, input: Readonly<Record<string, string>>): ItemPreview {
  const inputOf = (column: string) => (Object.hasOwn(input, column) ? (input[column] ?? '') : '')
  return {
    title: content.title,
    instructions: fillTemplate(content.instructions, input),
    pictures: content.pictureColumns
      .map((column) => ({ column, url: inputOf(column).trim() }))
      .filter(({ url }) => url !== ''),
    examples: content.examples,
    form: content.form,
    reward: content.reward,
    missing: columnsOf(content).filter((column) => inputOf(column) === ''),
  }
}
