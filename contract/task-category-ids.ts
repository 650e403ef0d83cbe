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
