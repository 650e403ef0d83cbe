import { t } from '@lingui/core/macro'
import { useEffect, useSyncExternalStore } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { rejectionRule } from '#contract/rejections.ts'
import { buyerStats } from '#contract/stats.ts'
import { taskToReview } from '#contract/submissions.ts'
import { MY_TASKS } from '#web/features/tasks/my-task-endpoints.ts'
import { ApiError, offlineError } from '#web/lib/api.ts'
import { deleteDraft } from '#web/lib/drafts.ts'
import { getIdentity, getIdToken } from '#web/lib/id-token.ts'
import { invalidateEndpoints, queryClient } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { onSignOut } from '#web/lib/sign-out-hooks.ts'
import { toast } from '#web/ui/toasts.tsx'
import { createDecisionQueue, type DecisionEntry, type DecisionQueue } from './decision-queue.ts'
import { createDecisionStore } from './decision-store.ts'
import { DECISIONS, namesOf, sendDecisions } from './decisions.tsx'
import { decisionDraftKey } from './draft-key.ts'

const CHANGED_BY_DECISIONS: Endpoint[] = [taskToReview, ...MY_TASKS, buyerStats, rejectionRule]
const TOAST_GROUP = 'decisions'

/** One queue per buyer. It outlives the screen, so that a decision that fails after leaving is shown on return. */
const queues = new Map<string, DecisionQueue>()

function queueOf(userId: string): DecisionQueue {
  const existing = queues.get(userId)
  if (existing) return existing
  const queue = createDecisionQueue({
    clock: {
      now: Date.now,
      after: (ms, work) => {
        const timer = setTimeout(work, ms)
        return () => clearTimeout(timer)
      },
    },
    store: createDecisionStore(userId),
    send: async (entries) => {
      // Nothing was refused: the decisions are sent when their buyer signs in again.
      if (await hasOtherUser(userId)) throw new ApiError(401, 'invalid_token', '')
      return sendDecisions(entries)
    },
    onSettled: (settled) => void showResults(userId, queue, settled),
  })
  queues.set(userId, queue)
  return queue
}

/** Returns whether another user has signed in while this page was open. Throws where the session cannot be read. */
async function hasOtherUser(userId: string): Promise<boolean> {
  const identity = await getIdentity().catch(() => {
    throw offlineError()
  })
  return identity !== null && identity.id !== userId
}

/** Sends the decisions of this buyer that an earlier page left or that could not be sent, on any screen of the dashboard. */
export function resumeDecisions(userId: string): void {
  const queue = queueOf(userId)
  queue.resume()
  queue.retry()
}

/** Shows the results of a request to its buyer, and refetches what changed when no more is in flight. */
async function showResults(userId: string, queue: DecisionQueue, settled: DecisionEntry[]): Promise<void> {
  for (const { phase, decision, work } of settled)
    if (phase === 'sent') deleteDraft(decisionDraftKey(decision.kind, work.id))
  if (await hasOtherUser(userId).catch(() => false)) return
  const entries = [...queue.entries().values()]
  for (const ofBatch of Map.groupBy(settled, ({ batch }) => batch).values()) showResult(ofBatch, entries)
  if (entries.some(({ phase }) => phase === 'sending')) return
  void invalidateEndpoints(queryClient, CHANGED_BY_DECISIONS)
}

/** Shows the results of decisions that were made together: why some failed, and what was done once none is left to send. */
function showResult(settled: DecisionEntry[], entries: DecisionEntry[]): void {
  const [first] = settled
  if (first === undefined) return
  const texts = DECISIONS[first.decision.kind]
  const failed = settled.filter(({ phase }) => phase !== 'sent')
  for (const [error = '', alike] of Map.groupBy(failed, (entry) => entry.error)) {
    const isRefused = alike.some(({ phase }) => phase === 'refused')
    const detail = namesOf(alike.map(({ work }) => work))
    const title = isRefused ? texts.refused(detail) : t`Not sent yet: ${detail}`
    void toast({ title, message: error, tone: 'error', group: TOAST_GROUP })
  }
  const batch = entries.filter((entry) => entry.batch === first.batch)
  if (batch.some(({ phase }) => phase === 'sending' || phase === 'waiting')) return
  const sent = batch.filter(({ phase }) => phase === 'sent')
  if (sent.length === 0) return
  void toast({
    ...texts.toast(
      sent.map(({ work }) => work),
      first.decision,
    ),
    // It does not replace why the others failed.
    ...(failed.length === 0 && { group: TOAST_GROUP }),
  })
}

/**
 * Returns the buyer's decisions and the queue that sends them. When the screen or the page is left, waiting decisions are
 * sent at once.
 */
export function useDecisionQueue() {
  const { _id: userId } = useUserData()
  const { refetchUser } = useSession()
  const queue = queueOf(userId)
  const entries = useSyncExternalStore(queue.subscribe, queue.entries)

  useEffect(() => {
    queue.forgetSent()
    resumeDecisions(userId)
    addEventListener('pagehide', queue.commitBeforeLeaving)
    addEventListener('online', queue.retry)
    const offSignOut = onSignOut(() => {
      queue.commitBeforeLeaving()
      return queue.settled()
    })
    return () => {
      offSignOut()
      removeEventListener('pagehide', queue.commitBeforeLeaving)
      removeEventListener('online', queue.retry)
      queue.commitBeforeLeaving()
    }
  }, [queue, userId])

  const phases = new Set([...entries.values()].map(({ phase }) => phase))
  const isWaiting = phases.has('waiting')
  const isSending = phases.has('sending')
  // A page that is closed cannot wait for a new token.
  useEffect(() => {
    if (isWaiting) void getIdToken().catch(() => {})
  }, [isWaiting])
  // A rejection on a closed task refunds coins to the buyer.
  useEffect(() => {
    if (!isSending) return
    return () => void refetchUser()
  }, [isSending, refetchUser])

  return { queue, entries }
}
