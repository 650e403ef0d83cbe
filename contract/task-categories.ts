import * as z from 'zod/mini'

/** The ids of the categories of tasks. Their names are in web/features/tasks/category-names.en.ts. */
export const TASK_CATEGORIES = [
  'data_entry',
  'research',
  'survey',
  'writing',
  'translation',
  'transcription',
  'design',
  'photo_video',
  'labeling',
  'testing',
  'social_media',
  'local',
  'other',
] as const

export const TaskCategory = z.enum(TASK_CATEGORIES)
export type TaskCategory = z.infer<typeof TaskCategory>
