import type { TaskCategory } from '#contract/task-categories.ts'

/** The names of the categories in Bangla, in the order in which they are listed. */
export const TASK_CATEGORY_NAMES: Record<TaskCategory, string> = {
  data_entry: 'ডেটা এন্ট্রি',
  research: 'ওয়েবে তথ্য খোঁজা',
  survey: 'জরিপ ও মতামত',
  writing: 'লেখালেখি',
  translation: 'অনুবাদ',
  transcription: 'শুনে লেখা',
  design: 'ডিজাইন',
  photo_video: 'ছবি ও ভিডিও',
  labeling: 'লেবেল দেওয়া ও বাছাই',
  testing: 'অ্যাপ ও ওয়েবসাইট পরীক্ষা',
  social_media: 'সোশ্যাল মিডিয়া',
  local: 'সরেজমিনে যাওয়া',
  other: 'অন্যান্য',
}

/** The categories as options of a select. */
export const CATEGORY_OPTIONS = Object.entries(TASK_CATEGORY_NAMES).map(([value, label]) => ({
  value,
  label,
}))
