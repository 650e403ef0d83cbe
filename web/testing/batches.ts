import type { Batch } from '#contract/batches.ts'
import type { ListedProject, Project } from '#contract/projects.ts'
import { anId } from './records.ts'

/** A project with the variables `name` and `city`. */
export const PROJECT: Project = {
  _id: anId(),
  title: 'Describe shops',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
  instructions: 'Look at ${name} in ${city}.',
  pictureColumns: [],
  examples: [],
  form: { fields: [{ type: 'text', name: 'hours', label: 'Opening hours', required: true }] },
  category: 'local',
  reward: 5,
  workersPerItem: 3,
  reviewHours: null,
  reservationMinutes: 60,
  version: 2,
  columns: ['name', 'city'],
  createdAt: '2026-01-10T09:00:00.000Z',
  changedAt: '2026-01-11T09:00:00.000Z',
  archivedAt: null,
}

/** A project in the list, without batches. */
export function aListedProject(
  change: Partial<Omit<ListedProject, 'work'>> & { work?: Partial<ListedProject['work']> } = {},
): ListedProject {
  const { title, version, reward, workersPerItem, createdAt, changedAt, archivedAt } = PROJECT
  return {
    _id: anId(),
    title,
    version,
    reward,
    workersPerItem,
    createdAt,
    changedAt,
    archivedAt,
    activeAt: changedAt,
    ...change,
    work: {
      batches: 0,
      unpaidBatches: 0,
      failedBatches: 0,
      items: 0,
      slots: 0,
      reserved: 0,
      pending: 0,
      done: 0,
      escrow: 0,
      ...change.work,
    },
  }
}

/** A batch of `PROJECT`, whose upload has begun. */
export function aBatch(change: Partial<Batch> = {}): Batch {
  return {
    _id: anId(),
    projectId: PROJECT._id,
    projectVersion: 2,
    title: PROJECT.title,
    fileName: 'shops.csv',
    state: 'uploading',
    bytes: 0,
    rowsRead: 0,
    pictures: 0,
    picturesChecked: 0,
    items: 0,
    goldenItems: 0,
    columns: [],
    encoding: null,
    separator: null,
    errors: 0,
    warnings: 0,
    cost: null,
    itemsWritten: 0,
    fundingRefusal: null,
    scheduled: null,
    taskId: null,
    workersPerItem: 3,
    itemsToppedUp: null,
    completionDate: null,
    isClosed: false,
    createdAt: '2026-01-12T09:00:00.000Z',
    checkedAt: null,
    ...change,
  }
}

/** What a check without errors adds to a batch. */
export const CHECKED: Partial<Batch> = {
  state: 'checked',
  rowsRead: 1200,
  items: 1200,
  columns: ['name', 'city'],
  encoding: 'utf-8',
  separator: ',',
  checkedAt: '2026-01-12T09:01:00.000Z',
}
