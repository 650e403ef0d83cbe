import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { listReviews, submissionCase } from '#contract/appeals.ts'
import { batchAgreementSummary, batchWorkers } from '#contract/batch-agreement.ts'
import { batchAnswers, batchSummary } from '#contract/batch-answers.ts'
import { batch, batches } from '#contract/batches.ts'
import { contactMessages } from '#contract/contact.ts'
import { listDestinations } from '#contract/destinations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { myFreezes } from '#contract/freezes.ts'
import { itemOfSubmission } from '#contract/items.ts'
import { statement } from '#contract/ledger.ts'
import type { LiveTasks, LiveTopic, LiveUpdate } from '#contract/live.ts'
import { myNotifications, notifications } from '#contract/notifications.ts'
import { listPayments, paymentHistory, paymentTotals } from '#contract/payments.ts'
import { listPayoutBatches, payoutBatch, payoutBatchTotals } from '#contract/payouts.ts'
import { projects } from '#contract/projects.ts'
import { rejectionRule } from '#contract/rejections.ts'
import { myReservations } from '#contract/reservations.ts'
import { adminStats, buyerStats, coinFlow, statsSeries, statsWeeks, workerStats } from '#contract/stats.ts'
import { mySubmissionCounts, mySubmissions, myTaskStates, taskToReview } from '#contract/submissions.ts'
import { myQualifications } from '#contract/task-access.ts'
import { allTask, managedTasks, myTask, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { userTable, userTotals } from '#contract/user-table.ts'
import { allUsers } from '#contract/users.ts'
import { waiting } from '#contract/waiting.ts'
import { myWithdrawals, pendingWithdrawals, withdrawable } from '#contract/withdrawals.ts'
import { MY_TASKS } from '#web/features/tasks/my-task-endpoints.ts'
import { dropEarlyResponses } from '#web/lib/early-responses.ts'
import { invalidateEndpoints, queryKeyOf } from '#web/lib/queries.ts'

const STATS = [workerStats, buyerStats, adminStats, statsSeries, statsWeeks, coinFlow]

/** The endpoints to invalidate for each topic. Only queries of mounted screens are refetched at once. */
const ENDPOINTS_BY_TOPIC: Record<LiveTopic, Endpoint[]> = {
  submissions: [
    taskToReview,
    mySubmissions,
    mySubmissionCounts,
    myTaskStates,
    ...MY_TASKS,
    projects,
    taskDetails,
    myReservations,
    submissionCase,
    itemOfSubmission,
    listReviews,
    rejectionRule,
    ...STATS,
  ],
  tasks: [...MY_TASKS, projects, taskDetails, myReservations, taskToReview, mySubmissions, ...STATS],
  batches: [projects, batches, batch, batchAnswers, batchSummary, batchAgreementSummary, batchWorkers],
  withdrawals: [
    pendingWithdrawals,
    myWithdrawals,
    listDestinations,
    listPayoutBatches,
    payoutBatchTotals,
    payoutBatch,
    ...STATS,
  ],
  payments: [paymentHistory, listPayments, paymentTotals, ...STATS],
  // A role, a qualification or a freeze also changes what a worker may do.
  person: [
    allUsers,
    userTable,
    userTotals,
    myQualifications,
    taskDetails,
    taskListWorker,
    myTaskStates,
    myFreezes,
  ],
  contact: [contactMessages],
  // A notification that was counted up.
  notifications: [notifications, myNotifications],
}
const TASK_LISTS: Endpoint[] = [taskListWorker, allTask, managedTasks]
/** What every update may concern. */
const USER_ENDPOINTS: Endpoint[] = [statement, withdrawable, waiting]

/** Invalidates the queries that an update concerns. */
export function invalidateTopics(queryClient: QueryClient, { about, notices }: LiveUpdate): void {
  const endpoints = new Set(USER_ENDPOINTS)
  for (const topic of notices.length > 0 ? [...about, 'notifications' as const] : about)
    for (const endpoint of ENDPOINTS_BY_TOPIC[topic] ?? []) endpoints.add(endpoint)
  invalidate(queryClient, endpoints)
}

/** Invalidates every query with live updates, after events may have been missed. */
export function invalidateAll(queryClient: QueryClient): void {
  invalidate(
    queryClient,
    new Set([...USER_ENDPOINTS, ...Object.values(ENDPOINTS_BY_TOPIC).flat(), ...TASK_LISTS]),
  )
}

function invalidate(queryClient: QueryClient, endpoints: ReadonlySet<Endpoint>): void {
  // A part of the page that is not rendered yet has no query to invalidate, but would take an older response.
  dropEarlyResponses()
  void invalidateEndpoints(queryClient, endpoints)
}

type Changed = Exclude<LiveTasks['tasks'], 'many'>[number]
type Task = { _id: string; worker: number; isClosed: boolean }

/** Updates the free slots of these tasks in the query cache, without a request. */
export function updateTasks(queryClient: QueryClient, tasks: LiveTasks['tasks']): void {
  dropEarlyResponses()
  if (tasks === 'many') {
    for (const endpoint of TASK_LISTS) {
      // With jitter, because all clients receive this event at the same time.
      setTimeout(
        () => void queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
        Math.random() * 3000,
      )
    }
    return
  }
  const changed = new Map(tasks.map((task) => [task._id, task]))
  for (const endpoint of [...TASK_LISTS, myTask, taskDetails]) {
    for (const query of queryClient.getQueryCache().findAll({ queryKey: queryKeyOf(endpoint) })) {
      const update = () => updateData(query, changed)
      update()
      // A request in flight may bring what was before the change. A cancelled one restores it.
      if (query.state.fetchStatus === 'fetching') query.promise?.then(update, update)
    }
  }
  // A list that does not contain the task is refetched when it is next mounted.
  for (const endpoint of TASK_LISTS)
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint), refetchType: 'none' })
}

/**
 * Changes the free slots in a cached reply. Its date and its invalidation stay: the rest of the reply is as old as before, which
 * `setQueryData` would hide.
 */
function updateData(query: Query, changed: ReadonlyMap<string, Changed>): void {
  const data = withTaskChanges(query.state.data, changed)
  if (data !== query.state.data) query.setState({ data })
}

/** Returns a cached reply (a task, a list, or pages of a list) with the changes; the same object if none applies. */
export function withTaskChanges(data: unknown, changed: ReadonlyMap<string, Changed>): unknown {
  if (Array.isArray(data)) {
    const next = data.map((item) => withTaskChanges(item, changed))
    return next.some((item, index) => item !== data[index]) ? next : data
  }
  if (typeof data !== 'object' || data === null) return data
  if ('pages' in data) {
    const { pages } = data as InfiniteData<{ reply: unknown }>
    const next = pages.map((page) => {
      const reply = withTaskChanges(page.reply, changed)
      return reply === page.reply ? page : { ...page, reply }
    })
    return next.some((page, index) => page !== pages[index]) ? { ...data, pages: next } : data
  }
  const task = data as Task
  const now = changed.get(task._id)
  if (now === undefined || (now.worker === task.worker && now.isClosed === task.isClosed)) return data
  return { ...task, worker: now.worker, isClosed: now.isClosed }
}
