import { Audience } from '#contract/audience.ts'
import { RESERVATION_MINUTES, REVIEW_DAYS } from '#contract/product.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import type { NewTaskDraft, TaskDraft } from '#contract/task-drafts.ts'
import type { TaskDetails } from '#contract/tasks.ts'
import {
  type AudienceValues,
  audienceOfValues,
  valuesOfAudience,
} from '#web/features/audience/audience-values.ts'

export const EMPTY_TASK = {
  task_title: '',
  task_detail: '',
  required_workers: '' as number | '',
  payable_amount: '' as number | '',
  completion_date: null as string | null,
  submission_info: '',
  task_image_url: '',
  /** Empty until the buyer chooses one; the texts suggest it meanwhile. */
  category: '' as TaskCategory | '',
  review_hours: '',
  reservation_minutes: String(RESERVATION_MINUTES.default),
  audience: valuesOfAudience() as AudienceValues,
}
/** The values of the form of a new task, as its fields have them. */
export type NewTaskValues = typeof EMPTY_TASK

/**
 * Returns what the form of a new task starts with to post the same task again: everything but its deadline. The standard
 * review period stays the standard.
 */
export function valuesOfTask(task: TaskDetails, reviewDays = REVIEW_DAYS): NewTaskValues {
  return {
    task_title: task.task_title,
    task_detail: task.task_detail,
    required_workers: task.required_workers,
    payable_amount: task.payable_amount,
    completion_date: null,
    submission_info: task.submission_info,
    task_image_url: task.task_image_url,
    category: task.category,
    review_hours: task.review_hours === reviewDays * 24 ? '' : String(task.review_hours),
    reservation_minutes: String(task.reservation_minutes),
    audience: valuesOfAudience(
      task.audience
        ? { ...task.audience, qualifications: task.audience.qualifications.map(({ _id }) => _id) }
        : undefined,
    ),
  }
}

/** Returns what the form starts with for a draft or a template. A completion date that is over is left out. */
export function valuesOfDraft(draft: TaskDraft, today = ''): NewTaskValues {
  const { completion_date: date = '', review_hours, reservation_minutes } = draft
  return {
    task_title: draft.task_title ?? '',
    task_detail: draft.task_detail ?? '',
    required_workers: draft.required_workers ?? '',
    payable_amount: draft.payable_amount ?? '',
    completion_date: date === '' || date < today ? null : date,
    submission_info: draft.submission_info ?? '',
    task_image_url: draft.task_image_url ?? '',
    category: draft.category ?? '',
    review_hours: review_hours === undefined ? '' : String(review_hours),
    reservation_minutes: String(reservation_minutes ?? RESERVATION_MINUTES.default),
    audience: valuesOfAudience(draft.audience),
  }
}

/** Returns the fields of a draft: those of the form that are filled in. */
export function draftOfValues(values: NewTaskValues): NewTaskDraft {
  const { review_hours: hours, reservation_minutes: minutes, audience: chosen, ...rest } = values
  const { success, data: audience } = Audience.safeParse(audienceOfValues(chosen))
  const filled = Object.entries(rest).filter(
    ([, value]) => value !== null && (typeof value !== 'string' || value.trim() !== ''),
  )
  return {
    ...(Object.fromEntries(filled) as NewTaskDraft),
    ...(hours !== '' && { review_hours: Number(hours) }),
    ...(minutes !== '' && { reservation_minutes: Number(minutes) }),
    ...(success && { audience }),
  }
}
