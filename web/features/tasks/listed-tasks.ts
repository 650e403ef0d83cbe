type Listed = {
  /** Path and query of the list. */
  path: string
  /** The tasks that the viewer can submit work to, in the order of the list. */
  taskIds: readonly string[]
}

let lastListed: Listed = { path: '/dashboard/available-task', taskIds: [] }

/** Stores what a list of tasks shows, until another one is shown in this page. */
export function rememberListed(listed: Listed): void {
  lastListed = listed
}

/** Returns the tasks that were listed after this one, and the path of their list. A task that was not listed has none after it. */
export function listedAfter(taskId: string): Listed {
  const { path, taskIds } = lastListed
  const index = taskIds.indexOf(taskId)
  return { path, taskIds: index === -1 ? [] : taskIds.slice(index + 1) }
}
