import type { Task } from '#contract/tasks.ts'

/** Returns the details of a task for reading. In those of a batch each variable, whose value differs by item, is in brackets. */
export function detailText({ isBatch, task_detail }: Pick<Task, 'isBatch' | 'task_detail'>): string {
  return isBatch ? task_detail.replace(/\$\{([^{}]+)\}/g, '[$1]') : task_detail
}
