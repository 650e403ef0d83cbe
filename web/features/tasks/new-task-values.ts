import { REVIEW_DAYS } from '#contract/product.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewTaskValues } from '#web/features/tasks/new-task-form.tsx'

/**
 * Returns what the form of a new task starts with to post the same task again: everything but its deadline. The standard
 * review period stays the standard.
 */
export function valuesOfTask(task: Task, reviewDays = REVIEW_DAYS): NewTaskValues {
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
  }
}
