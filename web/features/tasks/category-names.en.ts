import type { TaskCategory } from '#contract/task-categories.ts'

/** The names of the categories, in the order in which they are listed. */
export const TASK_CATEGORY_NAMES: Record<TaskCategory, string> = {
  data_entry: 'Data entry',
  research: 'Web research',
  survey: 'Surveys and opinions',
  writing: 'Writing',
  translation: 'Translation',
  transcription: 'Transcription',
  design: 'Design',
  photo_video: 'Photos and videos',
  labeling: 'Labeling and sorting',
  testing: 'App and website testing',
  social_media: 'Social media',
  local: 'Local visits',
  other: 'Other',
}

/** The categories as options of a select. */
export const CATEGORY_OPTIONS = Object.entries(TASK_CATEGORY_NAMES).map(([value, label]) => ({
  value,
  label,
}))
